#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/maximal/compliant_solver.h"
#include "polhode/projected/maximal/jet_coordinates.h"

namespace polhode::projected {

using maximal::RedundantRows;
using maximal::SaddleLayout;

/// The matrix of (3.6) in Tuomela, Arponen & Normi with a constant symmetric block D for every body: masses for the
/// distribution, the metric of the jet space for projections. It is factorised as it is, directly and sparsely, which does what
/// the Schur complement of algorithm 5.1 does by iteration.
class JetMatrix {
 public:
  static constexpr int width = JetCoordinates::width;
  using Block = std::array<double, 48>;  ///< entry (r, c) at 8 c + r
  using Levels = maximal::SaddleMatrix::Levels;

  /// blocks: by body, Ground not counted. singular: by body too; empty where none is.
  JetMatrix(const SaddleLayout& layout, int directions, std::vector<Block> blocks, std::vector<char> singular = {},
            double weight = 0);

  /// Of a vector that solve() works on.
  std::size_t size() const { return matrix_.layout().vector_size(); }
  void set_active(const maximal::Constraints& constraints) { matrix_.set_active(constraints); }

  /// For mechanisms with redundant rows: these share what they contradict each other in (maximal/compliant_solver.h). Where
  /// they miss each other, solve() leaves out of the rows what they cannot meet together: left().
  void allow_redundant_rows(RedundantRows rows) { redundant_ = rows; }
  /// How far the point of the next factor() is off its constraints: rows that are independent by no more than that are
  /// redundant.
  void set_distance(double distance) { distance_ = distance; }
  /// Rows beyond the rank in the last factor().
  int rank_deficiency() const { return matrix_.rank_deficiency(); }
  /// For later calls of factor(); see linear::BlockLdu. Rows count as beyond the rank if they are independent by less than the
  /// root of it.
  void set_rank_tolerance(double tolerance) { matrix_.set_rank_tolerance(tolerance); }

  /// With velocity rows, or without them: those get no multiplier then.
  bool factor(std::span<const double> values, Levels levels = Levels::all);
  /// x: loads on bodies and what G d must be; on return d and multipliers.
  void solve(std::span<const double> values, std::span<double> x);
  /// With rows that are nearly redundant: what is left of rows after the last solve(), G d less what it must be, where x has
  /// their numbers.
  std::span<const double> left() const { return compliant_.left(); }
  /// The body that factor() failed at, or -1.
  int failed_body() const { return matrix_.failed_body(); }

 private:
  int directions_;
  std::vector<Block> blocks_;
  maximal::SaddleMatrix matrix_;
  maximal::CompliantSolver compliant_;
  RedundantRows redundant_ = RedundantRows::none;
  double distance_ = 0, factored_distance_ = 0;
};

}  // namespace polhode::projected
