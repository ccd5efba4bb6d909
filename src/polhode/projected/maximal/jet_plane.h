#pragma once
#include <optional>

#include "polhode/maximal/constraints.h"
#include "polhode/projected/maximal/jet_coordinates.h"

namespace polhode::projected {

/// A mechanism whose bodies all move along parallel planes (Tuomela, Arponen & Normi, section 4.3).
struct PlanarModel {
  JetPlane plane;
  /// By row of the constraints with frames turned (maximal::Constraints::turn_frames): 0 where the others, and motion along the
  /// plane, imply it.
  std::vector<char> kept_rows;
  /// By constraint element, as State::enabled(): which may be on in this plane, and which must be, for they hold bodies in it.
  std::vector<char> fitting, holding;

  /// Whether the plane serves with these constraints, too.
  bool serves(std::span<const char> enabled) const;
};

/// The plane that the enabled constraints keep all bodies in, or nothing. `at` must meet them, and near are its coordinates.
/// The other constraints are looked at too: whether they would fit.
///
/// A plane serves when the bodies move along it now, and the constraints hold them in it: among the sums of an element's rows
/// there are some that say nothing about motion along the plane, wherever bodies may be along it; these must be met there, not
/// change in time, and leave no body a velocity across. Then motion along the plane with the remaining rows is a motion of the
/// mechanism, and the only one; forces across the plane change nothing but reactions. What the joints are called does not
/// matter. "Wherever" is tried at places chosen at random, with fixed seeds. The remaining rows of each element must be
/// independent: an element that says one thing about the plane twice, each time a little differently off it, is for space.
std::optional<PlanarModel> find_plane(const Mechanism& mechanism, std::span<const char> enabled, double t,
                                      const maximal::Bodies& at, std::span<const double> near);

}  // namespace polhode::projected
