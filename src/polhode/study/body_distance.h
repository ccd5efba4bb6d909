#pragma once
#include <span>
#include <vector>

#include "polhode/state/state.h"

/// How far two configurations of one mechanism are apart, in metres.
namespace polhode::study {

struct Distance {
  double length = 0;  ///< [m]
  double angle = 0;   ///< largest angle between the two orientations of a body that has mass [rad]
};

/// The root mean square distance between the places of a body's matter, of the body for which it is largest:
///
///   d^2 = |c_1 - c_2|^2 + tr((R_1 - R_2) S (R_1 - R_2)^T) / m,   S = tr(J)/2 - J the second moments about the centre c.
///
/// So a body that turns in place counts by its own extent, and turning a line about itself, or a particle, by nothing. Bodies
/// without mass are left out, unless no body has any; then it is the distance between the bodies' origins.
class BodyDistance {
 public:
  explicit BodyDistance(const Mechanism& mechanism);
  Distance operator()(std::span<const Transform<double>> a, std::span<const Transform<double>> b) const;

 private:
  struct Matter {
    int body;
    Vec3<double> com;     ///< [m]
    Mat3<double> second;  ///< S/m [m^2]
  };
  std::vector<Matter> matter_;
};

/// The poses of all bodies, of a state that is realized to position.
std::vector<Transform<double>> body_poses(const State& state);

/// The diagonal of the box, along Ground's axes, around all joints, frames on bodies and bodies (each with its radius of
/// gyration) in this state, realized to position [m]. Ground itself counts only where a joint or a constraint holds on to it.
double size_of(const State& state);

}  // namespace polhode::study
