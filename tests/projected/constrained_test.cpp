// Integrators on mechanisms with closed loops: they keep their order, and the constraints within the tolerance.
#include <random>

#include "polhode/format/model.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/constraints.h"
#include "tests/projected/mechanisms.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/long_run.h"

namespace polhode::projected {
namespace {

State start_of(const Mechanism& m) {
  State state = tree::initial_state(m);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(m)).assembled);
  return state;
}
State start_of(const std::string& model) {
  return start_of(format::load_model(std::string(POLHODE_SOURCE_DIR) + "/models/" + model + ".pol").mechanism);
}

/// A ring of bodies on ball joints that begins and ends at Ground, at a random place of each.
State random_ring(unsigned seed, int bodies) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto point = [&] { return Vec3<double>{number(random), number(random), number(random)}; };
  MechanismBuilder b;
  for (int i = 0; i < bodies; ++i)
    b.add_body({.name = "body" + std::to_string(i),
                .mass = brick(1 + 0.5 * number(random)),
                .drawn_pose = at(point().x, point().y, point().z)});
  for (int i = 0; i <= bodies; ++i) {
    const std::string parent = i == 0 ? "ground" : "body" + std::to_string(i - 1);
    const std::string child = i == bodies ? "ground" : "body" + std::to_string(i);
    b.add_joint({.name = "ball" + std::to_string(i),
                 .model = Ball{},
                 .parent = parent,
                 .child = child,
                 .placement = DrawnPlacement{.at = Vec3<double>{double(i), number(random), number(random)}}});
  }
  const Mechanism m = b.build();
  State state(m);
  for (int i = 0; i < m.num_u(); ++i) state.set_u(i, number(random));
  EXPECT_TRUE(tree::assemble(state).assembled);
  return state;
}

State slowed(State state, double factor) {
  std::vector<double> u(state.u().begin(), state.u().end());
  for (double& speed : u) speed *= factor;
  state.set_u(u);
  return state;
}

/// The errors that chapter 9 of seed 002 bounds: of positions, and of velocities over the characteristic time of 0.1 s.
struct Errors {
  double position = 0, velocity = 0;
};
class Judge {
 public:
  explicit Judge(const Mechanism& m) : w_(m), constraints_(m), e_(std::size_t(constraints_.num_rows())) {}
  Errors operator()(const State& s) {
    tree::kinematics(w_, s.q(), s.u());
    Errors result;
    constraints_.errors(w_, s.time(), s.q(), e_);
    result.position = rms();
    constraints_.velocity_errors(w_, s.time(), s.q(), s.u(), e_);
    result.velocity = 0.1 * rms();
    return result;
  }

 private:
  double rms() const {
    double sum = 0;
    for (const double x : e_) sum += x * x;
    return std::sqrt(sum / double(e_.size()));
  }
  tree::Workspace w_;
  tree::Constraints constraints_;
  std::vector<double> e_;
};

State run_from(const State& start, const Options& options, double time) {
  const auto stepper = make_integrator(start.mechanism(), options);
  stepper->set(start);
  while (stepper->time() < time) {
    const StepReport step = stepper->step(time);
    if (!step.ok()) {
      ADD_FAILURE() << options.integrator << ": " << stepper->explain(step);
      break;
    }
  }
  State state = start;
  stepper->get(state);
  return state;
}

