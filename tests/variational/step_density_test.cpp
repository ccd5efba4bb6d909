// Steps that follow the motion: what they keep, and what they save.
#include "polhode/variational/step_density.h"

#include "tests/support/allocation_counter.h"
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// A planet that starts where it is nearest to the sun. Half axis 1 m, G M = 1 m^3/s^2.
State planet(double eccentricity) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, 0};
  builder.add_body({.name = "sun", .mass = {1000, {}, SymMat3<double>::diagonal({1, 1, 1})}});
  builder.add_joint({.name = "held", .model = Weld{}, .child = "sun"});
  builder.add_body({.name = "planet", .mass = MassProperties::particle(1, {})});
  builder.add_joint({.name = "orbit", .model = Translation{}, .child = "planet"});
  builder.add_force({AttractionSpec{1e-3, {"sun", "planet"}}});
  builder.set_initial({.coordinate = "orbit.x", .value = 1 - eccentricity});
  builder.set_initial({.coordinate = "orbit.y", .speed = std::sqrt((1 + eccentricity) / (1 - eccentricity))});
  return tree::initial_state(builder.build());
}
constexpr double period = 2 * pi;
double angular_momentum(const State& s) { return s.q()[0] * s.u()[1] - s.q()[1] * s.u()[0]; }

/// What a step along the exact motion of one oscillator would be, wherever it is.
TEST(StepDensity, IsTheFrequencyOfAnOscillatorInEveryPhase) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, 0};
  builder.add_body({.name = "mass", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "x", .model = Prismatic{}, .child = "mass"});
  builder.add_force({CoordinateSpringSpec{"x", 2 * 49.0, 0}});  // 7 rad/s
  const State start = tree::initial_state(builder.build());
  StepDensity density(start, {.accuracy = 1e-4, .order = 2, .largest_step = 100});
  for (double phase = 0; phase < 6.3; phase += 0.37) {
    const double q[] = {0.3 * std::cos(phase)}, u[] = {-0.3 * 7 * std::sin(phase)};
    density.restart();
    // eps = sqrt(12e-4); differences of 1e-2/Q err by the square of that, and the floor of eps/100 s by less.
    EXPECT_NEAR(density.propose(0, q, u, {}) * 7, std::sqrt(12e-4), 1e-4 * std::sqrt(12e-4)) << "phase " << phase;
  }
}

// From the middle rho back: with speeds turned round, the step that led here is proposed again.
TEST(StepDensity, ReadsTheSameBackwards) {
  for (const State& start :
       {planet(0.9), assembled("double_pendulum"), assembled("closed_chain_device"), assembled("bricard")}) {
    TreeVariational stepper = started(start, TreeVariationalOptions{.accuracy = 1e-3});
    StepDensity density(start, {.accuracy = 1e-3, .order = 2, .largest_step = 0.1});
    State state = start;
    double before = 0;
    int compared = 0;
    for (int k = 0; k < 100; ++k) {
      const double h = density.propose(state.time(), state.q(), state.u(), state.z());
      density.took(h);
      if (before > 0) {
        std::vector<double> back(state.u().begin(), state.u().end());
        for (double& u : back) u = -u;
        // To rounding, but where differences are taken with another power of two on the way back: their truncation, 4e-6 of
        // derivatives that may be several times what they are taken of.
        EXPECT_NEAR(density.propose(state.time(), state.q(), back, state.z()), before, 1e-4 * before) << "step " << k;
        ++compared;
        density.propose(state.time(), state.q(), state.u(), state.z());
      }
      before = h;
      ASSERT_TRUE(stepper.step(state.time() + h).ok());
      stepper.get(state);
    }
    EXPECT_GT(compared, 90);
  }
}

// Fifty orbits of eccentricity 0.9: the energy's error comes and goes, and does not grow.
TEST(StepDensity, KeepsTheEnergyOfAnEccentricOrbitWithoutDrift) {
  const State start = planet(0.9);
  TreeVariational stepper = started(start, TreeVariationalOptions{.accuracy = 1e-3, .largest_step = 1});
  double early = 0, late = 0, momentum = 0;
  const double J = angular_momentum(start), orbits = 50;
  run(stepper, orbits * period, [&] {
    const State now = reached(stepper, start.mechanism());
    const double error = std::abs(now.energy() + 0.5);  // -m/(2 a)
    if (now.time() < 0.1 * orbits * period) early = std::max(early, error);
    if (now.time() > 0.9 * orbits * period) late = std::max(late, error);
    momentum = std::max(momentum, std::abs(angular_momentum(now) - J));
  });
  EXPECT_NEAR(late, early, 0.1 * early);
  EXPECT_LT(momentum, 1e-9);  // 7000 steps, in each of which Newton leaves 1e-12
}

template <class Options>
double energy_span(const State& start, double t, const Options& options) {
  auto stepper = started(start, options);
  const double energy = start.energy();
  double most = 0;
  run(stepper, t, [&] { most = std::max(most, std::abs(reached(stepper, start.mechanism()).energy() - energy)); });
  return most;
}
State realized(State state) {
  tree::realize(state, Stage::velocity);
  return state;
}

