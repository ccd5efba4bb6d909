#pragma once
#include <span>
#include <utility>
#include <vector>

#include "polhode/linear/elimination_order.h"
#include "polhode/linear/ldu_program.h"

namespace polhode::linear {

/// A sparse block LDU factorisation (Bruedigam & Manchester, algorithms 3 and 4) with an order and a fill pattern that are
/// computed once.
///
/// The order keeps work and new blocks few by a greedy choice, among nodes that are safe to eliminate: bodies always; a
/// constraint only when the eliminated part that it belongs to then hangs on at most one body that is still there (Ground
/// counts as one that always is). So no subsystem is ever held on two sides, which could make its pivots singular although the
/// whole matrix is regular. Trees get no fill at all, one long loop about one block per link, and local loops stay local.
///
/// Blocks are 6 x 6 at most, stored by columns of 8: entry (r, c) of a block is at [8 c + r]. So are vectors: node i has the
/// entries 8 i to 8 i + size - 1, and zeros after them. A block has as many columns as its column's node has rows, no more.
/// Pivots of constraint nodes may be rank-deficient (redundant constraints): what is beyond the rank gets a zero multiplier.
class BlockLdu {
 public:
  explicit BlockLdu(const BlockGraph& graph, const LduKernels& kernels = ldu_kernels());

  std::span<const int> order() const { return order_.order; }  ///< nodes as they are eliminated
  /// Blocks off the diagonal that were not in the graph, (i, j) and (j, i) counted once.
  int num_fill() const { return order_.num_fill; }

  /// Where to write a block before factor(); edges of the graph only, of which clear() makes those zero that are not written.
  double* diagonal(int node);
  double* block(int row, int column);
  void clear();
  /// Blocks (row, column) that are written whole before each factor(), columns of 8 with zeros after the last row: clear() need
  /// not touch them. None to begin with.
  void set_written_whole(std::span<const std::pair<int, int>> blocks);

  /// What counts as beyond the rank in later calls of factor(): rank_tolerance by default, most_rank_tolerance at most.
  void set_rank_tolerance(double tolerance) { rank_tolerance_ = tolerance; }

  /// In place. False when a body's pivot is singular or a number is not finite; failed_node() then says where.
  bool factor();
  int failed_node() const { return result_.failed_node; }  ///< -1 after success
  /// Rows of constraints that were beyond the rank in the last factor().
  int rank_deficiency() const { return result_.rank_deficiency; }
  /// x = A^-1 x. Several times after one factor().
  void solve(std::span<double> x) const;
  /// Both, in one pass less over a matrix that may be larger than a cache; the results are the same to the last bit. x is of no
  /// use after failure.
  bool factor_and_solve(std::span<double> x);

 private:
  bool factor_with(double* x);
  void place_blocks(const BlockGraph& graph);
  void find_fill(const BlockGraph& graph);
  std::size_t find_neighbour(int row, int column) const;
  void find_runs();
  LduProgram program() const { return {steps_.data(), int(steps_.size()), neighbours_.data(), runs_.data(), rank_tolerance_}; }

  EliminationOrder order_;
  LduKernels kernels_;
  std::vector<LduStep> steps_;
  std::vector<LduNeighbour> neighbours_;
  std::vector<int> upper_;     // where F(c, a) is, for each neighbour a of each node c
  std::vector<char> is_fill_;  // likewise: whether F(c, a) and F(a, c) are not in the graph
  std::vector<LduRun> runs_;
  std::vector<LduColumn> matrix_;  // what factor() and solve() read in the order in which they do
  struct Stretch {
    std::size_t first, length;
  };
  std::vector<Stretch> to_clear_;  // columns
  std::size_t matrix_end_ = 0;     // the columns from here on are not part of the matrix: LduStep::largest
  double rank_tolerance_ = rank_tolerance;
  LduResult result_;
};

}  // namespace polhode::linear
