// What a variational integrator keeps: momenta that have a symmetry to round-off, energy within a band that does not drift.
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

/// A bus with an arm of pins that ends in a ball, floating; springs and dampers inside only.
State satellite() {
  MechanismBuilder builder;
  builder.gravity = {};
  const auto body = [&](const std::string& name, const std::string& parent, const JointModel& model, double mass) {
    builder.add_body({.name = name, .mass = transformed(at(0, 0.05, 0.3), MassProperties::box(mass, {0.3, 0.4, 0.7}))});
    builder.add_joint({.name = name + " joint",
                       .model = model,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{at(0.1, 0, 0.4), at(0, 0, -0.3)}});
  };
  body("bus", ground_name, Free{}, 5);
  body("upper", "bus", Revolute{}, 1);
  body("fore", "upper", Universal{}, 1);
  body("gripper", "fore", Ball{}, 0.5);
  builder.add_force({CoordinateSpringSpec{"upper joint", 3, 0.5}});
  builder.add_force({PointSpringSpec{"bus", "gripper", 2, 0.7, 0}});
  State start = tree::initial_state(builder.build());
  start.set_u(testing_support::Random(2).vector(start.mechanism().num_u(), 0.7));
  return start;
}

std::vector<double> momentum_of(const TreeVariational& stepper, const Mechanism& m) {
  return testing_support::numbers(reached(stepper, m).momentum());
}

// Each step adds a round-off of some 1e-16 of the momentum (about 10 units), and Newton leaves up to 1e-12 in q, of which
// only a part is in the momentum; they add up as a random walk. Total allowed: 1e-12 per unit.
TEST(LongConservation, MomentumOfAFloatingTreeIsKeptToRoundOff) {
  const State start = satellite();
  TreeVariational stepper = started(start, {.step = 0.02});
  const auto before = momentum_of(stepper, start.mechanism());
  std::vector<double> worst(6);
  for (long k = 1; k <= long_run; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
    if (k % 1000 != 0) continue;
    const auto now = momentum_of(stepper, start.mechanism());
    for (int i = 0; i < 6; ++i) worst[std::size_t(i)] = std::max(worst[std::size_t(i)], std::abs(now[i] - before[i]));
  }
  // Angular momentum about Ground's origin is a small difference of moments at a distance that grows: in units of that moment.
  const Vec3<double> far = reached(stepper, start.mechanism()).pose(1).p;
  const double unit = std::max(1.0, testing_support::largest(before)), arm = 1 + norm(far);
  for (int i = 3; i < 6; ++i) EXPECT_LT(worst[std::size_t(i)], 1e-12 * unit) << "linear " << i;
  for (int i = 0; i < 3; ++i) EXPECT_LT(worst[std::size_t(i)], 1e-12 * unit * arm) << "angular " << i;
}

TEST(Conservation, DampingInsideChangesNoMomentum) {
  MechanismBuilder builder = satellite().mechanism().description();
  builder.add_force({CoordinateDampingSpec{"upper joint", 1.5}});
  builder.add_force({PointSpringSpec{"bus", "gripper", 4, 0.2, 2}});
  State start = tree::initial_state(builder.build());
  start.set_u(testing_support::Random(2).vector(start.mechanism().num_u(), 0.7));
  for (const double alpha : {0.5, 0.3}) {
    TreeVariational stepper = started(start, {.step = 0.02, .alpha = alpha});
    const auto before = momentum_of(stepper, start.mechanism());
    ASSERT_TRUE(run(stepper, 100));
    EXPECT_TRUE(testing_support::near(momentum_of(stepper, start.mechanism()), before, 1e-11)) << "alpha " << alpha;
  }
}

// Every joint type. A free joint told from its other end is left out: the midpoint of its coordinates does not move with
// Ground, so what it keeps is not the momentum but something near it (see below).
TEST(Conservation, MomentumOfFloatingTreesOfEveryJointTypeIsKept) {
  int trees = 0;
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const bool lines : {false, true}) {
      const testing_support::TreeOptions floating{.bodies = 12, .floating = true, .gravity = false, .lines_are_lines = true};
      const testing_support::TreeOptions options = lines ? tested(floating) : without_lines(floating);
      const State start = random_start(testing_support::random_mechanism(seed, options), seed);
      if (start.mechanism().joints()[1].reversed) continue;
      ++trees;
      TreeVariational stepper = started(start, {.step = 0.002});
      const auto before = momentum_of(stepper, start.mechanism());
      ASSERT_TRUE(run(stepper, 1));
      EXPECT_TRUE(testing_support::near(momentum_of(stepper, start.mechanism()), before, 1e-11))
          << "seed " << seed << (lines ? ", with line joints" : "");
    }
  EXPECT_GT(trees, 8);
}

