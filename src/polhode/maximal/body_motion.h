#pragma once
#include <vector>

#include "polhode/spatial/quaternion.h"
#include "polhode/spatial/spatial_vector.h"

namespace polhode::maximal {

/// Where a body is and how it moves, by itself (Bruedigam & Manchester, section 2.2; Tuomela, Arponen & Normi, definition 3.2).
/// Its own frame C has its origin in the centre of mass and the axes of the body.
struct BodyMotion {
  Vec3<double> x{};        ///< centre of mass in Ground [m]
  Quaternion<double> r{};  ///< turns body axes into Ground's; a unit quaternion
  Vec3<double> w{};        ///< angular velocity, in body axes [rad/s]
  Vec3<double> v{};        ///< velocity of the centre of mass, in Ground axes [m/s]
};

/// By body index of the mechanism; Ground is the first and rests.
using Bodies = std::vector<BodyMotion>;

/// In this room a vector of six about one body has the angular part in body axes and the linear part, at the centre of mass, in
/// Ground axes: velocities (w, v), small displacements (rotation [rad], shift [m]) and loads (moment, force). A row of eight
/// numbers holds one, the last two being zero, so that it fills whole vector registers.
inline constexpr int row_width = 8;

}  // namespace polhode::maximal