// Steps go with the root of the accuracy, errors of order two with their square.
TEST(StepDensity, ErrorsFallWithTheAccuracy) {
  const State start = realized(planet(0.9));
  for (const double accuracy : {1e-3}) {
    const auto tree_span = [&](double A) {
      return energy_span(start, 3 * period, TreeVariationalOptions{.accuracy = A, .largest_step = 1});
    };
    EXPECT_NEAR(tree_span(accuracy) / tree_span(0.1 * accuracy), 10, 1.5) << accuracy;
    const auto span = [&](double A) {
      return energy_span(start, 3 * period, MaximalVariationalOptions{.accuracy = A, .largest_step = 1});
    };
    EXPECT_NEAR(span(accuracy) / span(0.1 * accuracy), 10, 1.5) << accuracy;
  }
  // The motion itself, against another method: a double pendulum that turns over. Order four falls with the accuracy, too.
  const State swing = assembled("double_pendulum");
  const std::vector<double> exact = exact_motion(swing, 1);
  const auto error = [&](const auto& options) { return largest_difference(body_motion(end_of_run(swing, 1, options)), exact); };
  for (const auto& [order, most] : {std::pair{2, 1e-4}, {4, 1e-6}}) {
    const auto by_tree = [&, o = order](double A) { return error(TreeVariationalOptions{.accuracy = A, .order = o}); };
    EXPECT_NEAR(std::log10(by_tree(most) / by_tree(0.01 * most)), 2, 0.3) << "order " << order;
    const auto by_maximal = [&, o = order](double A) { return error(MaximalVariationalOptions{.accuracy = A, .order = o}); };
    EXPECT_NEAR(std::log10(by_maximal(most) / by_maximal(0.01 * most)), 2, 0.3) << "order " << order;
  }
}

// At the same error of the energy, an eccentric orbit takes less than a fifth of the steps.
TEST(StepDensity, SavesStepsWhereTheMotionIsUneven) {
  const State start = realized(planet(0.9));
  TreeVariational chosen = started(start, TreeVariationalOptions{.accuracy = 1e-3, .largest_step = 1});
  run(chosen, period);
  const double span = energy_span(start, period, TreeVariationalOptions{.accuracy = 1e-3, .largest_step = 1});
  const double h = 5 * period / double(chosen.statistics().steps);
  EXPECT_GT(energy_span(start, period, TreeVariationalOptions{.step = h / 25}), 0);
  EXPECT_GT(energy_span(start, period, TreeVariationalOptions{.step = h / 25}), span);  // five times the steps, and worse
}

// A stiff spring beside a soft one: steps are those of the one that moves.
TEST(StepDensity, FollowsTheSpringThatMoves) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, 0};
  for (const char* name : {"soft", "stiff"}) {
    builder.add_body({.name = name, .mass = MassProperties::particle(1, {})});
    builder.add_joint({.name = std::string(name) + " x", .model = Prismatic{}, .child = name});
  }
  builder.add_force({CoordinateSpringSpec{"soft x", 1, 0}});
  builder.add_force({CoordinateSpringSpec{"stiff x", 1e6, 0}});
  const Mechanism mechanism = builder.build();
  const double eps = std::sqrt(12e-4);
  for (const int moved : {0, 1}) {
    State start = tree::initial_state(mechanism);
    std::vector<double> q{0, 0};
    q[std::size_t(moved)] = 0.1;
    start.set_q(q);
    TreeVariational stepper = started(start, TreeVariationalOptions{.accuracy = 1e-4, .largest_step = 1});
    const double omega = moved == 0 ? 1 : 1e3;
    run(stepper, 10 / omega);
    EXPECT_NEAR(double(stepper.statistics().steps), 10 / eps, 2) << moved;
    EXPECT_NEAR(stepper.statistics().largest_step * omega, eps, 0.01 * eps) << moved;
  }
}

TEST(StepDensity, RestsWhereNothingMoves) {
  const State hanging = tree::initial_state(rods(3, true, 0).build());
  TreeVariational stepper = started(hanging, TreeVariationalOptions{.accuracy = 1e-6, .largest_step = 0.25});
  run(stepper, 5);
  EXPECT_EQ(stepper.statistics().steps, 20);
  MaximalVariational other = started(hanging, MaximalVariationalOptions{.accuracy = 1e-6, .largest_step = 0.25});
  run(other, 5);
  EXPECT_EQ(other.statistics().steps, 20);
}

TEST(StepDensity, EndsStepsAtTheLimitAndInterpolates) {
  const State start = planet(0.6);
  TreeVariational stepper = started(start, TreeVariationalOptions{.accuracy = 1e-5});
  State state = start;
  for (const double t : {0.1, 0.3333, 1.7}) {
    run(stepper, t);
    EXPECT_EQ(stepper.time(), t);
  }
  const double t0 = stepper.time();
  ASSERT_TRUE(stepper.step(1e9).ok());
  stepper.interpolate(0.5 * (t0 + stepper.time()), state);
  tree::realize(state, Stage::velocity);
  EXPECT_NEAR(state.energy(), -0.5, 1e-3);
}

TEST(StepDensity, RefusesWhatIsNotSymmetric) {
  const Mechanism mechanism = rods(1).build();
  EXPECT_THROW(TreeVariational(mechanism, {.accuracy = 1e-3, .alpha = 0.4}), std::invalid_argument);
  EXPECT_THROW(TreeVariational(mechanism, {.accuracy = 0.5}), std::invalid_argument);
  EXPECT_THROW(TreeVariational(mechanism, {.largest_step = 0.0}), std::invalid_argument);
  EXPECT_THROW(MaximalVariational(mechanism, {.accuracy = 1e-3, .order = 1}), std::invalid_argument);
}

TEST(StepDensity, AllocatesNothing) {
  for (const char* model : {"closed_chain_device", "bicycle", "heavy_top"}) {
    const State start = assembled(model);
    TreeVariational a = started(start, TreeVariationalOptions{.accuracy = 1e-5});
    MaximalVariational b = started(start, MaximalVariationalOptions{.accuracy = 1e-5});
    EXPECT_EQ(testing_support::allocations_in([&] {
                for (int k = 0; k < 10; ++k)
                  if (!a.step(1e9).ok() || !b.step(1e9).ok()) throw std::runtime_error("a step failed");
              }),
              0)
        << model;
  }
}

}  // namespace
}  // namespace polhode::variational
