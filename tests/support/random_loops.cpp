#include <algorithm>

#include "tests/support/random_classes.h"

namespace polhode::testing_support {
namespace {

/// Corners of a convex polygon of order one in the plane z = 0 of X, none of them near another.
std::vector<Vec3<double>> polygon(Sketch& s, const Transform<double>& X, int corners) {
  std::vector<Vec3<double>> p;
  for (int k = 0; k < corners; ++k) {
    const double angle = 6.2831853 * (k + s.random.uniform(-0.25, 0.25)) / corners, radius = s.random.uniform(0.5, 0.8);
    p.push_back(X * Vec3<double>{radius * std::cos(angle), radius * std::sin(angle), s.random.uniform(-0.2, 0.2)});
  }
  return p;
}

/// What loops are built on: Ground, or a body that moves.
std::string base_of(Sketch& s) {
  if (s.random.chance(0.5)) return ground_name;
  const std::string base = s.rigid(s.anywhere());
  const JointModel types[] = {Revolute{}, Ball{}, Free{}};
  s.turned_joint(types[s.random.index(3)], ground_name, base, s.random.transform(0.5));
  return base;
}

/// Bodies from the base round to the base again.
std::vector<std::string> ring(Sketch& s, const std::string& base, const std::vector<Vec3<double>>& corners) {
  std::vector<std::string> bodies{base};
  for (std::size_t k = 1; k < corners.size(); ++k) bodies.push_back(s.rigid(0.5 * (corners[k - 1] + corners[k])));
  bodies.push_back(base);
  return bodies;
}

JointModel spatial_type(Random& random) {
  const JointModel types[] = {Revolute{}, Revolute{}, Prismatic{}, Cylindrical{}, Universal{}, Ball{}, Screw{0.2}};
  return types[random.index(7)];
}
JointModel rare_type(Random& random) {
  const JointModel types[] = {Gimbal{},  SphericalCoordinates{}, BendStretch{}, Planar{},   Ellipsoid{{0.4, 0.5, 0.3}},
                              Bushing{}, Translation{},          Universal{},   Screw{0.15}};
  return types[random.index(9)];
}

/// A ring of joints in space whose freedoms are so many in all; joints are chosen until it fits.
void spatial_ring(Sketch& s, const std::string& base, int freedoms, JointModel (*type)(Random&)) {
  std::vector<JointModel> joints;
  int sum = 0;
  while (sum < freedoms) {
    JointModel next = type(s.random);
    const int left = freedoms - sum - num_speeds(next);
    if (left < 0) next = Revolute{};
    sum += num_speeds(next);
    joints.push_back(next);
  }
  while (joints.size() < 2) joints.push_back(Weld{});
  std::string last = base;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::string next = k + 1 == joints.size() ? base : s.rigid(s.anywhere());
    s.turned_joint(joints[k], last, next, s.random.transform(0.7));
    last = next;
  }
}

}  // namespace

void draw_planar_loop(Sketch& s) {
  const Transform<double> X = s.random.transform(0.5);
  const auto corners = polygon(s, X, 4 + s.random.index(3));
  const auto bodies = ring(s, base_of(s), corners);
  const int loose = s.random.chance(0.3) ? s.random.index(int(corners.size())) : -1;  // a ball takes out what is redundant
  for (int k = 0; k < int(corners.size()); ++k)
    s.on_axis(k == loose ? JointModel(Ball{}) : JointModel(Revolute{}), bodies[k], bodies[k + 1], corners[k], X.R.col[2]);
}

void draw_planar_linkage(Sketch& s) {
  const Transform<double> X = s.random.transform(0.5);
  const auto corners = polygon(s, X, 4);
  const std::string base = base_of(s);
  const auto bodies = ring(s, base, corners);
  const auto along = [&] { return X.R * Vec3<double>{s.random.uniform(-1, 1), s.random.uniform(-1, 1), 0}; };
  const auto pin = [&](const std::string& a, const std::string& b, const Vec3<double>& p) {
    s.on_axis(Revolute{}, a, b, p, X.R.col[2]);
  };
  const auto slider = [&](const std::string& a, const std::string& b, const Vec3<double>& p) {
    s.on_axis(Prismatic{}, a, b, p, normalized(along()));
  };
  const int slides = s.random.index(5);  // 4: none
  for (int k = 0; k < 4; ++k)
    slides == k ? slider(bodies[k], bodies[k + 1], corners[k]) : pin(bodies[k], bodies[k + 1], corners[k]);
  if (!s.random.chance(0.6)) return;
  // A dyad more, between two bodies of the first loop: pins, or a slider in one of its three places.
  const Vec3<double> p[] = {X * Vec3<double>{1.2, 0.3, 0}, X * Vec3<double>{0.8, 0.9, 0.1}, X * Vec3<double>{-0.3, 1.1, 0}};
  const std::string c = s.rigid(p[0]), d = s.rigid(p[2]);
  const int slide = s.random.index(4);
  const std::string ends[] = {bodies[std::size_t(1 + s.random.index(2))], c, d, s.random.chance(0.5) ? base : bodies[3]};
  for (int k = 0; k < 3; ++k) slide == k ? slider(ends[k], ends[k + 1], p[k]) : pin(ends[k], ends[k + 1], p[k]);
}

void draw_spatial_loop(Sketch& s) { spatial_ring(s, base_of(s), 7 + s.random.index(3), spatial_type); }

void draw_rare_joint_loop(Sketch& s) { spatial_ring(s, base_of(s), 8 + s.random.index(3), rare_type); }

void draw_rigid_loop(Sketch& s) {
  const std::string base = s.rigid(s.anywhere());
  s.turned_joint(s.random.chance(0.5) ? JointModel(Revolute{}) : JointModel(Ball{}), ground_name, base,
                 s.random.transform(0.5));
  if (s.random.chance(0.5)) {
    spatial_ring(s, base, 3 + s.random.index(4), spatial_type);
  } else {  // a triangle of pins
    const Transform<double> X = s.random.transform(0.5);
    const auto corners = polygon(s, X, 3);
    const auto bodies = ring(s, base, corners);
    for (int k = 0; k < 3; ++k) s.on_axis(Revolute{}, bodies[k], bodies[k + 1], corners[k], X.R.col[2]);
  }
  const std::string last = s.rigid(s.anywhere());  // and something that swings on it
  s.on_axis(Revolute{}, s.bodies()[s.bodies().size() - 2], last, s.anywhere(), s.direction());
}

void draw_rigid_slider_and_pin(Sketch& s) {
  const Transform<double> X = s.random.transform(0.5);
  const auto in_plane = [&] {
    return X * Vec3<double>{s.random.uniform(-1, 1), s.random.uniform(-1, 1), s.random.uniform(-0.2, 0.2)};
  };
  const std::string first = s.rigid(in_plane()), second = s.rigid(in_plane());
  s.on_axis(Revolute{}, ground_name, first, in_plane(), X.R.col[2]);
  s.on_axis(Prismatic{}, first, second, in_plane(), normalized(X.R * Vec3<double>{s.random.uniform(-1, 1), 1, 0}));
  s.on_axis(Revolute{}, first, second, in_plane(), X.R.col[2]);
  if (s.random.chance(0.5)) s.on_axis(Revolute{}, second, s.rigid(in_plane()), in_plane(), X.R.col[2]);
}

}  // namespace polhode::testing_support
