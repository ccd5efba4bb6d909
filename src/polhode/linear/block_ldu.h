#pragma once
#include <span>
#include <vector>

namespace polhode::linear {

/// The pattern of a symmetric-pattern matrix of small blocks, as a graph: nodes are bodies (their diagonal block is regular) and
/// constraints (their diagonal block is zero to begin with); an edge (i, j) stands for the two blocks (i, j) and (j, i), whose
/// values may differ (seed 001, section 4.2).
struct BlockGraph {
  struct Node {
    int size;                     ///< 1 to 6
    bool constraint = false;
    bool touches_ground = false;  ///< a constraint on something that is not a node because it cannot move
  };
  std::vector<Node> nodes;
  std::vector<std::pair<int, int>> edges;  ///< each once
};

/// A sparse block LDU factorisation (seed 001, algorithms 3 and 4) with an order and a fill pattern that are computed once.
///
/// The order has the fewest new blocks by a greedy choice, among nodes that are safe to eliminate: bodies always; a constraint
/// only when the eliminated part that it belongs to then hangs on at most one body that is still there (Ground counts as one
/// that always is). So no subsystem is ever held on two sides, which could make its pivots singular although the whole matrix
/// is regular. Trees get no fill at all, one long loop none worth the name, and local loops stay local.
///
/// Blocks are 6 x 6 at most, stored by columns of 8: entry (r, c) of a block is at [8 c + r]. So are vectors: node i has the
/// entries 8 i to 8 i + size - 1, and zeros after them. Pivots of constraint nodes may be rank-deficient (redundant
/// constraints): what is beyond the rank gets a zero multiplier.
class BlockLdu {
 public:
  explicit BlockLdu(const BlockGraph& graph);

  std::span<const int> order() const;  ///< nodes as they are eliminated
  int num_fill() const;                ///< blocks off the diagonal that were not in the graph, (i, j) and (j, i) counted once

  /// Where to write a block before factor(); edges of the graph only. Everything else is kept zero by clear().
  double* diagonal(int node);
  double* block(int row, int column);
  void clear();

  /// In place. False when a body's pivot is singular or a number is not finite; failed_node() then says where.
  bool factor();
  int failed_node() const;
  int rank_deficiency() const;  ///< rows of constraints that were beyond the rank in the last factor()
  /// x = A^-1 x. Several times after one factor().
  void solve(std::span<double> x) const;
};

}  // namespace polhode::linear
