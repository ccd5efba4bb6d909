// maximal-projected (Tuomela, Arponen & Normi) against tree-projected, which shares no equations of motion with it, and against
// laws.
#include "polhode/projected/maximal/maximal_projected.h"

#include "polhode/format/language/model.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/symmetry.h"
#include "tests/projected/mechanisms.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/paths.h"

namespace polhode::projected {
namespace {

using JetOptions = MaximalProjectedOptions;
using Kind = JetProjection::Kind;

constexpr double standard_g = 9.81;

State start_of(const std::string& model) {
  const Mechanism m = format::load_model(testing_support::model_path(model)).mechanism;
  State state = tree::initial_state(m);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(m)).assembled);
  return state;
}

State run_jet(const State& start, const JetOptions& options, double time) {
  MaximalProjected stepper(start.mechanism(), options);
  stepper.set(start);
  while (stepper.time() < time) {
    const StepReport report = stepper.step(time);
    EXPECT_TRUE(report.ok()) << stepper.explain(report);
    if (!report.ok()) break;
  }
  State state = start;
  stepper.get(state);
  return state;
}

/// By another method altogether, much finer.
State exact(const State& start, double time, double accuracy = 1e-12) {
  const auto stepper = make_integrator(start.mechanism(), {.integrator = "rk8", .accuracy = accuracy});
  stepper->set(start);
  while (stepper->time() < time) EXPECT_TRUE(stepper->step(time).ok());
  State state = start;
  stepper->get(state);
  return state;
}

TEST(MaximalProjected, IsOfOrderFiveOnASpatialMechanism) {
  const State start(spatial_mechanism());
  const State expected = exact(start, 1, 1e-14);
  for (const Kind kind : {Kind::quasi, Kind::orthogonal})
    for (const bool energy : {false, true}) {
      const auto error = [&](int n) {
        return distance(run_jet(start, {.fixed_step = 1.0 / n, .tolerance = 1e-13, .projection = kind, .energy = energy}, 1),
                        expected);
      };
      EXPECT_NEAR(fitted_order(error, 128), 5, 0.4) << int(kind) << energy;
    }
}

TEST(MaximalProjected, IsOfOrderFiveOnALoopWithAMotor) {
  const State start = start_of("jet_crank");
  const State expected = exact(start, 1, 1e-13);
  const auto error = [&](int n) {
    return distance(run_jet(start, {.fixed_step = 1.0 / n, .tolerance = 1e-13, .energy = false}, 1), expected);
  };
  EXPECT_NEAR(fitted_order(error, 64), 5, 0.4);
  // Along the one freedom that this mechanism has the energy tells the speed, so that keeping it does better than the order.
  const auto with_energy = [&](int n) {
    return distance(run_jet(start, {.fixed_step = 1.0 / n, .tolerance = 1e-13}, 1), expected);
  };
  EXPECT_GT(fitted_order(with_energy, 32), 4.6);
}

struct Agreement {
  const char* model;
  double time;
};
class AgreesWithTreeProjected : public testing::TestWithParam<Agreement> {};
INSTANTIATE_TEST_SUITE_P(Models, AgreesWithTreeProjected,
                         testing::Values(Agreement{"pendulum", 2}, Agreement{"double_pendulum", 1}, Agreement{"four_bar", 1},
                                         Agreement{"bricard", 1}, Agreement{"spatial_slider_crank", 1},
                                         Agreement{"heavy_top", 0.2}, Agreement{"andrews", 0.01}, Agreement{"governor", 0.02},
                                         Agreement{"scissor_lift", 0.5}, Agreement{"rolling_disk", 1},
                                         Agreement{"chaplygin_sleigh", 1}, Agreement{"bicycle", 0.5}, Agreement{"furuta", 1},
                                         Agreement{"screw_press", 0.5}, Agreement{"marionette", 0.3},
                                         Agreement{"satellite_with_arm", 1}, Agreement{"planar_human", 0.3},
                                         Agreement{"closed_chain_device", 0.5}, Agreement{"wire_pendulum", 1},
                                         Agreement{"cart_pole", 1}, Agreement{"jet_pendulum", 2},
                                         Agreement{"jet_quadrangle", 1}, Agreement{"jet_crank", 1}),
                         [](const auto& which) { return std::string(which.param.model); });

