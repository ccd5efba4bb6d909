#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/linear/block_ldu.h"
#include "polhode/maximal/constraints.h"
#include "polhode/projected/maximal/jet_coordinates.h"

namespace polhode::projected {

/// The rows of the constraints that a formulation uses, as nodes of the graph that the sparse factorisation works on: bodies
/// first (body b is node b - 1), then constraint elements, six rows at most in a node.
class JetRows {
 public:
  struct Node {
    int element, first, count;  ///< rows()[first] and on
    int num_position_rows;      ///< the first ones; the others are velocity rows
  };
  /// The derivatives of one node's rows with respect to one body: row k is at values[value[k]], eight numbers.
  struct Block {
    int node, body;
    std::array<int, 6> value;
  };

  /// kept: by row of the constraints, 0 for those that hold by themselves.
  JetRows(const maximal::Constraints& constraints, std::span<const char> kept);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Block> blocks() const { return blocks_; }
  std::span<const int> rows() const { return rows_; }
  bool any_velocity_rows() const { return any_velocity_rows_; }
  bool touches_ground(const Node& node) const { return touches_ground_[std::size_t(node.element)] != 0; }

 private:
  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<int> rows_;
  std::vector<char> touches_ground_;
  bool any_velocity_rows_ = false;
};

/// What is known of rows that depend on each other. `nearly`: they miss being met together by the digits that the model was
/// written with, so that a gap stays open.
enum class RedundantRows { none, exactly, nearly };

/// The matrix of (3.6) in Tuomela, Arponen & Normi, [D G^T; G 0], with a constant symmetric block D for every body: masses for
/// the distribution, the metric of the jet space for projections. It is factorised as it is, directly and sparsely, which does
/// what the Schur complement of algorithm 5.1 does by iteration. Rows that depend on others get no multiplier.
///
/// A body whose D is singular (a particle, a line, a frame without mass) gets weight G^T G from every element that touches it,
/// and the right-hand side weight G^T b: as G d = b, the solution stays what it is.
class JetMatrix {
 public:
  static constexpr int width = JetCoordinates::width;
  using Block = std::array<double, 48>;  ///< entry (r, c) at 8 c + r

  /// blocks: by body, Ground not counted. singular: by body too; empty where none is.
  JetMatrix(const JetRows& rows, int directions, std::vector<Block> blocks, std::vector<char> singular = {}, double weight = 0);

  int num_nodes() const { return num_bodies() + int(rows_->nodes().size()); }
  int num_bodies() const { return int(blocks_.size()); }
  /// Of a vector that solve() works on.
  std::size_t size() const { return std::size_t(width * num_nodes()); }
  template <class Number>
  Number* of_node(Number* x, int node) const {
    return x + width * (num_bodies() + node);
  }

  /// For mechanisms with redundant rows: where bodies are off their constraints by a little, rows that depend on each other
  /// there no longer do quite, and what they contradict each other in would be divided by that little. With a small
  /// compliance of every row (1e-8 of what it meets anyway) they share it instead; solve() takes the compliance out again where
  /// rows are independent, be it ever so little. Where they miss each other, it is 1e-6, and solve() leaves out of the rows
  /// what they cannot meet together: left().
  void allow_redundant_rows(RedundantRows rows) { redundant_ = rows; }
  /// How far the point of the next factor() is off its constraints: rows that are independent by no more than that are
  /// redundant.
  void set_distance(double distance) { distance_ = distance; }
  /// Rows beyond the rank in the last factor().
  int rank_deficiency() const { return ldu_.rank_deficiency(); }
  /// For later calls of factor(); see linear::BlockLdu. Rows count as beyond the rank if they are independent by less than the
  /// root of it.
  void set_rank_tolerance(double tolerance) { ldu_.set_rank_tolerance(tolerance); }

  /// With velocity rows, or without them: those get no multiplier then.
  bool factor(std::span<const double> values, bool with_velocity_rows = true);
  /// x: loads on bodies and what G d must be; on return d and multipliers.
  void solve(std::span<const double> values, std::span<double> x);
  /// With rows that are nearly redundant: what is left of row k of a node after the last solve(), G d less what it must be.
  double left(int node, int k) const { return of_node(left_.data(), node)[k]; }
  /// The body that factor() failed at, or -1.
  int failed_body() const;

 private:
  struct Link {
    double *upper, *lower;  // blocks (body, node) and (node, body)
  };
  struct Pair {
    int first, second;  // blocks of one node
    double *upper, *lower;
  };
  static linear::BlockGraph graph_of(const JetRows& rows, int directions, std::span<const char> singular);
  void add_weights(std::span<const double> values);
  void add_compliances(std::span<const double> values);
  void take_out_compliance(std::span<double> x);
  void leave_gaps(std::span<double> x);
  void solve_and_refine(std::span<double> x, std::span<double> left);

  const JetRows* rows_;
  int directions_;
  std::vector<Block> blocks_;
  std::vector<char> weighted_;  // by block of rows
  double weight_;
  RedundantRows redundant_ = RedundantRows::none;
  double distance_ = 0, factored_distance_ = 0;
  std::vector<double> compliances_, residual_, z_, p_, Sp_, left_, gap_;  // as x; all but z_ and p_ of nodes of rows only
  linear::BlockLdu ldu_;
  std::vector<Link> links_;
  std::vector<Pair> pairs_;
};

}  // namespace polhode::projected
