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

/// Of storing, reading and solving with it later, in products of a column with a number (RemainingGraph::work).
constexpr double cost_of_column = 8;

/// The parts of a mechanism whose bodies and constraints have been eliminated. A part hangs, by its constraints, on bodies that
/// are still there, or on Ground: its anchors. A constraint may be eliminated as long as what it joins to one part hangs on one
/// anchor at most: whatever its rows then depend on, with the anchor held, they depend on for good, as they do not change when
/// part and anchor move together. Between two anchors rows may well depend on each other while both are held, and not
/// otherwise.
class Parts {
 public:
  explicit Parts(const BlockGraph& graph)
      : graph_(graph),
        part_(graph.nodes.size()),
        anchor_(graph.nodes.size(), nothing),
        gone_(graph.nodes.size()),
        bodies_(graph.nodes.size()),
        hanging_(graph.nodes.size()) {
    for (std::size_t i = 0; i < part_.size(); ++i) part_[i] = int(i);
    for (const auto& [i, j] : graph.edges) {
      if (graph.nodes[i].constraint && !graph.nodes[j].constraint) bodies_[i].push_back(j);
      if (graph.nodes[j].constraint && !graph.nodes[i].constraint) bodies_[j].push_back(i);
    }
  }

  bool safe(int i) { return !graph_.nodes[i].constraint || anchor_of(i) != several; }

  void eliminate(int i) {
    gone_[i] = true;
    if (!graph_.nodes[i].constraint) {
      for (const int part : hanging_[i]) join(part, i, nothing);
      hanging_[i] = {};
      return;
    }
    const int anchor = anchor_of(i);
    for (const int body : bodies_[i])
      if (gone_[body]) join(body, i, anchor);
    anchor_[find(i)] = anchor;
    if (anchor >= 0) hanging_[anchor].push_back(i);
  }

 private:
  static constexpr int nothing = -1, ground = -2, several = -3;

  int find(int i) {
    while (part_[i] != i) i = part_[i] = part_[part_[i]];
    return i;
  }
  void join(int i, int j, int anchor) {
    part_[find(i)] = find(j);
    anchor_[find(j)] = anchor;
  }
  /// What the part would hang on that constraint i joins together.
  int anchor_of(int i) {
    int anchor = graph_.nodes[i].touches_ground ? ground : nothing;
    for (const int body : bodies_[i]) {
      const int other = gone_[body] ? anchor_[find(body)] : body;
      if (other == nothing || other == anchor) continue;
      if (anchor != nothing) return several;
      anchor = other;
    }
    return anchor;
  }

  const BlockGraph& graph_;
  std::vector<int> part_;    // by node: towards the one that stands for its part
  std::vector<int> anchor_;  // by that node
  std::vector<char> gone_;
  std::vector<std::vector<int>> bodies_;   // by constraint
  std::vector<std::vector<int>> hanging_;  // by body: a node of each part that hangs on it
};

/// What is left of the graph while nodes are taken out of it, with the edges that this adds.
class RemainingGraph {
 public:
  RemainingGraph(const BlockGraph& graph, long& operations)
      : graph_(graph), operations_(operations), nodes_(graph.nodes.size()), parts_(graph) {
    edges_.reserve(2 * graph.edges.size());
    for (const auto& [i, j] : graph.edges) connect(i, j);
  }

  bool safe(int i) { return parts_.safe(i); }
  /// Columns of the blocks that eliminating node i would add; a column costs the same whatever its length. Counted only where
  /// there are few pairs to look at, for a hub is asked again after each of its neighbours; beyond that, as if all were new.
  double new_columns(int i) {
    if (nodes_[i].degree <= 1) return 0;
    if (nodes_[i].degree > most_counted) return double(nodes_[i].degree - 1) * nodes_[i].rows;
    collect_neighbours(i, scratch_);
    double columns = 0;
    for (std::size_t a = 0; a < scratch_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b, ++operations_)
        if (!edges_.contains(key(scratch_[a], scratch_[b])))
          columns += graph_.nodes[scratch_[a]].size + graph_.nodes[scratch_[b]].size;
    return columns;
  }
  /// Columns of all blocks of node i: its diagonal one, those below and those beside it.
  double columns(int i) const { return graph_.nodes[i].size * (1.0 + nodes_[i].degree) + nodes_[i].rows; }
  /// Columns to multiply by a number in order to eliminate node i: for its inverse, for the product with each neighbour, for
  /// the update of each pair of them.
  double work(int i) const {
    const double s = graph_.nodes[i].size, neighbours = nodes_[i].degree, r = nodes_[i].rows;
    return s * (s + neighbours * s + neighbours * r);
  }

  /// Takes node i out, and connects its neighbours with each other; these are left in `neighbours`. Returns how many edges
  /// were new.
  int eliminate(int i, std::vector<int>& neighbours) {
    collect_neighbours(i, neighbours);
    nodes_[i].eliminated = true;
    parts_.eliminate(i);
    int fill = 0;
    for (std::size_t a = 0; a < neighbours.size(); ++a) {
      const int j = neighbours[a];
      Node& node = nodes_[j];
      --node.degree;
      node.rows -= graph_.nodes[i].size;
      for (std::size_t b = 0; b < a; ++b) fill += connect(j, neighbours[b]) ? 1 : 0;
      operations_ += long(a) + 1;
    }
    nodes_[i].adjacent = {};
    return fill;
  }