struct OrderCase {
  const char* integrator;
  int order, steps;
};
class ConstrainedOrder : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(Integrators, ConstrainedOrder,
                         testing::Values(OrderCase{"euler", 1, 256}, OrderCase{"semi-explicit-euler", 1, 256},
                                         OrderCase{"rk2", 2, 64}, OrderCase{"verlet", 2, 64}, OrderCase{"rk3", 3, 32},
                                         OrderCase{"merson", 4, 16}, OrderCase{"rk5", 5, 16}, OrderCase{"rk8", 8, 2}),
                         [](const auto& which) {
                           std::string name = which.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ConstrainedOrder, IsThatOfTheMethodOnASpatialClosedLoop) {
  // Slow enough that the leading term of the error is seen well above rounding, by all of them.
  static const State start = slowed(random_ring(12, 2), 0.2);
  constexpr double end = 0.4;
  const std::string integrator = GetParam().integrator;
  const auto at_steps = [&](const std::string& by, int n) {
    return run_from(start, {.integrator = by, .fixed_step = end / n, .tolerance = 1e-15}, end);
  };
  static const State by_five = at_steps("rk5", 1024), by_eight = at_steps("rk8", 200);
  const State& exact = integrator == "rk8" ? by_five : by_eight;
  const double order = fitted_order([&](int n) { return distance(at_steps(integrator, n), exact); }, GetParam().steps);
  EXPECT_NEAR(order, GetParam().order, 0.2);
}

class Constrained : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Integrators, Constrained, testing::ValuesIn(integrator_names().begin(), integrator_names().end()),
                         [](const auto& which) {
                           std::string name(which.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Constrained, KeepsConstraintsWithinTheToleranceAtEveryStepAndBetween) {
  const std::string integrator(GetParam());
  for (const State& start : {start_of("four_bar"), start_of("bricard"), start_of("spatial_slider_crank"), start_of("andrews"),
                             random_ring(1, 4), random_ring(2, 5)}) {
    SCOPED_TRACE(start.mechanism().name());
    const Mechanism& m = start.mechanism();
    const auto stepper = make_integrator(m, {.integrator = integrator, .accuracy = 1e-4});
    stepper->set(start);
    Judge judge(m);
    State state = start;
    for (int i = 0; i < 200; ++i) {
      const StepReport step = stepper->step(1e3);
      ASSERT_TRUE(step.ok()) << stepper->explain(step);
      stepper->get(state);
      const Errors at_end = judge(state);
      EXPECT_LE(at_end.position, 1e-5);
      EXPECT_LE(at_end.velocity, 1e-5);
      stepper->interpolate(step.t - 0.4 * step.h, state);
      const Errors inside = judge(state);
      EXPECT_LE(inside.position, 1e-5);
      EXPECT_LE(inside.velocity, 1e-5);
    }
  }
}

TEST_P(Constrained, GivesAboutTheAccuracyThatIsAskedFor) {
  const std::string integrator(GetParam());
  if (integrator.find("euler") != std::string::npos) return;  // see FirstOrder in order_test.cpp
  static const State start = random_ring(7, 3);
  static const State exact =
      run_from(start, {.integrator = "rk8", .accuracy = 1e-13, .largest_step = 1.0 / 256, .tolerance = 1e-14}, 0.5);
  for (const double accuracy : {1e-4, 1e-6}) {
    const double error = distance(run_from(start, {.integrator = integrator, .accuracy = accuracy}, 0.5), exact);
    EXPECT_LT(error, 30 * accuracy);
  }
}

TEST_P(Constrained, AllocatesNothingInAStep) {
  const State start = start_of("spatial_slider_crank");
  const auto stepper = make_integrator(start.mechanism(), {.integrator = std::string(GetParam())});
  stepper->set(start);
  State state = start;
  stepper->step(1e9);
  EXPECT_EQ(testing_support::allocations_in([&] {
              for (int i = 0; i < 50; ++i) {
                const StepReport step = stepper->step(1e9);
                stepper->interpolate(step.t - 0.5 * step.h, state);
              }
            }),
            0);
}

TEST(ConstrainedSystem, KeepsTheEnergyOfBricardsLinkage) {
  // IFToMM A04: the energy must stay for 10 s, with one of the loop's rows redundant.
  State start = start_of("bricard");
  State end = run_from(start, {.accuracy = 1e-9}, 10);
  tree::realize(start, Stage::velocity);
  tree::realize(end, Stage::velocity);
  EXPECT_NEAR(end.energy(), start.energy(), 1e-6);
}

TEST(ConstrainedSystem, NamesTheConstraintThatCannotBeMet) {
  // Two wires that a point cannot be on both ends of.
  MechanismBuilder b;
  b.add_body({.name = "stone", .mass = MassProperties::particle(1)});
  b.add_frame({.name = "far", .body = "ground", .X_BF = at(10, 0, 0)});
  b.add_constraint({.name = "one", .model = WireSpec{"stone", "ground", 1}});
  b.add_constraint({.name = "other", .model = WireSpec{"stone", "far", 1}});
  const Mechanism m = b.build();
  const auto stepper = make_integrator(m);
  State state(m);
  state.set_q(m.coordinate("stone.x"), 1);
  stepper->set(state);
  const StepReport report = stepper->step(1);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  const std::string why = stepper->explain(report);
  EXPECT_NE(why.find("wire"), std::string::npos) << why;
  State after(m);
  stepper->get(after);
  EXPECT_EQ(after.q()[std::size_t(m.coordinate("stone.x"))], 1) << "the state is the last good one";
}

// A drift of rounding size in every step would show: projection must take it away each time.
TEST(ConstrainedRun, KeepsPositionsAndVelocitiesForAMillionSteps) {
  const State start = start_of("wire_pendulum");
  constexpr double tolerance = 1e-9;
  const auto stepper = make_integrator(start.mechanism(), {.integrator = "rk3", .fixed_step = 1e-3, .tolerance = tolerance});
  stepper->set(start);
  Judge judge(start.mechanism());
  State state = start;
  Errors worst;
  for (long i = 0; i < testing_support::long_run; ++i) {
    ASSERT_TRUE(stepper->step(1e9).ok()) << i;
    stepper->get(state);
    const Errors now = judge(state);
    worst = {std::max(worst.position, now.position), std::max(worst.velocity, now.velocity)};
  }
  EXPECT_LE(worst.position, tolerance);
  EXPECT_LE(worst.velocity, tolerance);
}

}  // namespace
}  // namespace polhode::projected
