#include "polhode/linear/elimination_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

namespace polhode::linear {
namespace {

void check(const BlockGraph& graph) {
  const int n = int(graph.nodes.size());
  for (int i = 0; i < n; ++i)
    if (graph.nodes[i].size < 1 || graph.nodes[i].size > 6)
      throw std::invalid_argument(fmt::format("node {} of a block graph: size {} must be from 1 to 6", i, graph.nodes[i].size));
  for (const auto& [i, j] : graph.edges)
    if (i < 0 || j < 0 || i >= n || j >= n || i == j)
      throw std::invalid_argument(
          fmt::format("edge ({}, {}) of a block graph: needs two different nodes of 0 to {}", i, j, n - 1));
}

/// What is left of the graph while nodes are taken out of it, with the edges that this adds.
class RemainingGraph {
 public:
  RemainingGraph(const BlockGraph& graph, long& operations)
      : graph_(graph), operations_(operations), nodes_(graph.nodes.size()) {
    edges_.reserve(2 * graph.edges.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].reaches_ground = graph.nodes[i].touches_ground;
    for (const auto& [i, j] : graph.edges) connect(i, j);
  }

  /// Taking w out of the way of two safe choices needs no more than what is kept per node: its neighbours are the nodes that
  /// its part reaches through eliminated ones.
  bool safe(int i) const {
    const Node& node = nodes_[i];
    return !graph_.nodes[i].constraint || node.bodies + int(node.reaches_ground) <= 1;
  }
  int degree(int i) const { return nodes_[i].degree; }
  /// Multiplications to eliminate node i: its inverse, the two products with each neighbour, the update of each pair.
  double work(int i) const {
    const double s = graph_.nodes[i].size, r = nodes_[i].rows;
    return s * (s * s + 2 * s * r + r * r);
  }

  /// Takes node i out, and connects its neighbours with each other; these are left in `neighbours`. Returns how many edges
  /// were new.
  int eliminate(int i, std::vector<int>& neighbours) {
    neighbours.clear();
    for (const int j : nodes_[i].adjacent)
      if (!nodes_[j].eliminated) neighbours.push_back(j);
    operations_ += long(nodes_[i].adjacent.size());
    nodes_[i].eliminated = true;
    int fill = 0;
    for (std::size_t a = 0; a < neighbours.size(); ++a) {
      const int j = neighbours[a];
      Node& node = nodes_[j];
      --node.degree;
      node.rows -= graph_.nodes[i].size;
      node.bodies -= graph_.nodes[i].constraint ? 0 : 1;
      node.reaches_ground |= nodes_[i].reaches_ground;
      for (std::size_t b = 0; b < a; ++b) fill += connect(j, neighbours[b]) ? 1 : 0;
      operations_ += long(a) + 1;
    }
    nodes_[i].adjacent = {};
    return fill;
  }

 private:
  struct Node {
    std::vector<int> adjacent;   // eliminated ones are still in it
    int degree = 0, bodies = 0;  // of those that are not eliminated
    int rows = 0;                // of the same, together
    bool eliminated = false;
    bool reaches_ground = false;  // itself or through eliminated nodes
  };

  bool connect(int i, int j) {
    if (!edges_.insert((std::uint64_t(std::max(i, j)) << 32) | std::uint64_t(std::min(i, j))).second) return false;
    for (int turn = 0; turn < 2; ++turn, std::swap(i, j)) {
      nodes_[i].adjacent.push_back(j);
      ++nodes_[i].degree;
      nodes_[i].rows += graph_.nodes[j].size;
      nodes_[i].bodies += graph_.nodes[j].constraint ? 0 : 1;
    }
    return true;
  }

  const BlockGraph& graph_;
  long& operations_;
  std::vector<Node> nodes_;
  std::unordered_set<std::uint64_t> edges_;
};

}  // namespace

EliminationOrder::EliminationOrder(const BlockGraph& graph) : position(graph.nodes.size()), first{0} {
  check(graph);
  const int n = int(graph.nodes.size());
  RemainingGraph remaining(graph, num_operations);

  // Entries of nodes that have changed since are passed over when they come up.
  using Entry = std::tuple<bool, double, int, int>;  // would it fill, work, node, its version
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<int> version(n);
  const auto offer = [&](int i) {
    ++version[i], ++num_operations;
    if (remaining.safe(i)) heap.emplace(remaining.degree(i) > 1, remaining.work(i), i, version[i]);
  };
  for (int i = 0; i < n; ++i) offer(i);

  std::vector<int> touched;
  while (!heap.empty()) {
    const auto [fills, work, i, entered] = heap.top();
    heap.pop();
    if (entered != version[i]) continue;
    ++version[i];
    num_fill += remaining.eliminate(i, touched);
    position[i] = int(order.size());
    order.push_back(i);
    neighbours.insert(neighbours.end(), touched.begin(), touched.end());
    first.push_back(neighbours.size());
    for (const int j : touched) offer(j);
  }

  for (int& j : neighbours) j = position[j];
  for (int k = 0; k < n; ++k) std::sort(neighbours.begin() + long(first[k]), neighbours.begin() + long(first[k + 1]));
}

}  // namespace polhode::linear
