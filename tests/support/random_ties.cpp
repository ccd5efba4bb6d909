#include <algorithm>
#include <cmath>

#include "tests/support/random_classes.h"

namespace polhode::testing_support {
namespace {

/// Two bodies of a tree, different ones, or a body and Ground.
std::pair<std::string, std::string> two_bodies(Sketch& s, const std::vector<std::string>& bodies) {
  const int a = s.random.index(int(bodies.size())), b = s.random.index(int(bodies.size()));
  return {a == b ? ground_name : bodies[std::size_t(a)], bodies[std::size_t(b)]};
}

/// Some bodies of which a few hang on nothing.
std::vector<std::string> some_bodies(Sketch& s) {
  std::vector<std::string> bodies = draw_branches(s, 1 + s.random.index(3));
  for (int k = s.random.index(3); k > 0; --k) bodies.push_back(s.rigid(s.anywhere()));
  return bodies;
}

/// A few bodies, each on a hinge or a slider; the joints' names. Their coordinates may be tied.
std::vector<std::string> scalar_joints(Sketch& s, int count, const JointModel& model, const std::vector<double>& q = {}) {
  std::vector<std::string> joints;
  std::string last = ground_name;
  for (int k = 0; k < count; ++k) {
    const std::string child = s.rigid(s.anywhere()), parent = s.random.chance(0.5) ? last : ground_name;
    const Transform<double> X = s.random.transform(0.7);
    joints.push_back(q.empty() ? s.turned_joint(model, parent, child, X) : s.joint(model, parent, child, X, q));
    last = child;
  }
  return joints;
}

}  // namespace

void draw_rods(Sketch& s) {
  const auto bodies = some_bodies(s);
  for (int k = 1 + s.random.index(3); k > 0; --k) {
    const auto [a, b] = two_bodies(s, bodies);
    const Vec3<double> p = s.anywhere();
    s.wire(s.frame(a, p), s.frame(b, p + s.random.uniform(0.4, 1) * s.direction()));
  }
}

void draw_points(Sketch& s) {
  const auto bodies = some_bodies(s);
  for (int k = 1 + s.random.index(2); k > 0; --k) {
    const auto [a, b] = two_bodies(s, bodies);
    const Transform<double> X = s.random.transform(0.7);
    switch (s.random.index(3)) {
      case 0: s.constrain({"", CoincidentPointsSpec{s.frame(a, X.p), s.frame(b, X.p)}}); break;
      case 1: s.constrain({"", CoincidentFramesSpec{s.frame(a, X), s.frame(b, X)}}); break;
      default: {
        const Vec3<double> d = s.direction(), q = X.p + s.random.uniform(0.2, 0.6) * normalized(cross(d, s.direction()));
        s.constrain({"", PointConstraintSpec{s.frame(a, X.p), s.frame(b, q), d}});
      }
    }
  }
}

void draw_points_on_surfaces(Sketch& s) {
  const auto bodies = some_bodies(s);
  for (int k = 1 + s.random.index(2); k > 0; --k) {
    const auto [a, b] = two_bodies(s, bodies);
    const Transform<double> X = s.random.transform(0.7);
    const double x = s.random.uniform(-0.5, 0.5), y = s.random.uniform(-0.5, 0.5);
    const std::string frame = s.frame(a, X);
    switch (s.random.index(3)) {
      case 0: s.constrain({"", PointInPlaneSpec{frame, s.frame(b, X * Vec3<double>{x, y, 0}), {0, 0, 2}}}); break;
      case 1: s.constrain({"", PointOnLineSpec{frame, s.frame(b, X * Vec3<double>{x, 2 * x, 0}), {1, 2, 0}}}); break;
      default: {
        const double r = 0.4 + std::abs(y);
        s.constrain(
            {"", PointOnCylinderSpec{frame, s.frame(b, X * Vec3<double>{r * std::cos(9 * x), r * std::sin(9 * x), x}), r}});
      }
    }
  }
}

void draw_angles(Sketch& s) {
  const auto bodies = some_bodies(s);
  for (int k = 1 + s.random.index(2); k > 0; --k) {
    const auto [a, b] = two_bodies(s, bodies);
    const Transform<double> X = s.random.transform(0.7), Y{s.random.rotation(), X.p};
    if (s.random.chance(0.35)) {
      s.constrain({"", ConstantOrientationSpec{s.frame(a, X), s.frame(b, {X.R, s.anywhere()})}});
    } else {  // two directions, far enough from parallel
      const Vec3<double> d = s.direction(),
                         e = normalized(s.random.uniform(-0.7, 0.7) * d + normalized(cross(d, s.direction())));
      const double angle = std::atan2(norm(cross(d, e)), dot(d, e));
      s.constrain(
          {"", ConstantAngleSpec{s.frame(a, X), s.frame(b, Y), transpose_times(X.R, d), transpose_times(Y.R, e), angle}});
    }
  }
}

void draw_couplers(Sketch& s) {
  const auto joints = scalar_joints(s, 2 + s.random.index(3), Revolute{});
  const auto at = [&](const std::string& joint) { return s.coordinates(joint)[0]; };
  std::vector<CouplerSpec::Term> terms;
  double sum = 0;
  for (const std::string& joint : joints) {
    terms.push_back({joint, s.random.uniform(0.3, 2) * (s.random.chance(0.5) ? 1 : -1)});
    sum += terms.back().coefficient * at(joint);
  }
  s.constrain({"", CouplerSpec{terms, sum}});
  if (joints.size() > 2 && s.random.chance(0.5)) {
    const double ratio = at(joints[1]) / at(joints[0]);
    if (std::abs(ratio) > 0.2 && std::abs(ratio) < 5) s.constrain({"", GearSpec{joints[0], joints[1], ratio}});
  }
  if (joints.size() > 3 && s.random.chance(0.3)) s.constrain({"", ConstantCoordinateSpec{joints[3], at(joints[3])}});
}

/// Followers of one leader, each by a function that is right in the drawing.
void draw_cams(Sketch& s) {
  const double angle = s.random.uniform(-1, 1);
  const std::string leader = scalar_joints(s, 1, Revolute{}, {angle})[0];
  for (int k = 1 + s.random.index(2); k > 0; --k) {
    const double amplitude = s.random.uniform(0.1, 0.4), frequency = s.random.uniform(0.7, 2), phase = s.random.uniform(-1, 1);
    const Curve shapes[] = {
        Curve::sine(amplitude, frequency, phase),
        Curve::polynomial({s.random.uniform(-0.3, 0.3), s.random.uniform(-0.8, 0.8), s.random.uniform(-0.3, 0.3)})};
    const Curve& function = shapes[s.random.index(2)];
    const double here = function.at(angle).value;
    const JointModel type = s.random.chance(0.5) ? JointModel(Prismatic{}) : JointModel(Revolute{});
    const std::string follower = scalar_joints(s, 1, type, {here})[0];
    s.constrain({"", FunctionCouplerSpec{follower, leader, function}});
  }
}

void draw_screws(Sketch& s) {
  const double lead = s.random.uniform(0.1, 0.4), turn = s.random.uniform(-1, 1);
  const auto turns = scalar_joints(s, 1 + s.random.index(2), Revolute{}, {turn});
  const auto slides = scalar_joints(s, int(turns.size()), Prismatic{}, {lead * turn});
  for (std::size_t k = 0; k < turns.size(); ++k) s.constrain({"", ScrewSpec{turns[k], slides[k], lead}});
  const std::string carrier = s.any_body(), nut = s.rigid(s.anywhere());
  s.on_axis(Screw{s.random.uniform(0.1, 0.3)}, carrier, nut, s.anywhere(), s.direction());
}

void draw_rolling(Sketch& s) {
  // A plane under which gravity pulls, tilted a little.
  const Vec3<double> up = normalized(normalized(-1.0 * s.builder.gravity) + s.random.vec3(0.2));
  const Transform<double> X = frame_along(s.random, s.anywhere(), up);
  const std::string plane = s.frame(ground_name, X);
  const double radius = s.random.uniform(0.3, 0.6);
  if (s.random.chance(0.5)) {
    const double lean = s.random.uniform(1.0, 2.1);  // of the axle from the normal
    const Vec3<double> axle = rotation_x(lean).col[2],
                       centre{s.random.uniform(-1, 1), s.random.uniform(-1, 1), radius * std::sin(lean)};
    const std::string wheel = s.body(X * frame_along(s.random, centre, axle), random_box(s.random));
    const Transform<double> hub = s.pose(wheel);
    s.constrain({"", RollingDiskSpec{s.frame(wheel, hub), plane, radius}});
  } else {
    const std::string ball = s.rigid(X * Vec3<double>{s.random.uniform(-1, 1), s.random.uniform(-1, 1), radius});
    s.constrain({"", RollingBallSpec{s.frame(ball, s.pose(ball).p), plane, radius}});
  }
  s.time = 0.2;
  if (s.random.chance(0.6)) {
    const std::string carrier = s.any_body();  // before there is the other one: arguments come in no fixed order
    s.on_axis(Revolute{}, carrier, s.rigid(s.anywhere()), s.anywhere(), s.direction());
  }
}

void draw_no_slip(Sketch& s) {
  const std::string sled = s.rigid(s.anywhere());
  const Transform<double> X = s.random.transform(0.5);
  s.turned_joint(Planar{}, ground_name, sled, X);
  const std::string blade = s.frame(sled, {X.R, s.anywhere()});
  s.constrain({"", NoSlipSpec{blade, s.frame(ground_name, X), blade, {s.random.uniform(-1, 1), 1, 0}}});
  if (s.random.chance(0.6)) {
    const std::string one = s.rigid(s.anywhere()), other = s.rigid(s.anywhere());
    const std::string a = s.on_axis(Revolute{}, sled, one, s.anywhere(), s.direction());
    const std::string b = s.on_axis(Revolute{}, one, other, s.anywhere(), s.direction());
    s.constrain({"", SpeedCouplerSpec{{{a, s.random.uniform(0.5, 2)}, {b, -s.random.uniform(0.5, 2)}}, 0}});
  }
}

}  // namespace polhode::testing_support
