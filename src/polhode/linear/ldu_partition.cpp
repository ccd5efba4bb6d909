#include "polhode/linear/ldu_partition.h"

#include <algorithm>
#include <set>

namespace polhode::linear {
namespace {

/// In multiplications, of which a core does some 10 per nanosecond: some 0.3 ms, well above what starting threads costs.
constexpr double least_work = 3e6;
constexpr int num_pieces = 32;        // enough to keep the cores busy to the end
constexpr double least_piece = 0.1;   // of a piece, for a group
constexpr double least_share = 0.5;   // of the work that can be done at the same time
constexpr double most_outside = 0.1;  // nodes that groups write to beside their own, for each of which there is a copy

/// How many nodes outside of a group are neighbours of some within.
long num_outside(const LduPartition::Range& group, const EliminationOrder& order) {
  std::set<int> outside;
  for (int k = group.first; k < group.last; ++k)
    for (const int j : order.neighbours_of(k))
      if (j >= group.last) outside.insert(j);
  return long(outside.size());
}

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

  // Whole subtrees, small neighbours together, up to a piece each. What comes to little is not worth a group.
  const double piece = total / num_pieces;
  double in_groups = 0, gathered = 0;
  std::vector<Range> found;
  const auto close_last = [&] {
    if (!found.empty() && gathered < least_piece * piece)
      found.pop_back();
    else
      in_groups += gathered;
    gathered = 0;
  };
  for (int k = 0; k < n; ++k) {
    const bool is_root = work[k] <= piece && (parent[k] < 0 || work[parent[k]] > piece);
    if (!is_root) continue;
    if (found.empty() || found.back().last != first[k] || gathered + work[k] > piece) {
      close_last();
      found.push_back({first[k], first[k]});
    }
    found.back().last = k + 1;
    gathered += work[k];
  }
  close_last();
  if (found.size() < 2 || in_groups < least_share * total) return;
  long outside = 0, inside = 0;
  for (const Range& group : found) outside += num_outside(group, order), inside += group.size();
  if (double(outside) > most_outside * double(inside)) return;

  groups = std::move(found);
  above.clear();
  int done = 0;
  for (const Range& group : groups) {
    if (group.first > done) above.push_back({done, group.first});
    done = group.last;
  }
  if (done < n) above.push_back({done, n});
}

}  // namespace polhode::linear
