#include "polhode/linear/ldu_partition.h"

#include <algorithm>

namespace polhode::linear {
namespace {

/// In multiplications, of which a core does some 10 per nanosecond: starting threads costs more than is won below this.
constexpr double least_work = 3e6;
constexpr int num_pieces = 32;       // enough to keep the cores busy to the end
constexpr double least_share = 0.5;  // of the work that can be done at the same time

}  // namespace

LduPartition::LduPartition(const BlockGraph& graph, const EliminationOrder& order) {
  const int n = int(order.order.size());
  // Of each node's subtree: its work and, as subtrees lie together, its first step.
  std::vector<double> work(n);
  std::vector<int> first(n), parent(n, -1);
  for (int k = 0; k < n; ++k) first[k] = k;
  double total = 0;
  for (int k = 0; k < n; ++k) {
    const double s = graph.nodes[order.order[k]].size;
    double r = 0;
    for (const int j : order.neighbours_of(k)) r += graph.nodes[order.order[j]].size;
    const double own = s * (s * s + 2 * s * r + r * r);
    work[k] += own, total += own;
    if (order.neighbours_of(k).empty()) continue;
    parent[k] = order.neighbours_of(k).front();
    work[parent[k]] += work[k];
    first[parent[k]] = std::min(first[parent[k]], first[k]);
  }
  above.push_back({0, n});
  if (total < least_work) return;

  // Whole subtrees, small neighbours together, up to a piece each.
  const double piece = total / num_pieces;
  double gathered = 0, in_groups = 0;
  std::vector<Range> found, rest;
  for (int k = 0; k < n; ++k) {
    if (work[k] > piece) {
      if (rest.empty() || rest.back().last != k) rest.push_back({k, k});
      rest.back().last = k + 1;
    } else if (parent[k] < 0 || work[parent[k]] > piece) {
      if (found.empty() || found.back().last != first[k] || gathered + work[k] > piece)
        found.push_back({first[k], k}), gathered = 0;
      found.back().last = k + 1;
      gathered += work[k], in_groups += work[k];
    }
  }
  if (found.size() < 2 || in_groups < least_share * total) return;
  groups = std::move(found), above = std::move(rest);
}

}  // namespace polhode::linear
