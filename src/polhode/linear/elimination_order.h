#pragma once
#include <span>

#include "polhode/linear/block_graph.h"

namespace polhode::linear {

/// In which order to eliminate the nodes of a graph, and what each elimination touches.
///
/// Greedy: of the nodes that are safe to eliminate, first those that add no new blocks (leaves add none, so trees get no fill);
/// then, in one try, the one that adds the fewest columns of new blocks, in another the one with the least work; ties by the
/// lowest index. The cheaper of the two orders is taken: scissor lifts are better off with the second, chains of four-bars with
/// the first.
///
/// Bodies are always safe. A constraint is safe when the part made of it and of the bodies and constraints that were eliminated
/// before, as far as they hold together, hangs on at most one body that is still there, Ground counting as one. Such a part
/// moves with that body as a whole; so its constraints are independent with the body held whenever they are independent
/// without, and its pivot is regular whenever the whole matrix is. Constraints that are still there do not count: a row of
/// four-bars on Ground is taken apart from one end.
///
/// In the end the nodes are sorted such that each node comes right after all those that its pivot depends on.
struct EliminationOrder {
  explicit EliminationOrder(const BlockGraph& graph);  ///< throws std::invalid_argument on sizes or indices that cannot be

  std::vector<int> order;          ///< nodes as they are eliminated
  std::vector<int> position;       ///< the inverse: order[position[i]] = i
  std::vector<std::size_t> first;  ///< of the neighbours of the k-th eliminated node; one entry more than nodes
  std::vector<int> neighbours;     ///< positions of the not yet eliminated neighbours, increasing
  int num_fill = 0;                ///< neighbours that were not in the graph
  long num_operations = 0;         ///< heap entries, looks at neighbours and at pairs of them: what the search cost

  std::span<const int> neighbours_of(int k) const { return {neighbours.data() + first[k], first[k + 1] - first[k]}; }

 private:
  enum class Rule { fewest_columns, least_work };
  EliminationOrder() = default;
  double find(const BlockGraph& graph, Rule rule);
  void sort_into_subtrees();
};

}  // namespace polhode::linear