TEST(Conservation, MomentumOfABodyHeldFromItsOtherEndIsKeptToTheSquareOfTheStep) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "body", .mass = MassProperties::box(1, {0.3, 0.5, 0.9})});
  builder.add_joint({.name = "float",
                     .model = Free{},
                     .child = "body",
                     .placement = LocalPlacement{at(0.2, 0.1, 0.3), at(0.4, 0, 0.5)},
                     .reversed = true});
  State start = tree::initial_state(builder.build());
  start.set_u(std::vector<double>{1, 2, -1.5, 0.3, 0.4, -0.2});
  const auto error = [&](double step) {
    TreeVariational stepper = started(start, {.step = step});
    const auto before = momentum_of(stepper, start.mechanism());
    run(stepper, 2);
    const auto after = momentum_of(stepper, start.mechanism());
    double worst = 0;
    for (std::size_t i = 0; i < 6; ++i) worst = std::max(worst, std::abs(after[i] - before[i]));
    return worst;
  };
  EXPECT_NEAR(error(0.02) / error(0.01), 4, 0.2);
}

/// A straight line through energies at equal distances, by least squares, and how far chance could tilt it. Neighbouring
/// energies are not independent, so chance is judged by the means of twenty blocks, each many times as long as the motion
/// remembers.
struct Trend {
  double drift, span, by_chance;
};
Trend trend(const std::vector<double>& energy) {
  constexpr std::size_t blocks = 20;
  std::vector<double> mean(blocks);
  const std::size_t size = energy.size() / blocks;
  double low = energy[0], high = energy[0], centre = 0, slope = 0, variance = 0;
  for (std::size_t k = 0; k < size * blocks; ++k) {
    mean[k / size] += energy[k] / double(size);
    low = std::min(low, energy[k]), high = std::max(high, energy[k]);
  }
  const auto place = [](std::size_t b) { return (double(b) + 0.5) / blocks - 0.5; };
  for (const double m : mean) centre += m / blocks;
  for (std::size_t b = 0; b < blocks; ++b) slope += place(b) * (mean[b] - centre) * 12 / blocks;
  for (std::size_t b = 0; b < blocks; ++b) variance += std::pow(mean[b] - centre - slope * place(b), 2) / (blocks - 2);
  return {slope, high - low, std::sqrt(12 * variance / blocks)};
}

// The energy error swings within a band. A drift over the whole run of less than three times what chance makes of it cannot be
// told from none. The start is disordered, so that the twenty blocks are alike: from the straight chain of the benchmarks, at
// 0.5 rad, the blocks' means wander upwards by about a quarter of the span, whatever Newton's tolerance.
TEST(LongConservation, EnergyOfATenLinkChainStaysInABandWithoutDrift) {
  if (long_run < 1'000'000) GTEST_SKIP() << "modes mix slowly: a shorter run shows their exchange as a trend";
  const Mechanism mechanism = rods(10).build();
  State state = tree::initial_state(mechanism);
  state.set_q(testing_support::Random(1).vector(10, 0.15));
  TreeVariational stepper = started(state, {.step = 0.01});
  const double at_start = reached(stepper, mechanism).energy();
  std::vector<double> energy;
  tree::Workspace w(mechanism);
  for (long k = 1; k <= long_run; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
    if (k % 20 != 0) continue;
    stepper.get(state);
    tree::realize(state, w, Stage::velocity);
    energy.push_back(state.energy() - at_start);
  }
  const Trend t = trend(energy);
  EXPECT_LT(t.span, 0.01);  // of some 5 J that move between kinetic and potential energy
  EXPECT_LT(std::abs(t.drift), 3 * t.by_chance) << "span " << t.span;
  EXPECT_LT(std::abs(t.drift), 0.2 * t.span);
  EXPECT_EQ(stepper.statistics().halved, 0);
}

TEST(Conservation, HeavyTopKeepsItsAngularMomentumAboutTheVertical) {
  const Mechanism mechanism = load("heavy_top");
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.001});
  const double before = reached(stepper, mechanism).momentum().moment.z;
  const double scale = norm(reached(stepper, mechanism).momentum().moment);
  double worst = 0;
  long k = 0;
  ASSERT_TRUE(run(stepper, 20, [&] {
    if (++k % 20 == 0) worst = std::max(worst, std::abs(reached(stepper, mechanism).momentum().moment.z - before));
  }));
  EXPECT_LT(worst, 1e-12 * scale);  // 20000 steps
}

// The energy that belongs to p and q at the steps' ends swings by O(h^2).
TEST(Conservation, EnergySwingsByTheSquareOfTheStep) {
  const Mechanism mechanism = rods(3, true, 1.2).build();
  const auto span = [&](double step) {
    TreeVariational stepper = started(tree::initial_state(mechanism), {.step = step});
    double low = 1e300, high = -1e300;
    run(stepper, 3, [&] {
      const double e = reached(stepper, mechanism).energy();
      low = std::min(low, e), high = std::max(high, e);
    });
    return high - low;
  };
  EXPECT_NEAR(span(0.004) / span(0.002), 4, 0.3);
}

}  // namespace
}  // namespace polhode::variational
