// IFToMM A01: the simple pendulum, in one angle and as a particle on a rod. Its period is an elliptic integral.
#include "polhode/mechanism/builder.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double published_period = 2.3678419475762;

/// A particle in the plane y = 0 at the end of a rod of 1 m, as the library has it.
Mechanism particle_on_a_rod() {
  MechanismBuilder builder;
  builder.add_body({.name = "bob", .mass = {.mass = 1}, .drawn_pose = at(1, 0, 0)});
  builder.add_constraint({"rod", WireSpec{ground_name, "bob", 1}});
  builder.add_constraint({"plane", PointConstraintSpec{ground_name, "bob", {0, 1, 0}}});
  return builder.build();
}

// Released from the horizontal: a quarter of the period is K(sin 45 deg) sqrt(l/g).
TEST(ValidationPendulum, PublishedPeriodIsTheEllipticIntegral) {
  EXPECT_NEAR(4 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(9.81), published_period, 5e-14);
}

// Where it started it is released again with g/l: an error of the period shows as a speed of 9.81 times it. Local errors of
// 1e-12 in some hundred steps.
TEST(ValidationPendulum, IsBackAfterThePublishedPeriod) {
  const Outcome angle = run(start_of(load("simple_pendulum")), projected(published_period, 1e-12));
  EXPECT_NEAR(speed(angle.end, "angle'"), 0, 9.81 * 1e-10);
  EXPECT_NEAR(coordinate(angle.end, "angle"), 0, 1e-10);
  const Outcome particle = run(start_of(particle_on_a_rod()), projected(published_period, 1e-12));
  EXPECT_NEAR(velocity(particle.end, "bob").z, 0, 9.81 * 1e-10);
  EXPECT_LT(norm(place(particle.end, "bob") - Vec3<double>{1, 0, 0}), 1e-10);
}

TEST(ValidationPendulum, KeepsItsEnergyForTenSeconds) {
  for (const State& start : {start_of(load("simple_pendulum")), start_of(particle_on_a_rod())}) {
    SimulateOptions options = projected(10, 1e-7, "rk5");
    options.interval = 0.01;
    EXPECT_LT(run(start, options, [](const State&) {}).summary.energy_span(), 5e-5);
  }
}

// The particle's multiplier is the rod's force: 3 m g sin(angle) of tension when it falls from the horizontal.
TEST(ValidationPendulum, TensionIsThreeTimesTheWeightAtTheBottom) {
  State end = run(start_of(particle_on_a_rod()), projected(published_period / 4, 1e-12)).end;
  tree::realize(end, Stage::acceleration);
  EXPECT_NEAR(place(end, "bob").z, -1, 1e-10);
  EXPECT_NEAR(std::abs(end.multipliers()[0]), 3 * 9.81, 1e-8);
  EXPECT_NEAR(end.multipliers()[1], 0, 1e-10);
}

}  // namespace
}  // namespace polhode::study