 private:
  static constexpr int most_counted = 8;  // 4 to 32 give much the same work

  struct Node {
    std::vector<int> adjacent;  // eliminated ones are still in it
    int degree = 0;             // of those that are not eliminated
    int rows = 0;               // of the same, together
    bool eliminated = false;
  };

  static std::uint64_t key(int i, int j) { return (std::uint64_t(std::max(i, j)) << 32) | std::uint64_t(std::min(i, j)); }

  /// Forgets those that are eliminated, so that nothing is looked at twice for long.
  void collect_neighbours(int i, std::vector<int>& neighbours) {
    std::vector<int>& adjacent = nodes_[i].adjacent;
    operations_ += long(adjacent.size());
    std::erase_if(adjacent, [&](int j) { return nodes_[j].eliminated; });
    neighbours = adjacent;
  }
  bool connect(int i, int j) {
    if (!edges_.insert(key(i, j)).second) return false;
    for (int turn = 0; turn < 2; ++turn, std::swap(i, j)) {
      nodes_[i].adjacent.push_back(j);
      ++nodes_[i].degree;
      nodes_[i].rows += graph_.nodes[j].size;
    }
    return true;
  }

  const BlockGraph& graph_;
  long& operations_;
  std::vector<Node> nodes_;
  Parts parts_;
  std::unordered_set<std::uint64_t> edges_;
  std::vector<int> scratch_;
};

}  // namespace

EliminationOrder::EliminationOrder(const BlockGraph& graph) {
  check(graph);
  const double cost = find(graph, Rule::fewest_columns);
  if (num_fill > 0) {
    EliminationOrder other;
    const double other_cost = other.find(graph, Rule::least_work);
    other.num_operations += num_operations;
    if (other_cost < cost)
      *this = std::move(other);
    else
      num_operations = other.num_operations;
  }
  sort_into_subtrees();
}

/// Gives what it costs to factor the matrix in the order that was found.
double EliminationOrder::find(const BlockGraph& graph, Rule rule) {
  position.resize(graph.nodes.size());
  first = {0};
  double total = 0;
  const int n = int(graph.nodes.size());
  RemainingGraph remaining(graph, num_operations);

  // Entries of nodes that have changed since are passed over when they come up. What a node would add can also shrink when
  // nodes near its neighbours go, which is noticed no sooner than here.
  using Entry = std::tuple<double, double, int, int>;  // cost, work, node, its version
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<int> version(n);
  const auto cost = [&](int i) {
    const double columns = remaining.new_columns(i);
    return rule == Rule::fewest_columns || columns == 0 ? columns : remaining.work(i);
  };
  const auto offer = [&](int i) {
    ++version[i], ++num_operations;
    if (remaining.safe(i)) heap.emplace(cost(i), remaining.work(i), i, version[i]);
  };
  for (int i = 0; i < n; ++i) offer(i);

  std::vector<int> touched;
  while (!heap.empty()) {
    const auto [least, work, i, entered] = heap.top();
    heap.pop();
    if (entered != version[i] || !remaining.safe(i)) continue;  // it is offered again when a body next to it is gone
    if (least > 0 && cost(i) != least) {
      offer(i);
      continue;
    }
    ++version[i];
    total += remaining.work(i) + cost_of_column * remaining.columns(i);
    num_fill += remaining.eliminate(i, touched);
    position[i] = int(order.size());
    order.push_back(i);
    neighbours.insert(neighbours.end(), touched.begin(), touched.end());
    first.push_back(neighbours.size());
    for (const int j : touched) offer(j);
  }

  for (int& j : neighbours) j = position[j];
  return total;
}

/// A node's parent is the first of its neighbours to go. What is eliminated below a node (its subtree) is all that its pivot
/// depends on; so subtrees can be gathered without any change in what is computed.
void EliminationOrder::sort_into_subtrees() {
  const int n = int(order.size());
  std::vector<int> parent(n, n);  // n: the root of all roots
  std::vector<int> size(n, 1), place(n), end(n + 1, n);
  for (int k = 0; k < n; ++k) {
    for (const int j : neighbours_of(k)) parent[k] = std::min(parent[k], j);
    if (parent[k] < n) size[parent[k]] += size[k];
  }
  for (int k = n - 1; k >= 0; --k) {  // from the roots down, each subtree before those that are already there
    place[k] = end[k] = end[parent[k]] - 1;
    end[parent[k]] -= size[k];
  }

  EliminationOrder sorted = *this;
  for (int k = 0; k < n; ++k) sorted.order[place[k]] = order[k];
  std::vector<int> from(n);
  for (int k = 0; k < n; ++k) from[place[k]] = k, sorted.position[order[k]] = place[k];
  sorted.neighbours.clear();
  for (int k = 0; k < n; ++k) {
    for (const int j : neighbours_of(from[k])) sorted.neighbours.push_back(place[j]);
    sorted.first[k + 1] = sorted.neighbours.size();
    std::sort(sorted.neighbours.begin() + long(sorted.first[k]), sorted.neighbours.end());
  }
  *this = std::move(sorted);
}

}  // namespace polhode::linear
