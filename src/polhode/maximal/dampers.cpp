#include "polhode/maximal/dampers.h"

#include <algorithm>
#include <cmath>

#include "polhode/maximal/row_places.h"

namespace polhode::maximal {
namespace {

/// A frame of the mechanism, in its body's own frame C.
Place place_of(const Mechanism& mechanism, int frame, int first_value) {
  const Frame& f = mechanism.frames()[std::size_t(frame)];
  Transform<double> X_CF = f.X_BF;
  X_CF.p -= mechanism.bodies()[std::size_t(f.body)].mass.com;
  return {f.body, X_CF, f.body == 0 ? -1 : first_value};
}

}  // namespace

Dampers::Dampers(const Mechanism& mechanism)
    : map_(mechanism), X_WC_(std::size_t(mechanism.num_bodies())), V_WC_(std::size_t(mechanism.num_bodies())) {
  for (const CoordinateDamping& f : mechanism.forces().coordinate_dampings)
    for (const JointCoordinates& joint : map_.joints()) {
      const int k = f.u - joint.joint().first_u;
      if (k < 0 || k >= joint.joint().nu) continue;
      const int parent = joint.parent(), child = joint.body();
      on_coordinates_.push_back(
          {{joint, {parent, joint.X_CF(), parent == 0 ? -1 : 0}, {child, joint.X_CM(), row_width}}, k, f.damping, f.quadratic});
      sides_.push_back({parent, child});
    }
  const auto add_springs = [&](const auto& springs) {
    for (const auto& spring : springs) {
      if (spring.damping == 0) continue;
      const Place a = place_of(mechanism, spring.frame_a, 0), b = place_of(mechanism, spring.frame_b, row_width);
      if (a.body == b.body) continue;  // its length never changes
      along_springs_.push_back({a, b, spring.damping});
      sides_.push_back({a.body, b.body});
    }
  };
  add_springs(mechanism.forces().point_springs);
  add_springs(mechanism.forces().nonlinear_springs);
}

void Dampers::evaluate(const Bodies& at, std::span<const double> near, std::span<double> rows, std::span<double> coefficients) {
  for (std::size_t b = 0; b < at.size(); ++b) {
    X_WC_[b] = pose_of(at[b]);
    V_WC_[b] = velocity_of(at[b], X_WC_[b].R);
  }
  std::fill(rows.begin(), rows.end(), 0.0);
  double *row = rows.data(), *c = coefficients.data();
  for (const OnCoordinate& damper : on_coordinates_) {
    const JointSite::Reading reading = damper.site.read(X_WC_, near);
    double u[JointCoordinates::most_speeds];
    damper.site.speeds(reading, X_WC_, V_WC_, u);
    damper.site.add_derivatives(reading, X_WC_, damper.k, 1, 0, row);
    *c++ = damper.damping + 2 * damper.quadratic * std::abs(u[damper.k]);
    row += 2 * row_width;
  }
  for (const AlongSpring& damper : along_springs_) {
    const Vec3<double> p_a = damper.a.pose(X_WC_).p, p_b = damper.b.pose(X_WC_).p;
    const double length = norm(p_b - p_a);
    *c++ = length > 0 ? damper.damping : 0;
    const Vec3<double> d = length > 0 ? (1 / length) * (p_b - p_a) : Vec3<double>{};
    const auto add = [&](const Place& place, const Vec3<double>& p, double sign) {
      if (place.first_value < 0) return;
      add_load(X_WC_[std::size_t(place.body)].R, p - X_WC_[std::size_t(place.body)].p, {{}, sign * d}, row + place.first_value);
    };
    add(damper.a, p_a, -1), add(damper.b, p_b, 1);
    row += 2 * row_width;
  }
}

}  // namespace polhode::maximal