TEST_P(AgreesWithTreeProjected, AtATightAccuracy) {
  const State start = start_of(GetParam().model);
  const State expected = exact(start, GetParam().time, 1e-11);
  // Local errors of 1e-10 in some hundred to a thousand steps, which motion of this length lets grow by a hundred or less; the
  // distance is absolute, and speeds are up to some hundred.
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-10}, GetParam().time), expected), 2e-6);
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-10, .energy = false, .planar = false}, GetParam().time), expected), 2e-6);
}

TEST(MaximalProjected, IsOnTheConstraintsAfterEveryStep) {
  for (const char* model : {"jet_pendulum", "jet_quadrangle", "jet_crank", "four_bar", "bricard", "spatial_slider_crank"}) {
    const State start = start_of(model);
    MaximalProjected stepper(start.mechanism());
    stepper.set(start);
    double position = 0, velocity = 0;
    while (stepper.time() < 2) {
      ASSERT_TRUE(stepper.step(2).ok()) << model;
      position = std::max(position, stepper.position_error());
      velocity = std::max(velocity, stepper.velocity_error());
    }
    // Rows that others make redundant can be met only as well as positions are, times speeds of some radians in a second.
    EXPECT_LE(position, 1e-10) << model;
    EXPECT_LE(velocity, std::string(model) == "bricard" ? 1e-8 : 1e-10) << model;
  }
}

/// Largest change of T + U - W_ext over the steps of a run, relative to the largest energy met.
double energy_error(const State& start, const JetOptions& options, double time) {
  MaximalProjected stepper(start.mechanism(), options);
  stepper.set(start);
  State state = start;
  tree::realize(state, Stage::velocity);
  const double first = state.energy();
  double worst = 0, size = 1;
  while (stepper.time() < time) {
    EXPECT_TRUE(stepper.step(time).ok());
    stepper.get(state);
    tree::realize(state, Stage::velocity);
    worst = std::max(worst, std::abs(state.energy() - stepper.work() - first));
    size = std::max({size, state.kinetic_energy(), std::abs(state.potential_energy())});
  }
  return worst / size;
}

TEST(MaximalProjected, KeepsTheEnergyWithTheInvariantAndDriftsWithoutIt) {
  // Figure 6.4 of Tuomela, Arponen & Normi, at its accuracy.
  const State start = start_of("jet_pendulum");
  const double kept = energy_error(start, {.accuracy = 1e-6}, 10);
  const double lost = energy_error(start, {.accuracy = 1e-6, .energy = false}, 10);
  EXPECT_LT(kept, 2e-10);  // the tolerance, and as much again for the way to tree coordinates and back
  EXPECT_GT(lost, 1e4 * kept);
}

TEST(MaximalProjected, KeepsTheTotalEnergyWhereAMotorFeedsIt) {
  // Figures 6.6 and 6.8. The energy invariant includes W_ext, which is integrated along.
  for (const auto& [model, accuracy] : {std::pair("jet_quadrangle", 1e-8), std::pair("jet_crank", 1e-7)}) {
    const State start = start_of(model);
    EXPECT_LT(energy_error(start, {.accuracy = accuracy}, 5), 2e-10) << model;
  }
}

TEST(MaximalProjected, CountsTheWorkOfAMotorRight) {
  // The torque on the crank is about its axis and constant, so it has done torque times angle.
  const State start = start_of("jet_crank");
  MaximalProjected stepper(start.mechanism(), {.accuracy = 1e-9});
  stepper.set(start);
  while (stepper.time() < 2) ASSERT_TRUE(stepper.step(2).ok());
  State state = start;
  stepper.get(state);
  const std::size_t crank = std::size_t(start.mechanism().coordinate("crank"));
  const double angle = state.q()[crank] - start.q()[crank];
  EXPECT_GT(std::abs(angle), 1);
  // Local errors of 1e-9, relative, of some hundred steps.
  EXPECT_NEAR(stepper.work(), -50 * angle, 1e-6 * std::abs(stepper.work()));
}

