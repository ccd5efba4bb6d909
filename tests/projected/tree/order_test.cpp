// Orders of convergence and error control of every integrator, on a spatial mechanism with ball and free joints.
#include "tests/projected/mechanisms.h"

namespace polhode::projected {
namespace {

constexpr double end = 1.0;

/// By another integrator than the one that is measured, at a much finer accuracy.
const State& exact_for(const std::string& integrator) {
  static const Mechanism m = spatial_mechanism();
  static const State by_five = run(m, {.integrator = "rk5", .accuracy = 1e-14, .largest_step = 1.0 / 4096}, end);
  static const State by_eight = run(m, {.integrator = "rk8", .accuracy = 1e-14, .largest_step = 1.0 / 512}, end);
  return integrator == "rk8" ? by_five : by_eight;
}

struct OrderCase {
  const char* integrator;
  int order;
  int coarse_steps;  ///< in one second; small enough that rounding does not show, large enough that the next order does not
};
class Order : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(Integrators, Order,
                         testing::Values(OrderCase{"euler", 1, 4096}, OrderCase{"semi-explicit-euler", 1, 4096},
                                         OrderCase{"rk2", 2, 512}, OrderCase{"verlet", 2, 512}, OrderCase{"rk3", 3, 256},
                                         OrderCase{"merson", 4, 128}, OrderCase{"rk5", 5, 128}, OrderCase{"rk8", 8, 32}),
                         [](const auto& which) {
                           std::string name = which.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Order, IsThatOfTheMethodOnASpatialMechanismWithABallJoint) {
  const std::string integrator = GetParam().integrator;
  const int order = GetParam().order, steps = GetParam().coarse_steps;
  const State& exact = exact_for(integrator);
  const auto error = [&](int n) {
    return distance(run(exact.mechanism(), {.integrator = integrator, .fixed_step = end / n}, end), exact);
  };
  // A chart without dexp^-1 would give 2 at most.
  EXPECT_NEAR(fitted_order(error, steps), order, 0.2);
}

/// The order inside steps: Hermite's cubic is of order 3 locally h^4, which is of order min(order, 4) globally.
TEST_P(Order, InsideStepsIsThatOfTheInterpolant) {
  const std::string integrator = GetParam().integrator;
  const int order = GetParam().order, steps = GetParam().coarse_steps;
  const Mechanism& m = exact_for(integrator).mechanism();
  const auto error = [&](int n) {
    // The largest over one step, that begins at the same time for all n: interpolants have places where they are better.
    const double h = end / n;
    const auto stepper = make_integrator(m, {.integrator = integrator, .fixed_step = h});
    const auto best = make_integrator(m, {.integrator = "rk8", .accuracy = 1e-14, .largest_step = 1.0 / 512});
    State inside(m), expected(m);
    // To half a second by the best integrator, so that only the one step and its interpolant are measured.
    while (best->time() < 0.5) best->step(0.5);
    best->get(inside);
    stepper->set(inside);
    stepper->step(1);
    double worst = 0;
    for (int i = 1; i < 8; ++i) {
      const double t = 0.5 + h * i / 8;
      while (best->time() < t) best->step(t);
      best->get(expected);
      stepper->interpolate(t, inside);
      EXPECT_EQ(inside.time(), t);
      worst = std::max(worst, distance(inside, expected));
    }
    return worst;
  };
  const int own = order == 8 ? 8 : order == 5 ? 5 : std::min(order + 1, 4);  // the local error falls as h^own
  const int n = std::max(16, order == 8 ? 16 : 32);
  EXPECT_GT(std::log2(error(n) / error(2 * n)), own - 0.3) << steps;
}

class ErrorControl : public testing::TestWithParam<const char*> {};
const auto name_of = [](const auto& which) {
  std::string name = which.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
};
INSTANTIATE_TEST_SUITE_P(Integrators, ErrorControl, testing::Values("rk2", "verlet", "rk3", "merson", "rk5", "rk8", "cvode"),
                         name_of);

TEST_P(ErrorControl, GivesAboutTheAccuracyThatIsAskedFor) {
  const std::string integrator = GetParam();
  const State& exact = exact_for(integrator);
  const bool crude = integrator == "verlet" || integrator == "rk2";
  double last = 1;
  for (const double accuracy : crude ? std::vector{1e-3, 1e-4, 1e-5} : std::vector{1e-4, 1e-6, 1e-8}) {
    const double error = distance(run(exact.mechanism(), {.integrator = integrator, .accuracy = accuracy}, end), exact);
    // Some ten to some thousand local errors add up over a second of a motion that is not chaotic that soon.
    EXPECT_LT(error, 30 * accuracy);
    EXPECT_LT(error, last / 5);
    last = error;
  }
}

class FirstOrder : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, FirstOrder, testing::Values("euler", "semi-explicit-euler"), name_of);

/// A method that is not of higher order than its estimate takes 1/sqrt(accuracy) steps, each wrong by the accuracy: so only the
/// error of one step is about what is asked for, and that of a run falls as its square root.
TEST_P(FirstOrder, MakesAboutTheErrorThatIsAskedForInAStep) {
  const Mechanism m = spatial_mechanism();
  for (const double accuracy : {1e-3, 1e-5}) {
    const auto stepper = make_integrator(m, {.integrator = GetParam(), .accuracy = accuracy});
    State from(m), to(m);
    for (int i = 0; i < 50; ++i) stepper->step(end);
    stepper->get(from);
    const auto exact = make_integrator(m, {.integrator = "rk8", .accuracy = 1e-14});
    exact->set(from);
    ASSERT_TRUE(stepper->step(end).ok());
    stepper->get(to);
    while (exact->time() < to.time()) exact->step(to.time());
    State expected(m);
    exact->get(expected);
    // distance() is the largest of poses and velocities, which are up to six errors of speeds of size four, relative to them.
    const double error = distance(to, expected);
    EXPECT_LT(error, 30 * accuracy);
    EXPECT_GT(error, 0.1 * accuracy);
  }
}

TEST_P(FirstOrder, ErrsInARunByTheSquareRootOfTheAccuracy) {
  const State& exact = exact_for(GetParam());
  const auto error = [&](double accuracy) {
    return distance(run(exact.mechanism(), {.integrator = GetParam(), .accuracy = accuracy}, end), exact);
  };
  EXPECT_NEAR(std::log10(error(1e-5) / error(1e-7)), 1, 0.15);
}

}  // namespace
}  // namespace polhode::projected
