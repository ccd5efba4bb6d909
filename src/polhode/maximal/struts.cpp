#include "polhode/maximal/struts.h"

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

Struts::Struts(const Mechanism& mechanism)
    : map_(mechanism), X_WC_(std::size_t(mechanism.num_bodies())), V_WC_(std::size_t(mechanism.num_bodies())) {
  const polhode::Forces& f = map_.mechanism().forces();
  for (const auto& d : f.coordinate_dampings) add_on_coordinate(d.u, -1, {.damping = d.damping, .quadratic = d.quadratic});
  for (const auto& s : f.coordinate_springs) add_on_coordinate(s.u, s.q, {.stiffness = s.stiffness, .rest = s.rest});
  for (const auto& s : f.nonlinear_coordinate_springs) add_on_coordinate(s.u, s.q, {.rest = s.rest, .law = &s.law});
  for (const auto& s : f.point_springs)
    add_between(s.frame_a, s.frame_b, {.stiffness = s.stiffness, .rest = s.rest, .damping = s.damping});
  for (const auto& s : f.nonlinear_springs)
    add_between(s.frame_a, s.frame_b, {.rest = s.rest, .damping = s.damping, .law = &s.law});
}

Struts::Stiffness Struts::Tension::at(double x, double rate) const {
  return {law != nullptr ? law->stiffness(x - rest) : stiffness, damping + 2 * quadratic * std::abs(rate)};
}

void Struts::add_on_coordinate(int u, int q, const Tension& tension) {
  for (const JointCoordinates& joint : map_.joints()) {
    const int k = u - joint.joint().first_u;
    if (k < 0 || k >= joint.joint().nu) continue;
    const int parent = joint.parent(), child = joint.body();
    on_coordinates_.push_back({{joint, {parent, joint.X_CF(), parent == 0 ? -1 : 0}, {child, joint.X_CM(), row_width}},
                               k,
                               q < 0 ? -1 : q - joint.joint().first_q,
                               tension});
    sides_.insert(sides_.begin() + (long(on_coordinates_.size()) - 1), {parent, child});
  }
}

void Struts::add_between(int frame_a, int frame_b, const Tension& tension) {
  const Place a = place_of(map_.mechanism(), frame_a, 0), b = place_of(map_.mechanism(), frame_b, row_width);
  if (a.body == b.body) return;  // its length never changes
  between_frames_.push_back({a, b, tension});
  sides_.push_back({a.body, b.body});
}

void Struts::evaluate(const Bodies& at, std::span<const double> near, std::span<double> rows, std::span<Stiffness> stiffness) {
  for (std::size_t b = 0; b < at.size(); ++b) {
    X_WC_[b] = pose_of(at[b]);
    V_WC_[b] = velocity_of(at[b], X_WC_[b].R);
  }
  std::fill(rows.begin(), rows.end(), 0.0);
  double* row = rows.data();
  Stiffness* slope = stiffness.data();
  for (const OnCoordinate& strut : on_coordinates_) {
    const JointSite::Reading reading = strut.site.read(X_WC_, near);
    double u[JointCoordinates::most_speeds];
    strut.site.speeds(reading, X_WC_, V_WC_, u);
    strut.site.add_derivatives(reading, X_WC_, strut.k, 1, 0, row);
    *slope++ = strut.tension.at(strut.q < 0 ? 0 : reading.q[strut.q], u[strut.k]);
    row += 2 * row_width;
  }
  for (const BetweenFrames& strut : between_frames_) {
    const Vec3<double> p_a = strut.a.pose(X_WC_).p, p_b = strut.b.pose(X_WC_).p;
    const double length = norm(p_b - p_a);
    *slope++ = length > 0 ? strut.tension.at(length, 0) : Stiffness{0, 0};
    const Vec3<double> d = length > 0 ? (1 / length) * (p_b - p_a) : Vec3<double>{};
    const auto add = [&](const Place& place, const Vec3<double>& p, double sign) {
      if (place.first_value < 0) return;
      add_load(X_WC_[std::size_t(place.body)].R, p - X_WC_[std::size_t(place.body)].p, {{}, sign * d}, row + place.first_value);
    };
    add(strut.a, p_a, -1), add(strut.b, p_b, 1);
    row += 2 * row_width;
  }
}

}  // namespace polhode::maximal