TEST(MaximalProjected, FindsThePlaneOfPlanarMechanismsWhateverTheirJointsAreCalled) {
  for (const auto& [model, planar] :
       {std::pair("pendulum", true), std::pair("double_pendulum", true), std::pair("four_bar", true),
        std::pair("jet_quadrangle", true), std::pair("scissor_lift", true), std::pair("andrews", true),
        std::pair("jet_pendulum", false), std::pair("jet_crank", false), std::pair("bricard", false),
        std::pair("heavy_top", false), std::pair("spatial_slider_crank", false), std::pair("gyroscope", false)}) {
    const State start = start_of(model);
    MaximalProjected stepper(start.mechanism());
    stepper.set(start);
    EXPECT_EQ(stepper.is_planar(), planar) << model;
    MaximalProjected in_space(start.mechanism(), {.planar = false});
    in_space.set(start);
    EXPECT_FALSE(in_space.is_planar()) << model;
  }
}

TEST(MaximalProjected, IsNotTakenInByAPlaneThatHoldsForAMomentOnly) {
  // A bob on a horizontal string can move along x = -1 only, to first order; then the string pulls it out of that plane.
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "slide", .model = Translation{}, .child = "bob"});
  b.add_constraint({.name = "string", .model = WireSpec{"ground", "bob", 1}});
  b.set_initial({.coordinate = "slide.x", .value = -1});
  const State start(b.build());
  MaximalProjected stepper(start.mechanism());
  EXPECT_FALSE(stepper.is_planar());
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-10}, 1), exact(start, 1)), 1e-7);
}

TEST(MaximalProjected, FindsTheSameMotionInThePlaneAndInSpace) {
  for (const char* model : {"double_pendulum", "four_bar", "jet_quadrangle"}) {
    const State start = start_of(model);
    const State plane = run_jet(start, {.accuracy = 1e-10}, 1), space = run_jet(start, {.accuracy = 1e-10, .planar = false}, 1);
    EXPECT_LT(distance(plane, space), 1e-6) << model;  // as above
  }
}

TEST(MaximalProjected, CountsWhatItDoes) {
  const State start = start_of("jet_crank");
  MaximalProjected fixed(start.mechanism(), {.fixed_step = 0.01, .planar = false});
  fixed.set(start);
  const long before = fixed.jet_counters().projections;
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(fixed.step(10).ok());
  // Six slopes in a step, the last of which begins the next one; five stages and the result are projected; one of each to
  // begin.
  EXPECT_EQ(fixed.jet_counters().distributions, 6 * 50 + 1);
  EXPECT_EQ(fixed.statistics().evaluations, 6 * 50 + 1);
  EXPECT_EQ(fixed.jet_counters().projections - before, 6 * 50 + 1);
  EXPECT_GE(fixed.jet_counters().newton_iterations, fixed.jet_counters().newton_most);
  EXPECT_GE(fixed.jet_counters().jacobians, fixed.jet_counters().projections - before);
  EXPECT_EQ(fixed.statistics().steps, 50);

  MaximalProjected controlled(start.mechanism(), {.accuracy = 1e-6, .planar = false});
  controlled.set(start);
  while (controlled.time() < 2) ASSERT_TRUE(controlled.step(2).ok());
  const long attempts = controlled.statistics().steps + controlled.statistics().rejected;
  // Where invariants cannot be restored the end of a step is done a second time.
  EXPECT_LE(controlled.jet_counters().distributions, 7 * attempts + 1);
  EXPECT_LE(controlled.jet_counters().projections, 9 * attempts + 1);
  EXPECT_GE(controlled.jet_counters().projections, 7 * controlled.statistics().steps + 1);
  EXPECT_GT(controlled.jet_counters().invariant_gradients, 0);
}

TEST(MaximalProjected, DoesNotAllocateInSteps) {
  for (const char* model : {"jet_crank", "jet_quadrangle", "bricard", "rolling_disk", "pendulum"})
    for (const Kind kind : {Kind::quasi, Kind::orthogonal}) {
      const State start = start_of(model);
      MaximalProjected stepper(start.mechanism(), {.projection = kind});
      stepper.set(start);
      State state = start;
      EXPECT_EQ(testing_support::allocations_in([&] {
                  for (int i = 0; i < 20; ++i) {
                    const StepReport step = stepper.step(1e9);
                    stepper.interpolate(step.t - 0.5 * step.h, state);
                    stepper.get(state);
                  }
                }),
                0)
          << model << int(kind);
    }
}

