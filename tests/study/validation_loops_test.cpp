// Closed loops of the IFToMM library: Bricard's linkage (A04) and the spatial slider-crank.
#include "polhode/study/inspect.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

TEST(ValidationBricard, GrueblerCountsNoFreedomAndThereIsOne) {
  const Inspection found = inspect(start_of(load("bricard")));
  EXPECT_EQ(int(found.rows.size()), 5);  // five pins in the tree, and the sixth closes the loop: 5 - 5 = 0
  EXPECT_EQ(found.redundant_rows(), 1);
  EXPECT_EQ(found.degrees_of_freedom, 1);
}

TEST(ValidationBricard, KeepsItsEnergyForTenSecondsWithOneRowTooMany) {
  SimulateOptions options = projected(10, 1e-9);
  options.interval = 0.05;
  const Outcome r = run(start_of(load("bricard")), options, [](const State&) {});
  EXPECT_LT(r.summary.energy_span(), 1e-6 * 49);  // 5 kg fall about 1 m; 1e-9 in each of some hundred steps
  EXPECT_LT(r.summary.constraint_error, 1e-9);
}

// From the crank's 6 rad/s alone; the numbers are exact in the data.
TEST(ValidationSliderCrank, StartsWithThePublishedVelocities) {
  State start = start_of(load("spatial_slider_crank"));
  tree::realize(start, Stage::velocity);
  EXPECT_NEAR(place(start, "slider").x, 0.2, 1e-14);
  EXPECT_LT(norm(velocity(start, "rod") - Vec3<double>{0.12, -0.24, 0}), 1e-13);
  EXPECT_LT(norm(start.velocity(start.mechanism().body("rod")).angular - Vec3<double>{1.92, -0.96, 0.48}), 1e-13);
  EXPECT_NEAR(velocity(start, "slider").x, 0.24, 1e-13);
}

TEST(ValidationSliderCrank, KeepsItsEnergyForFiveSeconds) {
  SimulateOptions options = projected(5, 1e-9);
  options.interval = 0.01;
  const Outcome r = run(start_of(load("spatial_slider_crank")), options, [](const State&) {});
  // Some joules move to and fro; a thousand steps with 1e-9 of u^2/2 each.
  EXPECT_LT(r.summary.energy_span(), 1e-6);
  EXPECT_LT(r.summary.constraint_error, 1e-9);
}

// The rod is 0.3 m long and the crank pin 0.08 m from A = (0, 0.1, 0.12): the slider's place is a function of the crank's
// angle.
TEST(ValidationSliderCrank, SliderStandsWhereTheCrankPutsIt) {
  SimulateOptions options = projected(5, 1e-9);
  options.interval = 0.01;
  double worst = 0;
  run(start_of(load("spatial_slider_crank")), options, [&](const State& s) {
    const Vec3<double> A{0, 0.1, 0.12}, crank = place(s, "crank");
    const Vec3<double> pin = A + 2.0 * (crank - A);  // the centre of mass is in the middle
    worst = std::max(worst, std::abs(place(s, "slider").x - std::sqrt(0.09 - pin.y * pin.y - pin.z * pin.z)));
  });
  EXPECT_LT(worst, 1e-9);
}

}  // namespace
}  // namespace polhode::study
