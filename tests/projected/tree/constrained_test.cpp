// Integrators on mechanisms with closed loops: they keep their order, and the constraints within the tolerance.
#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/format/language/model.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/constraints.h"
#include "tests/projected/mechanisms.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/long_run.h"
#include "tests/support/paths.h"

namespace polhode::projected {
namespace {

State start_of(const Mechanism& m) {
  State state = tree::initial_state(m);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(m)).assembled);
  return state;
}
State start_of(const std::string& model) { return start_of(format::load_model(testing_support::model_path(model)).mechanism); }

/// A ring of bodies on ball joints that begins and ends at Ground, at a random place of each.
State random_ring(unsigned seed, int bodies) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  MechanismBuilder b;
  for (int i = 0; i < bodies; ++i) {
    const double mass = 1 + 0.5 * number(random);
    const Vec3<double> p{number(random), number(random), number(random)};  // braces: in order with every compiler
    b.add_body({.name = "body" + std::to_string(i), .mass = brick(mass), .drawn_pose = at(p.x, p.y, p.z)});
  }
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

/// Two large boxes that hang on ball joints from two points of Ground and meet in a third, lower one: far from every singular
/// place, with no fast motion, so that errors are those of a smooth motion.
State hanging_pair(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto near = [&](double x, double z) {
    const Vec3<double> off{number(random), number(random), number(random)};
    return Vec3<double>{x, 0, z} + 0.2 * off;
  };
  MechanismBuilder b;
  for (const auto& [name, x] : {std::pair{"left", -0.7}, {"right", 0.7}}) {
    const double mass = 1 + 0.5 * number(random);
    const Vec3<double> p = near(x, -0.7);
    b.add_body({.name = name, .mass = MassProperties::box(mass, {0.9, 0.7, 0.5}), .drawn_pose = at(p.x, p.y, p.z)});
  }
  const auto hang = [&](const char* name, const char* parent, const char* child, const Vec3<double>& p) {
    b.add_joint({.name = name, .model = Ball{}, .parent = parent, .child = child, .placement = DrawnPlacement{.at = p}});
  };
  hang("one", "ground", "left", near(-1, 0));
  hang("two", "left", "right", near(0, -1));
  hang("three", "right", "ground", near(1, 0));
  const Mechanism m = b.build();
  State state(m);
  for (int i = 0; i < m.num_u(); ++i) state.set_u(i, number(random));
  EXPECT_TRUE(tree::assemble(state).assembled);
  return state;
}

/// The errors that chapter 9 of the Simbody theory manual bounds: of positions, and of velocities over the characteristic time
/// of 0.1 s.
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

