#include "measure.h"

#include <algorithm>

namespace polhode::bench {
namespace {

constexpr double pi = 3.14159265358979323846;

double weighted_square(const Triple& weights, const Triple& a) {
  return weights[0] * a[0] * a[0] + weights[1] * a[1] * a[1] + weights[2] * a[2] * a[2];
}

Triple point_of(const Problem& problem, const std::vector<BodyState>& bodies, int link, const Triple& p) {
  if (link == world) return p;
  return bodies[link].centre + rotated(bodies[link].R, p - problem.links[link].centre);
}

Rotation axes_of(const std::vector<BodyState>& bodies, int link) { return link == world ? no_turn : bodies[link].R; }

/// Two unit vectors perpendicular to a unit vector and to each other.
std::array<Triple, 2> across(const Triple& a) {
  const Triple other = std::abs(a[0]) < 0.6 ? Triple{1, 0, 0} : Triple{0, 1, 0};
  Triple b = cross(a, other);
  b = (1 / length(b)) * b;
  return {b, cross(a, b)};
}

double angle_between(const Triple& a, const Triple& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

/// The rotation vector of a small rotation, its length being exact enough for any.
double angle_of(const Rotation& R) {
  const Triple twice_sine{R[7] - R[5], R[2] - R[6], R[3] - R[1]};
  return std::atan2(length(twice_sine), R[0] + R[4] + R[8] - 1);
}

class Joints {
 public:
  Joints(const Problem& problem, const std::vector<BodyState>& bodies) : problem_(problem), bodies_(bodies) {}

  /// What joint i lets go wrong, into the reading.
  void check(int i, Reading& reading) const {
    const Link& link = problem_.links[i];
    if (link.joint == JointKind::free) return;
    Triple off = point_of(problem_, bodies_, i, {}) - point_of(problem_, bodies_, link.parent, link.joint_at);
    const Rotation at_zero = axes_of(bodies_, link.parent) * link.zero;
    const Rotation& R = bodies_[i].R;
    const Triple axis = rotated(at_zero, link.axis);  // as the parent carries it
    double tilt = 0;
    switch (link.joint) {
      case JointKind::hinge: tilt = angle_between(axis, rotated(R, link.axis)); break;
      case JointKind::slide:
        off = off - dot(off, axis) * axis;
        tilt = angle_of(at_zero_to(R, at_zero));
        break;
      case JointKind::universal: tilt = std::abs(std::asin(std::clamp(dot(axis, rotated(R, link.axis2)), -1.0, 1.0))); break;
      case JointKind::ball:
      case JointKind::free: break;
    }
    reading.gap = std::max(reading.gap, length(off));
    reading.tilt = std::max(reading.tilt, tilt);
  }

  /// Of a hinge or slide, a hinge's between -pi and pi.
  double coordinate(int i) const {
    const Link& link = problem_.links[i];
    const Rotation at_zero = axes_of(bodies_, link.parent) * link.zero;
    if (link.joint == JointKind::slide) {
      return dot(point_of(problem_, bodies_, i, {}) - point_of(problem_, bodies_, link.parent, link.joint_at),
                 rotated(at_zero, link.axis));
    }
    const auto [b, c] = across(link.axis);
    const Triple turned = rotated_back(at_zero, rotated(bodies_[i].R, b));
    return std::atan2(dot(turned, c), dot(turned, b));
  }

 private:
  static Rotation at_zero_to(const Rotation& R, const Rotation& at_zero) {
    Rotation back{};
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) back[3 * row + column] = at_zero[3 * column + row];
    }
    return back * R;
  }

  const Problem& problem_;
  const std::vector<BodyState>& bodies_;
};

void check(const Problem& problem, const std::vector<BodyState>& bodies, const Closure& closure, double t, Reading& reading) {
  Triple b = point_of(problem, bodies, closure.link_b, closure.p_b), hook_velocity;
  if (closure.hook) closure.hook(t, b, hook_velocity);
  const Triple off = b - point_of(problem, bodies, closure.link_a, closure.p_a);
  const Rotation A = axes_of(bodies, closure.link_a), B = axes_of(bodies, closure.link_b);
  const Triple y{0, 1, 0};
  double gap = length(off);
  switch (closure.kind) {
    case Closure::Kind::planar: {
      const Triple in_a = rotated_back(A, off);
      gap = std::hypot(in_a[0], in_a[2]);
      break;
    }
    case Closure::Kind::pin: reading.tilt = std::max(reading.tilt, angle_between(rotated(A, y), rotated(B, y))); break;
    case Closure::Kind::rod: gap = std::abs(length(off) - closure.length); break;
    case Closure::Kind::point: break;
  }
  reading.gap = std::max(reading.gap, gap);
}

bool has_potential(const Link& link) { return link.drive != 0 || link.has_spring(); }

double potential(const Link& link, double coordinate) {
  const double x = coordinate - link.rest;
  return x * x * (link.stiffness[0] / 2 + x * (link.stiffness[1] / 3 + x * link.stiffness[2] / 4)) - link.drive * coordinate;
}

}  // namespace

Momenta momenta_of(const Problem& problem, const std::vector<BodyState>& bodies) {
  Momenta momenta;
  double mass = 0;
  Triple weighted_centre{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = problem.links[i];
    const BodyState& body = bodies[i];
    const Triple momentum = link.mass * body.velocity, omega = rotated_back(body.R, body.omega);
    const Triple own{link.inertia[0] * omega[0], link.inertia[1] * omega[1], link.inertia[2] * omega[2]};
    momenta.linear = momenta.linear + momentum;
    momenta.spin = momenta.spin + cross(body.centre, momentum) + rotated(body.R, own);
    mass += link.mass;
    weighted_centre = weighted_centre + link.mass * body.centre;
  }
  momenta.spin = momenta.spin - cross((1 / mass) * weighted_centre, momenta.linear);
  return momenta;
}

Meter::Meter(const Problem& problem) : problem_(problem) {
  for (const Link& link : problem.links) coordinates_.push_back(link.q[0]);
}

void Meter::follow_coordinates(const std::vector<BodyState>& bodies) {
  const Joints joints(problem_, bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = problem_.links[i];
    if (!has_potential(link)) continue;
    const double now = joints.coordinate(int(i));
    coordinates_[i] = link.joint == JointKind::slide ? now : coordinates_[i] + std::remainder(now - coordinates_[i], 2 * pi);
  }
}

Reading Meter::read(double t, const std::vector<BodyState>& bodies) {
  follow_coordinates(bodies);
  const Joints joints(problem_, bodies);
  Reading reading;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = problem_.links[i];
    const BodyState& body = bodies[i];
    reading.energy += link.mass * dot(body.velocity, body.velocity) / 2 - link.mass * dot(problem_.gravity, body.centre) +
                      weighted_square(link.inertia, rotated_back(body.R, body.omega)) / 2;
    if (has_potential(link)) reading.energy += potential(link, coordinates_[i]);
    joints.check(int(i), reading);
  }
  for (const Closure& closure : problem_.closures) check(problem_, bodies, closure, t, reading);
  return reading;
}

}  // namespace polhode::bench
