// Space has no direction of its own: a mechanism drawn anew with everything turned, gravity included, moves as before. In
// maximal coordinates all numbers change with the turn, and a plane of motion is no coordinate plane any more.
#include <functional>
#include <random>

#include "polhode/mechanism/builder.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// A drawing that is turned as a whole while it is made. Bodies are drawn at their centres of mass, axes along the drawing's.
class Drawing {
 public:
  explicit Drawing(const Mat3<double>& R) : R_(R) { builder.gravity = R * builder.gravity; }

  void body(const std::string& name, double mass, const Vec3<double>& at) {
    builder.add_body({.name = name, .mass = MassProperties::box(mass, {0.3, 0.2, 0.1}, {}), .drawn_pose = {R_, R_ * at}});
  }
  void joint(const std::string& name, const JointModel& model, const std::string& parent, const std::string& child,
             const Vec3<double>& at, std::optional<Vec3<double>> axis = {}) {
    if (axis) axis = R_ * *axis;
    builder.add_joint({.name = name,
                       .model = model,
                       .parent = parent,
                       .child = child,
                       .placement = DrawnPlacement{.at = R_ * at, .axis = axis}});
  }
  MechanismBuilder builder;

 private:
  Mat3<double> R_;
};

constexpr Vec3<double> y_direction{0, 1, 0};

/// Two bodies that a slider and a pin hold together are rigid: a pendulum. All of it is in the plane y = 0.
Mechanism rigid_pair(const Mat3<double>& R) {
  Drawing d(R);
  d.body("upper", 1, {0.4, 0, 0}), d.body("lower", 2, {0.9, 0, -0.3});
  d.joint("pin", Revolute{}, "ground", "upper", {0, 0, 0}, y_direction);
  d.joint("slider", Prismatic{}, "upper", "lower", {0.5, 0, 0}, Vec3<double>{2, 0, 1});
  d.joint("second pin", Revolute{}, "upper", "lower", {0.6, 0, -0.2}, y_direction);
  return d.builder.build();
}

/// A crank drives a block along a slot in a rocker.
Mechanism quick_return(const Mat3<double>& R) {
  Drawing d(R);
  d.body("crank", 1, {0.1, 0, 0}), d.body("block", 0.2, {0.2, 0, 0}), d.body("rocker", 1.5, {0.2, 0, -0.3});
  d.joint("crank pin", Revolute{}, "ground", "crank", {0, 0, 0}, y_direction);
  d.joint("block pin", Revolute{}, "crank", "block", {0.2, 0, 0}, y_direction);
  d.joint("rocker pin", Revolute{}, "ground", "rocker", {0, 0, -0.6}, y_direction);
  d.joint("slot", Prismatic{}, "rocker", "block", {0.2, 0, 0}, Vec3<double>{0.2, 0, 0.6});
  d.builder.set_initial({.coordinate = "crank pin", .speed = 6});
  return d.builder.build();
}

/// Four bars whose joints leave out what the others hold: a ball, a cylinder, and a coupler of two bodies welded together.
Mechanism ball_and_cylinder(const Mat3<double>& R) {
  Drawing d(R);
  d.body("crank", 1, {0, 0, 0.1}), d.body("coupler", 1, {0.3, 0, 0.2}), d.body("load", 0.5, {0.4, 0, 0.4});
  d.body("rocker", 1, {0.7, 0, 0.2});
  d.joint("crank pin", Revolute{}, "ground", "crank", {0, 0, 0}, y_direction);
  d.joint("ball", Ball{}, "crank", "coupler", {0, 0, 0.2});
  d.joint("weld", Weld{}, "coupler", "load", {0.4, 0, 0.3});
  d.joint("cylinder", Cylindrical{}, "coupler", "rocker", {0.7, 0, 0.4}, y_direction);
  d.joint("rocker pin", Revolute{}, "ground", "rocker", {0.7, 0, 0}, y_direction);
  d.builder.set_initial({.coordinate = "crank pin", .speed = 3});
  return d.builder.build();
}

