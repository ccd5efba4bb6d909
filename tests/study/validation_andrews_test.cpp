// Andrews' squeezing mechanism: the strongest of the published problems (Hairer and Wanner II, sec. VII.7; Test Set for IVP
// Solvers).
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

const char* const names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};

void expect_multipliers(State state, const double (&published)[6], double relative) {
  tree::realize(state, Stage::acceleration);
  ASSERT_EQ(state.multipliers().size(), 6u);
  double largest = 0;
  for (const double x : published) largest = std::max(largest, std::abs(x));
  // Their constraints are E2 minus the others, ours the others minus E2.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(state.multipliers()[i], -published[i], relative * largest) << i;
}

TEST(ValidationAndrews, StartsWithThePublishedAccelerationsAndMultipliers) {
  State state = start_of(load("andrews"));
  tree::realize(state, Stage::acceleration);
  const auto acceleration = [&](const char* name) { return state.u_dot()[std::size_t(state.mechanism().speed(name))]; };
  // Sixteen digits of data; masses of 1e-6 kg m^2 beside 1e-4 and arms of millimetres cost four of them.
  const double rounding = 1e-9;
  EXPECT_NEAR(acceleration("beta'") / 14222.4439199541138705911625887, 1, rounding);
  EXPECT_NEAR(acceleration("Theta'") / -10666.8329399655854029433719415, 1, rounding);
  for (const char* still : {"gamma'", "Phi'", "delta'", "Omega'", "epsilon'"})
    EXPECT_NEAR(acceleration(still), 0, rounding * 14222) << still;
  expect_multipliers(state, {98.5668703962410896057654982170, -6.12268834425566265503114393122, 0, 0, 0, 0}, rounding);
}

// What the reference supports. Runs by rk5 and rk8 at accuracies from 1e-12 on agree with each other to 1e-12 and differ from
// the published coordinates by 1.4e-9, as the independent check did. Its speeds are rounded alike, by 6e-7 of 1424. Its
// multipliers, of an index-3 solution, are good to 1e-7: the dense equations from definitions at the published state itself
// give 199.17534807 for the first.
TEST(ValidationAndrews, ReachesThePublishedStateAtThirtyMilliseconds) {
  const double q[] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                      0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const double q_dot[] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                          0.5735699284790808, -19.29337464421385, 0.3231791658026955};
  const Outcome r = study::run(start_of(load("andrews")), projected(0.03, 1e-13));
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(coordinate(r.end, names[i]), q[i], 1e-9 * std::max(1.0, std::abs(q[i]))) << names[i];
    EXPECT_NEAR(speed(r.end, names[i] + std::string("'")), q_dot[i], 1e-9 * 1424) << names[i];
  }
  expect_multipliers(
      r.end,
      {199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739, 11.61740700019673},
      1.5e-7);
}

// The library's version: another start, 50 ms; the drive's work is all that changes the energy.
TEST(ValidationAndrews, EnergyIsWhatTheDriveHasPutIn) {
  State state(load("andrews"));
  state.set_q(state.mechanism().coordinate("beta"), -0.0620);
  ASSERT_TRUE(tree::assemble(state).assembled);
  tree::realize(state, Stage::velocity);
  const double before = state.energy(), beta = coordinate(state, "beta");
  double worst = 0, most = 0;
  SimulateOptions options = projected(0.05, 1e-8, "rk5");
  options.interval = 0.001;
  study::run(state, options, [&](const State& s) {
    const double work = 0.033 * (coordinate(s, "beta") - beta);
    worst = std::max(worst, std::abs(s.energy() - before - work)), most = std::max(most, work);
  });
  EXPECT_GT(most, 0.5);           // several turns
  EXPECT_LT(worst, 1e-4 * most);  // errors of 1e-8 in some 1000 steps, ten times that for their growth
}

}  // namespace
}  // namespace polhode::study
