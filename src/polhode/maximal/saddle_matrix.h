#pragma once
#include <span>
#include <utility>
#include <vector>

#include "polhode/linear/block_ldu.h"
#include "polhode/maximal/saddle_layout.h"

namespace polhode::maximal {

/// What a SaddleMatrix has to know of the bodies.
struct SaddleBodies {
  int directions = row_width - 2;  ///< columns of a body's block: six in space, three in a plane
  /// By body, Ground not counted: whether its block alone may be singular (a particle, a line, a frame without mass). Nothing
  /// means that none is.
  std::vector<char> singular{};
  double weight = 0;  ///< of the rows that are added to the equations of such bodies
  /// What resists motion in each direction, row_width numbers a body: compliances of rows are parts of what they give by it.
  std::vector<double> resistance{};
  std::vector<std::pair<int, int>> couplings{};  ///< further pairs of bodies that have blocks
};

/// The matrix of both methods in maximal coordinates, (16) of Bruedigam & Manchester and (3.6) of Tuomela, Arponen & Normi:
///
///   [ D    G1^T ]    D: a block for every body, and others between bodies that something couples
///   [ G2   -C   ]    G1, G2: the rows at two ends of a step, or the same ones twice; C: compliances, none as a rule
///
/// factored directly and sparsely on the mechanism's graph. The order of elimination is found once, for all elements. Those
/// that are off have rows of zeros and a unit on the diagonal, so their multipliers are zero; an order that is safe with all
/// elements is safe without some (parts that are eliminated hang on fewer anchors then, linear/elimination_order.h). Rows that
/// depend on others get no multiplier either.
///
/// A body whose block is singular gets weight G1^T G2 from every element that touches it, and the right-hand side
/// weight G1^T b: as G2 d = b, the solution stays what it is.
///
/// To fill it: clear(), body() and coupling(), put_rows(), add_compliances(); then factor.
class SaddleMatrix {
 public:
  enum class Levels { positions, all };

  SaddleMatrix(SaddleLayout layout, SaddleBodies bodies);
  SaddleMatrix(SaddleMatrix&&) = default;  // no copies: places of blocks point into it
  SaddleMatrix& operator=(SaddleMatrix&&) = default;

  const SaddleLayout& layout() const { return layout_; }
  const linear::BlockLdu& factors() const { return ldu_; }
  /// Reads which elements are on. Does not allocate.
  void set_active(const Constraints& constraints);

  void clear() { ldu_.clear(); }
  /// A body's block, to be written whole: columns of eight with zeros after the last direction.
  double* body(int body) { return diagonals_[std::size_t(body - 1)]; }
  /// The block (a, b) of two bodies that are coupled, or of one; to add to, once the bodies' blocks are written.
  double* coupling(int body_a, int body_b);
  /// The rows of two Jacobians, G1 and G2, and what they add to the blocks of singular bodies. Of velocity rows zeros, unless
  /// they are wanted: they get no multiplier then.
  void put_rows(std::span<const double> G1, std::span<const double> G2, Levels levels = Levels::all);
  /// Gives every row a compliance: this part of what it gives by the bodies' resistance.
  void add_compliances(std::span<const double> G, double part);
  /// Those of the last add_compliances(), as a vector.
  std::span<const double> compliances() const { return compliances_; }

  /// For a right-hand side whose rows are filled in: adds weight G1^T b to singular bodies.
  void add_weighted_rows(std::span<const double> G1, std::span<double> b) const;

  bool factor() { return ldu_.factor(); }
  void solve(std::span<double> x) const { ldu_.solve(x); }
  bool factor_and_solve(std::span<double> x) { return ldu_.factor_and_solve(x); }
  /// See linear::BlockLdu.
  void set_rank_tolerance(double tolerance) { ldu_.set_rank_tolerance(tolerance); }
  /// Rows beyond the rank in the last factor().
  int rank_deficiency() const { return ldu_.rank_deficiency(); }
  /// The body that the last factor() failed at, or -1.
  int failed_body() const;

 private:
  struct Link {
    double *columns, *rows;  // where a block and its transpose go
    int first_value;         // of the block's first row
    int count;
    bool is_first;    // of the groups in its node: writes zeros after its last row
    bool is_stretch;  // its rows follow one another, and have six numbers
  };
  struct Pair {
    int group, block_a, block_b;  // of a group that is weighted
    double* to;                   // rows of a's body, columns of b's
  };
  void put(const Link& link, const SaddleLayout::Block& block, int count, std::span<const double> G1,
           std::span<const double> G2) const;
  void add_weights(std::span<const double> G1, std::span<const double> G2);

  SaddleLayout layout_;
  SaddleBodies bodies_;
  linear::BlockLdu ldu_;
  std::vector<double*> diagonals_;  // by body, Ground not counted
  std::vector<Link> links_;         // by block of the layout
  std::vector<Pair> pairs_;
  std::vector<double*> inactive_;  // diagonal entries of rows that are off
  std::vector<double> compliances_;
};

}  // namespace polhode::maximal
