#include <cmath>

#include "tests/support/random_classes.h"

namespace polhode::testing_support {
namespace {

std::string base_of(Sketch& s) {
  if (s.random.chance(0.5)) return ground_name;
  const std::string base = s.rigid(s.anywhere());
  s.turned_joint(s.random.chance(0.5) ? JointModel(Revolute{}) : JointModel(Ball{}), ground_name, base,
                 s.random.transform(0.5));
  return base;
}

struct Axis {
  Vec3<double> p, direction;
};

/// Bodies from the base round to the base again, with a hinge on each of these axes.
void hinge_ring(Sketch& s, const std::vector<Axis>& axes) {
  const std::string base = base_of(s);
  std::string last = base;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string next = k + 1 == axes.size() ? base : s.rigid(axes[k].p + s.random.vec3(0.3));
    s.on_axis(Revolute{}, last, next, axes[k].p + s.random.uniform(-0.3, 0.3) * axes[k].direction, axes[k].direction);
    last = next;
  }
}

}  // namespace

void draw_door(Sketch& s) {
  const std::string base = base_of(s), door = s.rigid(s.anywhere());
  const Vec3<double> p = s.anywhere(), axis = s.direction();
  s.on_axis(Revolute{}, base, door, p, axis);
  const auto along = [&](double distance) { return p + distance * axis; };
  const JointModel second[] = {Revolute{}, Revolute{}, Cylindrical{}, Ball{}};
  s.on_axis(second[s.random.index(4)], base, door, along(s.random.uniform(0.3, 0.8)), axis);
  if (s.random.chance(0.3)) s.on_axis(Revolute{}, base, door, along(-s.random.uniform(0.3, 0.8)), axis);
  if (s.random.chance(0.5)) s.on_axis(Revolute{}, door, s.rigid(s.anywhere()), s.anywhere(), s.direction());
}

void draw_parallelogram(Sketch& s) {
  const std::string base = base_of(s), coupler = s.rigid(s.anywhere());
  const Vec3<double> axis = s.direction();
  const Vec3<double> bar = s.random.uniform(0.5, 1) * normalized(cross(axis, s.direction()));
  const Vec3<double> along = normalized(bar), across = cross(axis, along);
  for (int k = 2 + s.random.index(2); k >= 0; --k) {  // three or four bars, none in line with another
    const Vec3<double> foot = (0.6 * k + s.random.uniform(-0.1, 0.1)) * across + s.random.uniform(-0.2, 0.2) * along +
                              s.random.uniform(-0.3, 0.3) * axis;
    const std::string link = s.rigid(foot + 0.5 * bar);
    s.on_axis(Revolute{}, base, link, foot, axis);
    s.on_axis(Revolute{}, link, coupler, foot + bar, axis);
  }
}

/// Links a, b, a, b with twists alpha, beta, alpha, beta and a sin(beta) = b sin(alpha): four skew hinges that move all the
/// same.
void draw_bennett(Sketch& s) {
  const double alpha = s.random.uniform(0.4, 1.0), beta = s.random.uniform(1.2, 1.6), a = s.random.uniform(0.4, 0.8);
  const double b = a * std::sin(beta) / std::sin(alpha), theta = s.random.uniform(0.6, 2.2);
  const double phi = 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(theta / 2));
  const double angles[] = {theta, phi, -theta, -phi}, lengths[] = {a, b, a, b}, twists[] = {alpha, beta, alpha, beta};
  Transform<double> X = s.random.transform(0.5);
  std::vector<Axis> axes;
  for (int k = 0; k < 4; ++k) {
    axes.push_back({X.p, X.R.col[2]});
    X = X * Transform<double>{rotation_z(angles[k]), {}} * Transform<double>{rotation_x(twists[k]), {lengths[k], 0, 0}};
  }
  hinge_ring(s, axes);
}

/// Six hinges that a half turn about a line takes to each other: Bricard's line-symmetric linkage.
void draw_bricard(Sketch& s) {
  const Transform<double> X = s.random.transform(0.5);
  std::vector<Axis> axes;
  for (int k = 0; k < 3; ++k) {
    const double angle = 1.05 * k + s.random.uniform(-0.2, 0.2);
    axes.push_back(
        {X * Vec3<double>{0.8 * std::cos(angle), 0.8 * std::sin(angle), s.random.uniform(-0.3, 0.3)}, s.direction()});
  }
  const Transform<double> half_turn = X * Transform<double>{rotation_z(3.14159265358979323846), {}} * inverse(X);
  for (int k = 0; k < 3; ++k) axes.push_back({half_turn * axes[k].p, half_turn.R * axes[k].direction});
  hinge_ring(s, axes);
}

/// Three hinges along one direction, three along another: the platform between them moves along a line.
void draw_sarrus(Sketch& s) {
  const Transform<double> X = s.random.transform(0.5);
  const Vec3<double> first = X.R.col[0], second = X.R * Vec3<double>{s.random.uniform(-0.5, 0.5), 1, 0};
  std::vector<Axis> axes;
  for (int k = 0; k < 6; ++k) {
    const double height = k < 3 ? 0.4 * k : 0.4 * (5 - k), out = k == 1 || k == 4 ? 0.9 : 0.5;
    const Vec3<double> p = out * (k < 3 ? X.R.col[1] : X.R.col[0]) + height * X.R.col[2] + s.random.vec3(0.1);
    axes.push_back({p, normalized(k < 3 ? first : second)});
  }
  hinge_ring(s, axes);
}

}  // namespace polhode::testing_support
