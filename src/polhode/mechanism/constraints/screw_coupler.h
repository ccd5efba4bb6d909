#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// translation = lead * rotation:  h = q_d - lead q_theta  [m]  (Johnson & Murphey (39), with the other sign).
template <class Ref>
struct BasicScrewCoupler {
  static constexpr const char* keyword = "screw";
  typename Ref::Coordinate rotation{}, translation{};
  double lead = 0;  ///< [m/rad]

  static constexpr auto fields() {
    using F = BasicScrewCoupler;
    return std::make_tuple(field("coordinate that turns", &F::rotation, "", "an angle").shown_as("rotation"),
                           field("coordinate that slides", &F::translation, "", "a distance").shown_as("translation"),
                           field("lead", &F::lead, "m/rad", "the way per angle"));
  }

  LinearEquation equation() const {
    return {RowLevel::position, {{translation.q, translation.u, 1}, {rotation.q, rotation.u, -lead}}};
  }
};
using ScrewSpec = BasicScrewCoupler<Named>;
using ScrewCoupler = BasicScrewCoupler<Placed>;
static_assert(LinearConstraint<ScrewCoupler>);

}  // namespace polhode
