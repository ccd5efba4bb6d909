// What all steppers share, on made-up methods whose attempts fail when they are told to.
#include <cmath>
#include <limits>
#include <set>

#include "polhode/format/language/model.h"
#include "polhode/stepping/error_control.h"
#include "polhode/stepping/halving_stepper.h"
#include "polhode/stepping/piecewise_stepper.h"
#include "polhode/stepping/step_controllers.h"
#include "polhode/stepping/texts.h"

namespace polhode::stepping {
namespace {

TEST(StepClock, GivesMultiplesOfTheStepAfterAMillionOfThem) {
  StepClock clock;
  clock.start(2);
  double t = 2;
  for (int i = 0; i < 1000000; ++i) t = clock.pass(StepClock::next(1e9, t, 0.1), 1e9, 0.1);
  EXPECT_EQ(t, 2 + 1e6 * 0.1);  // a sum would be off by 1e-6 and more
}

TEST(StepClock, EndsExactlyAtTheLimitAndCountsOnFromThere) {
  StepClock clock;
  clock.start(0);
  const NextStep stretched = StepClock::next(0.1 * (1 + 1e-12), 0, 0.1), cut = StepClock::next(0.04, 0, 0.1);
  EXPECT_TRUE(stretched.last && cut.last);
  EXPECT_EQ(stretched.h, 0.1 * (1 + 1e-12));
  EXPECT_EQ(cut.h, 0.04);
  EXPECT_EQ(clock.pass(cut, 0.04, 0.1), 0.04);
  EXPECT_EQ(clock.pass(StepClock::next(1, 0.04, 0.1), 1, 0.1), 0.04 + 0.1);
}

TEST(StepClock, RefusesLimitsInThePastAndThoseThatAreNoNumbers) {
  EXPECT_TRUE(is_passed(0.9, 1));
  EXPECT_TRUE(is_passed(std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_FALSE(is_passed(1, 1));
  EXPECT_EQ(limit_passed(1).status, StepReport::Status::limit_passed);
}

TEST(StepPace, GivesUpAfterThousandsOfTinyStepsInARowOnly) {
  StepPace pace;
  pace.add(0.1);
  for (int i = 0; i < StepPace::most_in_a_row - 1; ++i) pace.add(1e-9);
  EXPECT_FALSE(pace.is_stuck());
  pace.add(1e-3);  // out of it
  for (int i = 0; i < StepPace::most_in_a_row - 1; ++i) pace.add(1e-9);
  EXPECT_FALSE(pace.is_stuck());
  pace.add(1e-9);
  EXPECT_TRUE(pace.is_stuck());
  StepPace short_all_along;  // a mechanism of fast motion is no such place
  for (int i = 0; i < 10 * StepPace::most_in_a_row; ++i) short_all_along.add(1e-15);
  EXPECT_FALSE(short_all_along.is_stuck());
}

/// What a Stepper must have besides what is tested.
template <class Base>
struct Hollow : Base {
  using Base::Base;
  std::string_view method() const override { return "hollow"; }
  ResolvedOptions resolved_options() const override { return {}; }
  void set(const State&) override {}
  void set_inputs(std::span<const double>) override {}
  void set_applied_forces(std::span<const double>) override {}
  void get(State&) const override {}
  void interpolate(double, State&) const override {}
  bool remember(Memory&) override { return true; }
  std::string explain(const StepReport&) const override { return {}; }
};

/// Its state is the time up to which it has come. Attempts that are longer than `longest` fail after half of the way; others
/// throw when they pass t_throw.
struct Halver : Hollow<HalvingStepper> {
  Halver() : Hollow(1.0, 4) { start_clock(0); }
  double time() const override { return t; }
  void save(int halvings) override { saved[std::size_t(halvings)] = state; }
  void go_back(int halvings) override { state = saved[std::size_t(halvings)]; }
  bool attempt(double at, double h, int) override {
    EXPECT_NEAR(at, state, 1e-12);
    ++attempts;
    if (state + h > t_throw) throw std::runtime_error("passed");
    state += h > longest ? 0.5 * h : h;
    return h <= longest;
  }
  void arrive(double at) override { t = state = at; }
  StepReport failed(double h) const override { return {StepReport::Status::no_convergence, t, h, 0, -1}; }

  double t = 0, state = 0, longest = 1, t_throw = 1e9;
  double saved[5] = {};
  int attempts = 0;
};

TEST(HalvingStepper, TakesAStepInAsManyPartsAsItTakes) {
  Halver stepper;
  stepper.longest = 0.3;
  EXPECT_TRUE(stepper.step(10).ok());
  EXPECT_EQ(stepper.time(), 1);
  EXPECT_EQ(stepper.attempts, 2 + 4);  // 1 and 1/2 in vain, then quarters
  EXPECT_EQ(stepper.statistics().halved, 1);
  EXPECT_EQ(stepper.statistics().smallest_step, 0.25);
  EXPECT_EQ(stepper.statistics().largest_step, 0.25);
}

TEST(HalvingStepper, KeepsToShortStepsForAWhileAndThenTriesLongerOnes) {
  Halver stepper;
  stepper.longest = 0.5;
  ASSERT_TRUE(stepper.step(100).ok());
  stepper.longest = 1;
  int steps = 0;
  for (; stepper.statistics().largest_step < 1 && steps < 100; ++steps) ASSERT_TRUE(stepper.step(100).ok());
  EXPECT_GT(stepper.statistics().halved, 1);
  EXPECT_LT(steps, 5);
}

TEST(HalvingStepper, TriesLongerStepsTheMoreSeldomTheMoreOftenThatWasInVain) {
  Halver stepper;
  stepper.longest = 0.5;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(stepper.step(1e3).ok());
  // Two attempts a step; the longer ones in vain come after 1, 2, 4, 8, ... steps, seven or eight times in a hundred.
  EXPECT_GE(stepper.attempts, 200 + 5);
  EXPECT_LE(stepper.attempts, 200 + 10);
}

TEST(HalvingStepper, IsWhereItWasAfterAFailureAndAfterAnException) {
  Halver stepper;
  ASSERT_TRUE(stepper.step(10).ok());
  stepper.longest = 0.01;  // sixteenths are the shortest
  const StepReport report = stepper.step(10);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(report.h, 1);
  EXPECT_EQ(stepper.time(), 1);
  EXPECT_EQ(stepper.state, 1);
  stepper.longest = 1, stepper.t_throw = 1.1;
  EXPECT_THROW(stepper.step(10), std::runtime_error);
  EXPECT_EQ(stepper.state, 1);
  EXPECT_EQ(stepper.statistics().steps, 1);
}

TEST(ErrorControl, ShortensUntilTheErrorIsSmallAndGoesOnFromThere) {
  ErrorControl control;
  control.start(1);
  long rejected = 0;
  const auto judge = [](double h, int) -> Verdict {
    return h <= 0.2 ? Verdict{Verdict::Kind::accept, 1.5} : Verdict{Verdict::Kind::reject, 0.5};
  };
  const ErrorControl::Found found = control.find(0, 10, 0.8, rejected, judge);
  EXPECT_EQ(found.outcome, ErrorControl::Outcome::accepted);
  EXPECT_EQ(found.step.h, 0.2);  // from the largest allowed, 0.8
  EXPECT_EQ(rejected, 2);
  const ErrorControl::Found next = control.find(0.2, 10, 0.8, rejected, judge);
  EXPECT_NEAR(next.step.h, 0.15, 1e-15);  // 1.5 times as long is in vain
  EXPECT_EQ(next.t_end(0.2, 10), 0.2 + next.step.h);
}

TEST(ErrorControl, IsNotMadeTimidByAStepCutShortByTheLimit) {
  ErrorControl control;
  control.start(1);
  long rejected = 0;
  const auto accept = [](double, int) -> Verdict { return {Verdict::Kind::accept, 1}; };
  const ErrorControl::Found cut = control.find(0, 0.01, 5, rejected, accept);
  EXPECT_TRUE(cut.step.last);
  EXPECT_EQ(cut.t_end(0, 0.01), 0.01);
  EXPECT_EQ(control.find(0.01, 10, 5, rejected, accept).step.h, 1);
}

TEST(ErrorControl, StopsWhereStepsBecomeAsShortAsRounding) {
  ErrorControl control;
  control.start(1);
  long rejected = 0;
  const auto found = control.find(0, 10, 1, rejected, [](double, int) -> Verdict { return {Verdict::Kind::reject, 0.1}; });
  EXPECT_EQ(found.outcome, ErrorControl::Outcome::too_small);
  EXPECT_LT(found.step.h, 1e-14);
}

TEST(Controllers, GrowAfterSmallErrorsAndNeverStraightAfterARejection) {
  GustafssonController controller(5);
  EXPECT_GT(controller.factor(1e-3), 1);
  EXPECT_LT(controller.factor(10), 1);
  EXPECT_LE(controller.factor(1e-3), 1);
  EXPECT_GT(controller.factor(1e-3), 1);
  EXPECT_GT(classical_factor(1e-3, 5, false), 1);
  EXPECT_LE(classical_factor(1e-3, 5, true), 1);
  EXPECT_LT(classical_factor(10, 5, false), 1);
}

/// Steps of 0.4 s with a signal that breaks at 1 s.
struct Pieces : Hollow<PiecewiseStepper> {
  explicit Pieces(const Mechanism& mechanism) : Hollow(mechanism) { start_pieces(0); }
  StepReport advance(double t_limit) override {
    if (fails) return {StepReport::Status::not_finite, t1_, 0, 0, -1};
    const NextStep next = toward(t_limit, t1_, 0.4);
    t0_ = t1_;
    t1_ = next.last ? t_limit : t1_ + next.h;
    count_step(next.h);
    return {StepReport::Status::done, t1_, next.h, 0, -1};
  }
  void restart() override { restarts.insert(t1_); }
  double last_look() const { return t_most_; }
  int find_jump() override { return jumps ? 3 : -1; }
  StepReport refuse_jump(int jump) override { return {StepReport::Status::no_convergence, t1_, 0, 0, jump}; }

  std::set<double> restarts;
  bool fails = false, jumps = false;
};

Mechanism pushed() {
  return format::read_model(
             "(system (body \"cart\" (mass 1) (inertia 1 1 1)) (joint prismatic \"rail\" ground \"cart\" (axis 1 0 0))"
             "  (generalized-force \"rail\" (samples (0 0) (1 1) (2 0) (linear))))",
             "pushed.pol")
      .mechanism;
}

TEST(PiecewiseStepper, EndsAStepWhereASignalBreaksAndStartsAfreshThere) {
  Pieces stepper(pushed());
  std::vector<double> times;
  while (stepper.time() < 1.5) times.push_back(stepper.step(1.5).t);
  ASSERT_EQ(times.size(), 5u);
  EXPECT_EQ(times[2], 1);
  EXPECT_EQ(times[4], 1.5);
  EXPECT_EQ(stepper.restarts, std::set<double>{1});
  EXPECT_EQ(stepper.statistics().steps, 5);
}

TEST(PiecewiseStepper, LooksAtSignalsBeforeTheBreakOnly) {
  Pieces stepper(pushed());
  stepper.step(5);
  EXPECT_LT(stepper.last_look(), 1);
  stepper.step(0.9);
  EXPECT_EQ(stepper.last_look(), std::numeric_limits<double>::infinity());  // the limit is before the break
}

TEST(PiecewiseStepper, RefusesToGoOnWhereAVelocityJumps) {
  Pieces stepper(pushed());
  stepper.jumps = true;
  while (stepper.time() < 1) ASSERT_TRUE(stepper.step(2).ok());
  const StepReport report = stepper.step(2);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(report.speed, 3);
  EXPECT_EQ(stepper.time(), 1);
}

TEST(PiecewiseStepper, StartsAfreshAfterAFailure) {
  Pieces stepper(pushed());
  ASSERT_TRUE(stepper.step(2).ok());
  stepper.fails = true;
  EXPECT_FALSE(stepper.step(2).ok());
  EXPECT_EQ(stepper.restarts, std::set<double>{0.4});
  EXPECT_EQ(stepper.time(), 0.4);
}

TEST(Texts, NameTheStepThatATimeIsBefore) {
  EXPECT_NO_THROW(require_not_before(1, 2, 1));
  try {
    require_not_before(1, 2, 0.5);
    ADD_FAILURE() << "a time before the step was taken";
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "time 0.5 s was requested, but the last step went from 1 to 2 s");
  }
}

}  // namespace
}  // namespace polhode::stepping