/// In no plane: a pin across a slider, a universal joint and a ball.
Mechanism spatial_chain(const Mat3<double>& R) {
  Drawing d(R);
  d.body("arm", 1, {0.3, 0, 0}), d.body("sledge", 0.5, {0.6, 0.2, 0}), d.body("hand", 0.7, {0.9, 0.2, 0.1});
  d.joint("pin", Revolute{}, "ground", "arm", {0, 0, 0}, Vec3<double>{1, 2, 2});
  d.joint("slider", Prismatic{}, "arm", "sledge", {0.5, 0, 0}, Vec3<double>{1, 1, 0});
  d.joint("ball", Ball{}, "sledge", "hand", {0.7, 0.2, 0});
  d.builder.add_force({CoordinateSpringSpec{"slider", 200, 0}});
  d.builder.set_initial({.coordinate = "pin", .speed = 2});
  return d.builder.build();
}

struct Case {
  const char* name;
  std::function<Mechanism(const Mat3<double>&)> draw;
};
const Case cases[] = {{"rigid pair", rigid_pair},
                      {"quick return", quick_return},
                      {"ball and cylinder", ball_and_cylinder},
                      {"spatial chain", spatial_chain}};

constexpr double time = 0.5;

/// Energies and poses at half time and at the end, as the drawing that was turned by R sees them.
std::vector<double> motion_of(const Case& c, const Mat3<double>& R, SimulateOptions options) {
  std::vector<double> numbers;
  options.interval = time / 2;
  run(start_of(c.draw(R)), options, [&](const State& state) {
    State at = state;
    tree::realize(at, Stage::velocity);
    numbers.push_back(at.energy());
    for (int b = 1; b < at.mechanism().num_bodies(); ++b) {
      const Transform<double>& X = at.pose(b);
      const Mat3<double> seen = transpose(R) * X.R;
      for (const Vec3<double>& v : {seen.col[0], seen.col[1], seen.col[2], transpose_times(R, X.p)})
        numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
  });
  return numbers;
}

void expect_the_same_when_turned(const SimulateOptions& options, double tolerance) {
  std::mt19937 random(15);
  std::normal_distribution<double> normal;
  for (const Case& c : cases) {
    const std::vector<double> upright = motion_of(c, Mat3<double>::identity(), options);
    for (int turn = 0; turn < 12; ++turn) {
      const Mat3<double> R =
          rotation(normalized(Quaternion<double>{normal(random), normal(random), normal(random), normal(random)}));
      const std::vector<double> turned = motion_of(c, R, options);
      ASSERT_EQ(turned.size(), upright.size());
      for (std::size_t i = 0; i < turned.size(); ++i)
        EXPECT_NEAR(turned[i], upright[i], tolerance) << c.name << ", turn " << turn << ", number " << i;
    }
  }
}

// The error allowed in a step is 1e-9 of positions and velocities, which depend on directions, and so do the steps chosen.
// There are less than a thousand; for half a second errors grow by less than ten.
TEST(Rotation, OfAWholeMechanismChangesNothingByMaximalProjected) {
  expect_the_same_when_turned({.method = "maximal-projected", .time = time, .options = {{"accuracy", 1e-9}}}, 1e-5);
}
TEST(Rotation, OfAWholeMechanismChangesNothingByTreeProjected) {
  expect_the_same_when_turned({.method = "tree-projected", .time = time, .options = {{"accuracy", 1e-9}}}, 1e-5);
}
// The discrete equations are the same in all directions, and solved to 1e-12 [m], [rad] in each of 250 steps: velocities then
// are off by 1e-12/h = 5e-10, energies of some ten joules by ten times as much at the worst, and errors grow by ten.
TEST(Rotation, OfAWholeMechanismChangesNothingByMaximalVariational) {
  expect_the_same_when_turned({.method = "maximal-variational", .time = time, .dt = 0.002, .options = {{"tolerance", 1e-12}}},
                              1e-7);
}
TEST(Rotation, OfAWholeMechanismChangesNothingByTreeVariational) {
  expect_the_same_when_turned({.method = "tree-variational", .time = time, .dt = 0.002, .options = {{"tolerance", 1e-12}}},
                              1e-7);
}

}  // namespace
}  // namespace polhode::study
