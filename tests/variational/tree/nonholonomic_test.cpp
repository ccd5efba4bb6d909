// Constraints on velocities: discrete Lagrange-d'Alembert.
#include "polhode/projected/tree/make_integrator.h"
#include "tests/support/allocation_counter.h"
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

using testing_support::near;
using testing_support::numbers;

/// A ball with its mass off the centre rolls on a board that swings on a pin; an arm hangs on the ball.
State ball_on_a_board() {
  MechanismBuilder builder;
  builder.add_body({.name = "board", .mass = transformed(at(0.1, 0, -0.3), MassProperties::box(3, {0.8, 0.8, 0.1}))});
  const Transform<double> level{{{Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {}};  // the pin's axis is y
  builder.add_joint({.name = "hinge", .model = Revolute{}, .child = "board", .placement = LocalPlacement{level, level}});
  builder.add_body({.name = "ball", .mass = transformed(at(0.03, 0.02, 0.04), MassProperties::box(1, {0.2, 0.25, 0.3}))});
  builder.add_joint({.name = "free", .model = Free{}, .child = "ball"});
  builder.add_body({.name = "arm", .mass = transformed(at(0, 0.1, 0.1), MassProperties::box(0.2, {0.1, 0.2, 0.1}))});
  builder.add_joint(
      {.name = "wrist", .model = Ball{}, .parent = "ball", .child = "arm", .placement = LocalPlacement{at(0, 0.1, 0), {}}});
  builder.add_constraint({.name = {}, .model = RollingBallSpec{"ball", "board", 0.25}});
  builder.set_initial({.coordinate = "free.z", .value = 0.25});
  builder.set_initial({.coordinate = "free.wx", .speed = 2});
  builder.set_initial({.coordinate = "free.wz", .speed = 1.5});
  builder.set_initial({.coordinate = "wrist.wy", .speed = 3});
  builder.set_initial({.coordinate = "hinge", .speed = 0.7});
  State start = tree::initial_state(builder.build());
  EXPECT_TRUE(tree::assemble(start, tree::given_by_model(start.mechanism())).assembled);
  return start;
}

void expect_order(const State& start, double t, double step, int order, double slack, const std::string& what) {
  const std::vector<double> exact = exact_motion(start, t);
  const auto error = [&](double h) {
    return largest_difference(body_motion(end_of_run(start, t, TreeVariationalOptions{.step = h, .order = order})), exact);
  };
  const double coarse = error(step), fine = error(step / 2);
  EXPECT_NEAR(coarse / fine, std::ldexp(1, order), slack) << what << ", order " << order << ": " << coarse << ", " << fine;
}

// The error falls by 2^order, up to the next term of its expansion; steps leave it well above the reference's 1e-10.
TEST(Nonholonomic, RollingIsOfTheOrderAskedFor) {
  for (const char* model : {"rolling_disk", "chaplygin_sleigh", "bicycle"}) {
    const State start = assembled(model);
    expect_order(start, 0.24, 0.002, 2, 0.3, model);
    expect_order(start, 0.24, 0.01, 4, 2, model);
  }
  const State start = ball_on_a_board();
  expect_order(start, 0.24, 0.002, 2, 0.3, "ball");
  expect_order(start, 0.24, 0.01, 4, 2, "ball");
  expect_order(start, 0.24, 0.02, 6, 12, "ball");
}

/// A pin, then a line joint whose body is rigid, then a pin and another rigid body on it.
State line_that_holds_a_spin(const JointModel& line, bool reversed) {
  testing_support::Random random(6);
  MechanismBuilder builder;
  const auto add = [&](const std::string& name, const std::string& parent, const JointModel& model, bool from_other_end) {
    builder.add_body({.name = name, .mass = transformed(random.transform(0.3), MassProperties::box(1.3, {0.3, 0.5, 0.7}))});
    builder.add_joint({.name = name + " joint",
                       .model = model,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{random.transform(0.5), random.transform(0.5)},
                       .reversed = from_other_end});
  };
  add("base", ground_name, Revolute{}, false);
  add("line", "base", line, reversed);
  add("end", "line", Revolute{}, false);
  return random_start(builder.build(), 8);
}

TEST(Nonholonomic, LineJointsHoldASpinAtTheOrderAskedFor) {
  for (const JointModel& line : {JointModel(LineOrientation{}), JointModel(FreeLine{})})
    for (const bool reversed : {false, true}) {
      const State start = line_that_holds_a_spin(line, reversed);
      expect_order(start, 0.1, 0.002, 2, 0.3, std::string(type_name(line)) + (reversed ? " reversed" : ""));
      expect_order(start, 0.1, 0.01, 4, 3, std::string(type_name(line)) + (reversed ? " reversed" : ""));
    }
}

// The force that holds a spin does no work, so that energy comes and goes as it does without: h^2 times what moves.
TEST(Nonholonomic, LineJointsEqualBallsWithTheRuleWrittenOut) {
  MechanismBuilder line, ball;
  for (MechanismBuilder* builder : {&line, &ball}) {
    builder->add_body({.name = "top", .mass = transformed(at(0.1, 0.05, 0.4), MassProperties::box(1.3, {0.3, 0.5, 0.7}))});
    builder->add_body({.name = "shadow", .mass = MassProperties::particle(1, {0, 0.3, 0})});
  }
  line.add_joint({.name = "joint", .model = LineOrientation{}, .child = "top"});
  line.add_joint({.name = "other", .model = Revolute{}, .parent = "top", .child = "shadow"});
  ball.add_joint({.name = "joint", .model = Ball{}, .child = "top"});
  ball.add_joint({.name = "other", .model = Revolute{}, .parent = "top", .child = "shadow"});
  // The other joint closes a loop with the first: its only row that does not follow is the one on velocities.
  ball.add_joint({.name = "rule", .model = LineOrientation{}, .child = "top"});
  for (MechanismBuilder* builder : {&line, &ball}) {
    builder->set_initial({.coordinate = "joint.wx", .speed = 2});
    builder->set_initial({.coordinate = "joint.wy", .speed = -1});
    builder->set_initial({.coordinate = "other", .speed = 4});
  }
  const State tree = tree::initial_state(line.build()), rows = tree::initial_state(ball.build());
  // Two discretisations of order two: their difference falls fourfold.
  const auto difference = [&](double h) {
    const TreeVariationalOptions options{.step = h};
    return largest_difference(body_motion(end_of_run(tree, 0.5, options)), body_motion(end_of_run(rows, 0.5, options)));
  };
  const double coarse = difference(0.01), fine = difference(0.005);
  EXPECT_LT(coarse, 0.05);
  EXPECT_NEAR(coarse / fine, 4, 0.4) << coarse << ", " << fine;
}

/// v of the step from q0 to q1, at the pose half-way, by the oracle of constraints' rows: Constraints at the midpoint, whose
/// velocity the two ends give.
TEST(Nonholonomic, AStepHoldsTheVelocityOfItsMidpoint) {
  // On a plane: the sleigh's midpoint is the mean of its coordinates. The blade's material point moves along the blade there.
  const State start = assembled("chaplygin_sleigh");
  TreeVariational stepper = started(start, TreeVariationalOptions{.step = 0.01});
  std::vector<double> before = numbers(start.q());
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(stepper.step(1e9).ok());
    const std::vector<double> now = numbers(stepper.q());
    const double angle = 0.5 * (before[0] + now[0]);
    EXPECT_NEAR(-std::sin(angle) * (now[1] - before[1]) + std::cos(angle) * (now[2] - before[2]), 0, 1e-11);
    before = now;
  }
}

// A rotor that is kept at a speed turns by exactly that in every step, whatever pulls at it; so do tied ones.
TEST(Nonholonomic, SpeedsThatAreHeldAreExactInEveryStep) {
  MechanismBuilder builder = rods(2);
  builder.add_constraint({.name = {}, .model = ConstantSpeedSpec{"joint1", 1.5}});
  builder.add_constraint({.name = {}, .model = SpeedCouplerSpec{{{"joint1", 2.0}, {"joint2", 1.0}}, 0.25}});
  builder.set_initial({.coordinate = "joint1", .value = 0.5, .speed = 1.5});
  builder.set_initial({.coordinate = "joint2", .value = 0, .speed = -2.75});
  const State start = tree::initial_state(builder.build());
  const State end = end_of_run(start, 2, TreeVariationalOptions{.step = 0.01});
  EXPECT_NEAR(end.q()[0], 0.5 + 1.5 * 2, 1e-9);  // 200 steps, 1e-11 each at most
  EXPECT_NEAR(end.q()[1], -2.75 * 2, 1e-9);
}

TEST(Nonholonomic, RedundantAndDisabledRowsDoWhatTheOthersSay) {
  const auto sleigh = [](int blades) {
    MechanismBuilder builder;
    builder.add_body({.name = "sleigh", .mass = transformed(at(0.2, 0, 0), MassProperties::box(1, {0.3, 0.2, 0.1}))});
    builder.add_joint({.name = "ice", .model = Planar{}, .child = "sleigh"});
    for (int i = 0; i < blades; ++i)
      builder.add_constraint(
          {.name = "blade" + std::to_string(i), .model = NoSlipSpec{"sleigh", "sleigh", ground_name, {0, 1, 0}}});
    builder.set_initial({.coordinate = "ice.angle", .speed = 2});
    builder.set_initial({.coordinate = "ice.x", .speed = -1});
    return tree::initial_state(builder.build());
  };
  const State one = sleigh(1), two = sleigh(2), none = sleigh(0);
  const TreeVariationalOptions options{.step = 0.01};
  const std::vector<double> end = body_motion(end_of_run(one, 1, options));
  EXPECT_TRUE(near(body_motion(end_of_run(two, 1, options)), end, 1e-9));
  State off = two;
  off.disable(1);
  EXPECT_TRUE(near(body_motion(end_of_run(off, 1, options)), end, 1e-9));
  off.disable(0);
  EXPECT_TRUE(near(body_motion(end_of_run(off, 1, options)), body_motion(end_of_run(none, 1, options)), 1e-9));
}

// A disk that rolls in a steady circle goes on doing so for ever: nothing pumps energy in or out in steps of one size.
TEST(Nonholonomic, TheRollingDiskKeepsItsEnergyInTheLongRun) {
  const State start = assembled("rolling_disk");
  TreeVariational stepper = started(start, TreeVariationalOptions{.step = 0.01});
  const double energy = reached(stepper, start.mechanism()).energy();
  double most = 0, height = 1;
  const long steps = std::min(20'000L, long_run / 10);
  for (long k = 0; k < steps; ++k) {
    ASSERT_TRUE(stepper.step(1e9).ok());
    if (k % 50 != 0) continue;
    const State now = reached(stepper, start.mechanism());
    most = std::max(most, std::abs(now.energy() - energy));
    height = std::min(height, now.pose(1).p.z);
  }
  EXPECT_LT(most, 0.01 * std::abs(energy));  // (h omega)^2/24 of it, with 6 rad/s, at most
  EXPECT_GT(height, 0.18);                   // 0.2 cos 20 deg = 0.188 m
}

TEST(Nonholonomic, StepsAllocateNothing) {
  for (const State& start : {ball_on_a_board(), assembled("bicycle"), line_that_holds_a_spin(FreeLine{}, false)}) {
    TreeVariational stepper = started(start, TreeVariationalOptions{.step = 0.002});
    EXPECT_EQ(testing_support::allocations_in([&] {
                for (int k = 0; k < 10; ++k)
                  if (!stepper.step(1e9).ok()) throw std::runtime_error("a step failed");
              }),
              0);
  }
}

}  // namespace
}  // namespace polhode::variational