// What a control loop does: reads the state, gives it other forces, and goes on.
TEST(MaximalProjected, DoesNotAllocateWhereAStateIsSetAgain) {
  for (const char* model : {"jet_crank", "bricard", "pendulum", "four_bar", "satellite_with_arm"}) {
    const State start = start_of(model);
    MaximalProjected stepper(start.mechanism());
    stepper.set(start);
    State state = start;
    std::vector<double> forces(std::size_t(start.mechanism().num_u()));
    state.set_applied_forces(forces);
    EXPECT_EQ(testing_support::allocations_in([&] {
                for (int i = 0; i < 20; ++i) {
                  stepper.step(0.01 * (i + 1));
                  stepper.get(state);
                  forces[0] = 0.1 * i;
                  state.set_applied_forces(forces);
                  stepper.set(state);
                }
              }),
              0)
        << model;
    EXPECT_GT(stepper.time(), 0) << model;
  }
}

/// Between two frames of one body a rod says nothing.
TEST(MaximalProjected, IsNotDisturbedByARodBetweenFramesOfOneBody) {
  const auto swings = [&](bool with_rod) {
    MechanismBuilder b;
    b.add_body({.name = "bob", .mass = brick(1)});
    b.add_joint({.name = "pin", .model = Ball{}, .child = "bob"});
    b.add_frame({.name = "left", .body = "bob", .X_BF = at(0.3, -0.4, 0)});
    b.add_frame({.name = "right", .body = "bob", .X_BF = at(0.3, 0.8, 0.5)});
    if (with_rod) b.add_constraint({.name = "rod", .model = WireSpec{"left", "right", 1.3}});
    b.set_initial({.coordinate = "pin.wx", .speed = 2});
    return run_jet(State(b.build()), {.accuracy = 1e-8}, 1);
  };
  EXPECT_LT(distance(swings(true), swings(false)), 1e-12);  // the same steps: rounding
}

