// What maximal-variational keeps, for how long.
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// Largest of |a| over a run, and the slope of the line through the first and the last tenth's means.
struct Record {
  double least = 1e300, most = -1e300, first = 0, last = 0;
  long count = 0, tenth;
  explicit Record(long steps) : tenth(steps / 10) {}
  void add(double x, long k, long steps) {
    least = std::min(least, x), most = std::max(most, x);
    if (k < tenth) first += x / double(tenth);
    if (k >= steps - tenth) last += x / double(tenth);
    ++count;
  }
  double span() const { return most - least; }
};

/// About Ground's origin, from the stepper's own state.
Wrench<double> total_momentum(const MaximalVariational& stepper) {
  Wrench<double> sum{};
  for (std::size_t b = 1; b < stepper.bodies().size(); ++b) {
    const double* p = stepper.momenta().data() + b * maximal::row_width;
    const Vec3<double> push{p[3], p[4], p[5]};
    const maximal::BodyMotion& body = stepper.bodies()[b];
    sum += Wrench<double>{rotation(body.r) * Vec3<double>{p[0], p[1], p[2]} + cross(body.x, push), push};
  }
  return sum;
}

TEST(MaximalConservation, KeepsAllMomentaOfBodiesThatFloatFree) {
  // Bodies joined to each other, none to Ground, no gravity: 1e-12 per unit of momentum over ten thousand steps.
  for (unsigned seed = 1; seed <= 3; ++seed) {
    MechanismBuilder builder;
    testing_support::Random random(seed);
    builder.gravity = {};
    for (int i = 0; i < 5; ++i) {
      const std::string name = "body" + std::to_string(i);
      builder.add_body({.name = name, .mass = transformed(random.transform(0.2), MassProperties::box(1.3, {0.3, 0.5, 0.7}))});
      const auto X_PF = random.transform(0.5), X_BM = random.transform(0.5);
      if (i > 0)
        builder.add_joint({.name = "joint" + std::to_string(i),
                           .model = i % 2 ? JointModel(Revolute{}) : JointModel(Ball{}),
                           .parent = "body" + std::to_string(i - 1),
                           .child = name,
                           .placement = LocalPlacement{X_PF, X_BM}});
    }
    const State start = random_start(builder.build(), seed);
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.005});
    const Wrench<double> before = total_momentum(stepper);
    const double unit = norm(before.moment) + norm(before.force);
    double drift = 0, reported = 0;
    for (long k = 0; k < long_run / 100; ++k) {
      ASSERT_TRUE(stepper.step(1e9).ok());
      if (k % 100 != 0) continue;
      const Wrench<double> now = total_momentum(stepper), told = reached(stepper, start.mechanism()).momentum();
      // Angular momentum about Ground's origin: its rounding grows with the distance.
      const double reach = 1 + norm(stepper.bodies()[1].x);
      drift = std::max({drift, norm(now.moment - before.moment) / reach, norm(now.force - before.force)});
      reported = std::max({reported, norm(told.moment - before.moment) / reach, norm(told.force - before.force)});
    }
    EXPECT_LT(drift, 1e-12 * unit);
    // Speeds that are read off bodies have Newton's tolerance in them, 1e-12 over a step.
    EXPECT_LT(reported, 1e-10 * unit);
  }
}

TEST(LongMaximalConservation, KeepsTheEnergyOfADoublePendulumForAnHour) {
  // Bruedigam & Manchester, Fig. 4a: 60 minutes with steps of 10 ms.
  const State start = assembled("double_pendulum");
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  const double energy = reached(stepper, start.mechanism()).energy();
  const long steps = std::min(360'000L, long_run);
  Record record(steps);
  State state(start.mechanism());
  for (long k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
    if (k % 5 == 0) {
      stepper.get(state);
      tree::realize(state, Stage::velocity);
      record.add(state.energy() - energy, k, steps);
    }
  }
  // The error comes and goes; what it would drift by is a small part of that.
  EXPECT_LT(std::abs(record.last - record.first) / 5, 0.1 * record.span());
  EXPECT_LT(record.span(), 0.05 * std::abs(energy));
}

TEST(MaximalConservation, DoesNotLetAFourBarDriftApart) {
  // Bruedigam & Manchester, Fig. 4b: ten minutes with steps of 10 ms. The error is that of the last solve, not a sum of errors.
  const State start = assembled("four_bar");
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01, .tolerance = 1e-10});
  maximal::Constraints constraints(start.mechanism());
  std::vector<double> h(std::size_t(constraints.num_rows()));
  double most = 0;
  const long steps = std::min(60'000L, long_run);
  for (long k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
    constraints.errors(stepper.time(), stepper.bodies(), start.q(), h);
    for (const double e : h) most = std::max(most, std::abs(e));
  }
  EXPECT_LE(most, 1e-10);
}

TEST(MaximalConservation, KeepsQuaternionsUnitOnes) {
  const State start = assembled("dzhanibekov");
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  for (long k = 0; k < std::min(100'000L, long_run); ++k) ASSERT_TRUE(stepper.step(1e9).ok());
  for (const maximal::BodyMotion& body : stepper.bodies()) EXPECT_NEAR(norm_squared(body.r), 1, 1e-15);
}

}  // namespace
}  // namespace polhode::variational