/// How two motions differ at the end: places, turns and velocities of all bodies. Error terms of different orders add in it,
/// which they do not in its norm.
std::vector<double> difference(State a, State b) {
  tree::realize(a, Stage::velocity);
  tree::realize(b, Stage::velocity);
  std::vector<double> all;
  for (int i = 1; i < a.mechanism().num_bodies(); ++i) {
    const Transform<double> X = inverse(a.pose(i)) * b.pose(i);
    const Motion<double> V = a.velocity(i) - b.velocity(i);
    for (const Vec3<double>& v : {X.p, log_rotation(X.R), V.angular, V.linear}) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}

/// The order p for which e(n) = C/n^p + D/n^(p+1) + ... has C != 0. At steps long enough to see anything of a high order above
/// rounding the second term is not small against the first, nor of its sign: it alone moves the slope of log|e| by up to one.
/// 2^(p+1) e(2n) - e(n) = C/n^p + O(1/n^(p+2)) is free of it. A method of order p-1 shows p-1 here still, one of order p+1
/// more.
template <class Error>
double order_of_leading_term(const Error& error, int n, int expected) {
  const std::vector<double> e1 = error(n), e2 = error(2 * n), e4 = error(4 * n);
  const double factor = std::ldexp(1.0, expected + 1);
  double coarse = 0, fine = 0;
  for (std::size_t i = 0; i < e1.size(); ++i) {
    coarse += square(factor * e2[i] - e1[i]);
    fine += square(factor * e4[i] - e2[i]);
  }
  return std::log2(coarse / fine) / 2;
}

struct OrderCase {
  const char* integrator;
  int order, steps;
};
class ConstrainedOrder : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(Integrators, ConstrainedOrder,
                         testing::Values(OrderCase{"euler", 1, 64}, OrderCase{"semi-explicit-euler", 1, 64},
                                         OrderCase{"rk2", 2, 32}, OrderCase{"verlet", 2, 32}, OrderCase{"rk3", 3, 16},
                                         OrderCase{"merson", 4, 16}, OrderCase{"rk5", 5, 16}, OrderCase{"rk8", 8, 4}),
                         [](const auto& which) {
                           std::string name = which.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ConstrainedOrder, IsThatOfTheMethodOnSpatialClosedLoops) {
  // The median of many loops: on one of them the leading term can happen to be small.
  constexpr int loops = 31;
  constexpr double end = 0.5;
  const auto [integrator, expected, steps] = GetParam();
  std::vector<double> orders;
  for (unsigned seed = 0; seed < loops; ++seed) {
    const State start = hanging_pair(seed);
    const auto at_steps = [&](const char* by, int n) {
      return run_from(start, {.integrator = by, .fixed_step = end / n, .tolerance = 1e-12}, end);
    };
    // The reference is another method's, near rounding.
    const State exact = expected == 8 ? at_steps("rk5", 1024) : at_steps("rk8", 200);
    const auto error = [&, by = integrator](int n) { return difference(at_steps(by, n), exact); };
    orders.push_back(order_of_leading_term(error, steps, expected));
  }
  std::nth_element(orders.begin(), orders.begin() + loops / 2, orders.end());
  // Rounding is seen at order 8: medians of other sets of loops lie between 7.95 and 8.18, at order 5 between 4.99 and 5.02.
  EXPECT_NEAR(orders[loops / 2], expected, expected == 8 ? 0.2 : 0.05);
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

TEST(ConstrainedSystem, RefusesAStateThatMissesItsConstraints) {
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
  try {
    stepper->set(state);
    FAIL() << "the second wire is 8 m too short";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("wire \"other\" is off by 8"), std::string::npos) << error.what();
  }
}

// A stone on a wire of a metre is drawn along x, from 0.5 m at 1 m/s: after half a second the wire is too short.
TEST(ConstrainedSystem, NamesTheConstraintThatCannotBeMet) {
  MechanismBuilder b;
  b.add_body({.name = "stone", .mass = MassProperties::particle(1, {})});
  b.add_joint({.name = "stone", .model = Translation{}, .child = "stone"});
  b.add_kinematic({.coordinate = "stone.x", .signal = Signal::polynomial({0.5, 1})});
  b.add_constraint({.name = "string", .model = WireSpec{"ground", "stone", 1}});
  const Mechanism m = b.build();
  State state = tree::initial_state(m);
  state.set_q(m.coordinate("stone.y"), std::sqrt(0.75));
  ASSERT_TRUE(tree::assemble(state).assembled);
  const auto stepper = make_integrator(m, {.integrator = "rk2", .fixed_step = 0.15});
  stepper->set(state);
  StepReport report = stepper->step(10);
  while (report.ok() && stepper->time() < 1) report = stepper->step(10);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  const std::string why = stepper->explain(report);
  EXPECT_NE(why.find("wire \"string\""), std::string::npos) << why;
  stepper->get(state);
  EXPECT_LT(state.q()[std::size_t(m.coordinate("stone.x"))], 1) << "the state is the last good one";
}

// A drift of rounding size in every step would show: projection must take it away each time.
TEST(LongConstrainedRun, KeepsPositionsAndVelocitiesForAMillionSteps) {
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