/// A triangle of bars on hinges, as good as flat, is rigid, and a pendulum. In space its hinges say much twice, and the one
/// direction in which it is nearly loose must not be taken for one of these.
TEST(MaximalProjected, TakesOutTheComplianceOfRedundantRowsNearASingularPlace) {
  const Vec3<double> y{0, 1, 0};
  for (const double height : {1e-2, 1e-3, 1e-4, 1e-5}) {
    MechanismBuilder b;
    const MassProperties bar = MassProperties::box(1, {0.3, 0.1, 0.1}, {});
    b.add_body({.name = "base", .mass = bar, .drawn_pose = at(0.5, 0, 0)});
    b.add_body({.name = "left", .mass = bar, .drawn_pose = at(0.25, 0, height / 2)});
    b.add_body({.name = "right", .mass = bar, .drawn_pose = at(0.75, 0, height / 2)});
    const auto pin = [&](const char* name, const char* parent, const char* child, const Vec3<double>& place) {
      b.add_joint({.name = name, .model = Revolute{}, .parent = parent, .child = child, .placement = DrawnPlacement{place, y}});
    };
    pin("pivot", "ground", "base", {0.1, 0, 0.1});
    pin("p", "base", "left", {0, 0, 0}), pin("q", "base", "right", {1, 0, 0}), pin("r", "left", "right", {0.5, 0, height});
    const State start(b.build());
    // The whole about the pivot: m g d sin(angle) = I angle'' from the moments of three bars about it.
    const double I =
        3 * bar.inertia.full()(1, 1) + 0.17 + (0.0225 + square(0.1 - height / 2)) + (0.4225 + square(0.1 - height / 2));
    const double mx = 0.4 + 0.15 + 0.65, mz = -0.1 + 2 * (height / 2 - 0.1);
    double angle = 0, rate = 0;
    const auto acceleration = [&](double a) { return standard_g * (std::cos(a) * mx + std::sin(a) * mz) / I; };
    constexpr int n = 2000;  // Runge and Kutta's method of order 4 over half a second: 1e-14
    for (int i = 0; i < n; ++i) {
      const double h = 0.5 / n;
      const double k1 = rate, l1 = acceleration(angle), k2 = rate + h / 2 * l1, l2 = acceleration(angle + h / 2 * k1);
      const double k3 = rate + h / 2 * l2, l3 = acceleration(angle + h / 2 * k2), k4 = rate + h * l3,
                   l4 = acceleration(angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    const State end = run_jet(start, {.accuracy = 1e-9, .planar = false}, 0.5);
    // Some hundred steps of 1e-9 at the most; where the triangle is nearly loose, errors within the tolerance of 1e-10 move its
    // top, and with it the masses, by 1e-10 / height.
    EXPECT_NEAR(end.q()[std::size_t(start.mechanism().coordinate("pivot"))], angle, 1e-7 + 10 * 1e-10 / height) << height;
  }
}

TEST(MaximalProjected, InterpolatesToTheOrderOfTheMethodLessOneAndOnTheConstraints) {
  const State start = start_of("jet_crank");
  const auto error = [&](int n) {
    MaximalProjected stepper(start.mechanism(), {.fixed_step = 1.0 / n, .tolerance = 1e-13});
    stepper.set(exact(start, 0.5, 1e-13));
    EXPECT_TRUE(stepper.step(1).ok());
    State inside = start;
    double worst = 0;
    for (const double s : {0.25, 0.5, 0.8}) {
      const double t = 0.5 + s / n;
      stepper.interpolate(t, inside);
      worst = std::max(worst, distance(inside, exact(start, t, 1e-13)));
    }
    return worst;
  };
  EXPECT_NEAR(fitted_order(error, 40), 5, 0.5);  // locally, one more than globally
}

TEST(MaximalProjected, KeepsAnInvariantOfTheUsersOwn) {
  // A free body turning about its middle axis: |L|^2 about the centre of mass, and the energy.
  const State start = start_of("dzhanibekov");
  const Mechanism& m = start.mechanism();
  const auto squared_momentum = [&](double, const maximal::Bodies& at) {
    double sum = 0;
    for (int b = 1; b < m.num_bodies(); ++b) {
      const Vec3<double> L = m.bodies()[std::size_t(b)].mass.inertia * at[std::size_t(b)].w;
      sum += dot(L, L);
    }
    return sum;
  };
  const auto change = [&](std::vector<Invariant> invariants) {
    MaximalProjected stepper(m, {.accuracy = 1e-5, .momenta = false, .invariants = std::move(invariants)});
    stepper.set(start);
    const double first = squared_momentum(0, stepper.bodies());
    double worst = 0;
    while (stepper.time() < 5) {
      EXPECT_TRUE(stepper.step(5).ok());
      worst = std::max(worst, std::abs(squared_momentum(0, stepper.bodies()) - first));
    }
    return worst / std::max(1.0, first);
  };
  const double by_differences = change({{"momentum", squared_momentum, {}}});
  EXPECT_LT(by_differences, 2e-10);
  EXPECT_GT(change({}), 100 * by_differences);
  // With the gradient given: d|L|^2/dw = 2 J L, and no dependence on the pose in body axes.
  const auto gradient = [&](double, const maximal::Bodies& at, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    for (int b = 1; b < m.num_bodies(); ++b) {
      const SymMat3<double>& J = m.bodies()[std::size_t(b)].mass.inertia;
      const Vec3<double> d = 2.0 * (J * (J * at[std::size_t(b)].w));
      out[std::size_t(16 * b + 8)] = d.x, out[std::size_t(16 * b + 9)] = d.y, out[std::size_t(16 * b + 10)] = d.z;
    }
  };
  EXPECT_LT(change({{"momentum", squared_momentum, gradient}}), 2e-10);
}

// Together with the energy: by how much momentum may be off is the tolerance, 1e-10 of what the bodies have or would have at 1
// rad/s, and as much again for the way to tree coordinates and back. Without, it is as the accuracy has it.
TEST(MaximalProjected, KeepsTheMomentaThatASymmetryKeeps) {
  for (const Agreement& run : {Agreement{"dzhanibekov", 60}, Agreement{"satellite_with_arm", 5}, Agreement{"heavy_top", 1}}) {
    const char* const model = run.model;
    const State start = start_of(model);
    const auto kept = tree::kept_momenta(start.mechanism());
    ASSERT_FALSE(kept.empty()) << model;
    State first = start;
    tree::realize(first, Stage::velocity);
    double size = 0;  // of momenta: each body's own, and that of its place
    for (int b = 1; b < start.mechanism().num_bodies(); ++b) {
      const MassProperties& mass = start.mechanism().bodies()[std::size_t(b)].mass;
      const Mat3<double> J = mass.inertia.full();
      const double speed = norm(first.velocity(b).linear), rate = norm(first.velocity(b).angular);
      size += (J(0, 0) + J(1, 1) + J(2, 2)) * (1 + rate) + mass.mass * (1 + norm(first.pose(b).p)) * (1 + speed + rate);
    }
    const auto change = [&](bool momenta) {
      State end = run_jet(start, {.accuracy = 1e-5, .momenta = momenta}, run.time);
      tree::realize(end, Stage::velocity);
      double worst = 0;
      for (const auto& component : kept)
        worst = std::max(worst, std::abs(component.of(end.momentum()) - component.of(first.momentum())));
      return worst / size;
    };
    EXPECT_LT(change(true), 2e-10) << model;
    EXPECT_GT(change(false), 1e-9) << model;
  }
}

TEST(MaximalProjected, KeepsTheMomentumOfAFreeMechanismToTheAccuracy) {
  const State start = start_of("satellite_with_arm");
  State end = run_jet(start, {.accuracy = 1e-10, .momenta = false}, 2), first = start;
  tree::realize(first, Stage::velocity);
  tree::realize(end, Stage::velocity);
  EXPECT_LT(norm(end.momentum().force - first.momentum().force), 1e-7 * (1 + norm(first.momentum().force)));
  EXPECT_LT(norm(end.momentum().moment - first.momentum().moment), 1e-7 * (1 + norm(first.momentum().moment)));
}

/// A cart that follows a signal with a pendulum on it.
Mechanism driven_cart() {
  MechanismBuilder b;
  b.add_body({.name = "cart", .mass = brick(2)}).add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "rail",
               .model = Prismatic{},
               .child = "cart",
               .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{1, 0, 0}}});
  b.add_joint({.name = "pin",
               .model = Revolute{},
               .parent = "cart",
               .child = "bob",
               .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  b.add_kinematic({.coordinate = "rail", .signal = Signal::sine(0.3, 5)});
  b.set_initial({.coordinate = "pin", .value = 0.4});
  return b.build();
}

TEST(MaximalProjected, DrivesKinematicCoordinatesWithTheSameForces) {
  const Mechanism m = driven_cart();
  MaximalProjected jet(m, {.accuracy = 1e-10});
  const auto tree = make_integrator(m, {.integrator = "rk8", .accuracy = 1e-11});
  while (jet.time() < 1) ASSERT_TRUE(jet.step(1).ok());
  while (tree->time() < 1) ASSERT_TRUE(tree->step(1).ok());
  State a(m), b(m);
  jet.get(a), tree->get(b);
  EXPECT_LT(distance(a, b), 1e-7);
  const std::size_t rail = std::size_t(m.speed("rail'"));
  EXPECT_GT(std::abs(tree->driving_forces()[rail]), 1);
  EXPECT_NEAR(jet.driving_forces()[rail], tree->driving_forces()[rail], 1e-5);
  // W_ext is the work of that force: what the energy has gained.
  tree::realize(a, Stage::velocity);
  State start(m);
  tree::realize(start, Stage::velocity);
  EXPECT_NEAR(jet.work(), a.energy() - start.energy(), 1e-7);
}

TEST(MaximalProjected, LetsGoOfConstraintsThatTheStateDisables) {
  State start = start_of("four_bar");
  start.disable(0);
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-10}, 0.5), exact(start, 0.5, 1e-11)), 1e-6);
}

