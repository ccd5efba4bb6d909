#pragma once
#include "polhode/projected/maximal/jet_projection.h"
#include "polhode/state/option_table.h"

namespace polhode::projected {

struct MaximalProjectedOptions {
  double accuracy = 1e-6;              ///< Atol = Rtol of the local error, in y and y1
  std::optional<double> fixed_step{};  ///< [s]; no error control when given
  double initial_step = 0.25;          ///< [s]; the first one that is tried
  double largest_step = 0.25;          ///< [s]
  double tolerance = 1e-10;            ///< that projections leave, in constraints [m], [rad] and their rates; the paper: 1e-5
  JetProjection::Kind projection = JetProjection::Kind::quasi;
  bool energy = true;                   ///< keep W = T + U, or T + U - W_ext where something feeds or takes energy
  bool momenta = true;                  ///< with the energy, the momenta that a symmetry keeps (tree/symmetry.h)
  std::vector<Invariant> invariants{};  ///< further ones
  /// How much of the energy may be let go in a run, where it cannot be restored: as a part of the most that was kinetic or
  /// potential. More stops the run. By default a thousand times the accuracy, or a hundredth in fixed steps.
  std::optional<double> let_go{};
  bool planar = true;  ///< use the planar formulation where the mechanism allows it
};

/// Those that have names. A new one is a member above and a row there.
const OptionTable<MaximalProjectedOptions>& maximal_projected_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const MaximalProjectedOptions& options);

}  // namespace polhode::projected
