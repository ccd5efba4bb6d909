// Space has no direction and no place of its own: every model of the corpus, moved and turned as a whole with its gravity,
// moves as before.
#include "polhode/study/start_from.h"
#include "tests/study/every_model.h"
#include "tests/support/changed_model.h"
#include "tests/support/random_start.h"

namespace polhode::study {
namespace {

using testing_support::Random;

/// Where the bodies of a mechanism that was moved by X would be without that move.
std::vector<double> poses_moved_back(const State& state, const Transform<double>& X) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b) {
    const Transform<double> back = inverse(X) * state.pose(b);
    for (const Vec3<double>& v : {back.R.col[0], back.R.col[1], back.R.col[2], back.p}) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}

void expect_the_same_when_moved(const State& start, SimulateOptions options, double tolerance) {
  const std::vector<double> upright = poses(run(start, options).end);
  for (unsigned seed = 1; seed <= 2; ++seed) {
    Random random{seed};
    const Transform<double> X{random.rotation(), random.vec3(1)};
    const Mechanism other = testing_support::moved(start.mechanism().description(), X).build();
    // With initial values of its own: by them maximal-variational tells where springs are stiff within a step.
    const State there = start_of(start_from(testing_support::carried_over(start, other, X, {})).build());
    EXPECT_LT(distance(poses_moved_back(run(there, options).end, X), upright), tolerance) << "seed " << seed;
  }
}

// Steps of the same size solve the same equations, to 1e-12 in each of some hundred steps.
TEST(RotationOfEveryModel, ChangesNothingByTreeVariational) {
  const int refused = for_every_model(variational(1, 0.01), [](const State& start, const Pace& pace) {
    expect_the_same_when_moved(start, {.time = pace.time, .dt = pace.step, .options = {{"tolerance", 1e-12}}}, 1e-8);
  });
  EXPECT_LE(refused, 3);  // the rolling ones
}
TEST(RotationOfEveryModel, ChangesNothingByMaximalVariational) {
  const int refused = for_every_model({.method = "maximal-variational"}, [](const State& start, const Pace& pace) {
    expect_the_same_when_moved(
        start, {.method = "maximal-variational", .time = pace.time, .dt = pace.step, .options = {{"tolerance", 1e-12}}}, 1e-8);
  });
  EXPECT_EQ(refused, 0);
}

// Local errors of 1e-10 depend on directions, and so do the steps chosen; as where methods are compared, they add up to 1e-7 in
// either run at the most.
TEST(RotationOfEveryModel, ChangesNothingByProjectedMethods) {
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    SCOPED_TRACE(method);
    const int refused = for_every_model({.method = method}, [&](const State& start, const Pace& pace) {
      expect_the_same_when_moved(start, {.method = method, .time = pace.time, .options = {{"accuracy", 1e-10}}}, 2e-7);
    });
    EXPECT_EQ(refused, 0);
  }
}

}  // namespace
}  // namespace polhode::study