TEST(MaximalProjected, TakesTheForcesThatTheStateApplies) {
  const Mechanism m = pendulum(0.3);
  State start(m);
  start.set_applied_force(0, 2.5);
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-10}, 1), exact(start, 1)), 1e-7);
}

TEST(MaximalProjected, EndsStepsWhereSignalsBreak) {
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "pin", .model = Revolute{}, .child = "bob"});
  b.add_force({CoordinateInputSpec{"pin", Signal::samples({0.3, 0.55, 0.7}, {0, 4, 0}, Signal::Joining::linear)}});
  const State start(b.build());
  EXPECT_LT(distance(run_jet(start, {.accuracy = 1e-9}, 1), exact(start, 1)), 1e-7);
  MaximalProjected stepper(start.mechanism(), {.accuracy = 1e-3});
  std::vector<double> ends;
  while (stepper.time() < 1) {
    ASSERT_TRUE(stepper.step(1).ok());
    ends.push_back(stepper.time());
  }
  for (const double t : {0.3, 0.55, 0.7}) EXPECT_EQ(std::count(ends.begin(), ends.end(), t), 1) << t;
}

TEST(MaximalProjected, ComesToRestWithoutLosingItself) {
  // A damped pendulum: in the end no velocity is left that could restore what the energy's account is off by.
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "pin",
               .model = Revolute{},
               .child = "bob",
               .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  b.add_force({CoordinateDampingSpec{"pin", 0.3}});
  b.set_initial({.coordinate = "pin", .value = 1.0});
  const State start(b.build());
  const State end = run_jet(start, {.accuracy = 1e-7}, 60);
  EXPECT_LT(distance(end, exact(start, 60)), 1e-5);
}

TEST(MaximalProjected, NamesTheConstraintThatCannotBeMet) {
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "pin", .model = Revolute{}, .child = "bob"});
  b.add_frame({.name = "tip", .body = "bob", .X_BF = at(0.3, 0, 0)});
  b.add_constraint({.name = "far", .model = WireSpec{"ground", "tip", 5}});  // the tip is never farther than 0.3 m
  MaximalProjected stepper(b.build());
  const StepReport report = stepper.step(1);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(report.t, 0);
  EXPECT_NE(stepper.explain(report).find("largest in"), std::string::npos) << stepper.explain(report);
}

TEST(MaximalProjected, StopsWhereASignalMakesAVelocityJump) {
  MechanismBuilder b;
  b.add_body({.name = "cart", .mass = brick(2)}).add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "rail", .model = Prismatic{}, .child = "cart"});
  b.add_joint({.name = "pin", .model = Revolute{}, .parent = "cart", .child = "bob"});
  b.add_kinematic({.coordinate = "rail", .signal = Signal::samples({0, 0.5, 1}, {0, 0.5, 0}, Signal::Joining::linear)});
  MaximalProjected stepper(b.build());
  StepReport report = stepper.step(2);
  while (report.ok() && stepper.time() < 2) report = stepper.step(2);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(report.t, 0.5);
  EXPECT_NE(stepper.explain(report).find("impulse"), std::string::npos) << stepper.explain(report);
  EXPECT_NE(stepper.explain(report).find("\"rail\""), std::string::npos) << stepper.explain(report);
}

TEST(MaximalProjected, CountsAnglesOnWhereAStepTakesMoreThanHalfATurn) {
  // A wheel at 40 rad/s in steps of 0.25 s, geared to a second one: gears tell full turns apart.
  MechanismBuilder b;
  b.gravity = {0, 0, 0};
  for (const char* name : {"a", "b"}) {
    b.add_body({.name = name, .mass = {1, {}, SymMat3<double>::diagonal({1, 1, 2})}});
    b.add_joint({.name = name, .model = Revolute{}, .child = name});
  }
  b.add_constraint({.name = "teeth", .model = GearSpec{"a", "b", -2}});
  b.set_initial({.coordinate = "a", .speed = 40});
  b.set_initial({.coordinate = "b", .speed = -80});
  const State start(b.build());
  const State end = run_jet(start, {}, 3);
  EXPECT_NEAR(end.q()[0], 120, 1e-6);
  EXPECT_NEAR(end.q()[1], -240, 1e-6);
}

TEST(MaximalProjected, RefusesOptionsThatMakeNoSense) {
  const Mechanism m = pendulum(0.1);
  EXPECT_THROW(MaximalProjected(m, {.accuracy = 0}), std::invalid_argument);
  EXPECT_THROW(MaximalProjected(m, {.fixed_step = -1}), std::invalid_argument);
  EXPECT_THROW(MaximalProjected(m, {.initial_step = 0}), std::invalid_argument);
  EXPECT_THROW(MaximalProjected(m, {.largest_step = 0}), std::invalid_argument);
  EXPECT_THROW(MaximalProjected(m, {.tolerance = 2}), std::invalid_argument);
  EXPECT_THROW(MaximalProjected(m, {.invariants = {{"nothing", {}, {}}}}), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::projected
