/// Polhode as an entrant, and the meter along its motions.

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/step/from_mechanism.h"
#include "bench/step/measure.h"
#include "bench/step/problems.h"
#include "bench/step/subject.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::bench {
namespace {

std::shared_ptr<const OwnModel> model(const std::string& name) { return load_own_model(testing_support::model_path(name)); }

std::vector<BodyState> look(StepSubject& subject) {
  std::vector<BodyState> bodies(subject.problem().links.size());
  subject.observe(bodies);
  return bodies;
}

double largest_distance(const std::vector<BodyState>& a, const std::vector<BodyState>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, length(a[i].centre - b[i].centre));
  return largest;
}

class ModelInMotion : public testing::TestWithParam<const char*> {};

/// What the library says of its own state, and what the meter says of the links that it shows.
TEST_P(ModelInMotion, HasTheLibrarysEnergyAndNoGaps) {
  const auto own = model(GetParam());
  Problem problem = problem_of(own);
  problem.steps = 40;
  const auto subject = make_polhode_step(problem, "tree-projected accuracy=1e-8");
  Meter meter(problem);
  const double began = meter.read(0, look(*subject)).energy;
  std::vector<State> states;
  study::SimulateOptions options{.method = "tree-projected", .time = 0.4, .options = {{"accuracy", 1e-8}}};
  options.interval = problem.dt;
  study::simulate(own->start, options, [&](const State& state) { states.push_back(state); });
  ASSERT_EQ(states.size(), 41u);
  for (int i = 1; i <= 40; ++i) {
    subject->advance(1);
    const Reading reading = meter.read(i * problem.dt, look(*subject));
    if (std::all_of(problem.links.begin(), problem.links.end(), [](const Link& link) { return link.drive == 0; })) {
      // The library's own, from the same steps.
      EXPECT_NEAR(reading.energy, states[std::size_t(i)].energy(), 1e-12 * problem.energy_scale) << i;
    }
    // Tolerances of the projection are a tenth of the accuracy in units of each constraint; interpolation is of the order of
    // the accuracy.
    EXPECT_LT(reading.gap, 1e-7) << i;
    EXPECT_LT(reading.tilt, 1e-7) << i;
    if (problem.is_conservative()) {
      EXPECT_NEAR(reading.energy, began, 1e-6 * problem.energy_scale) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelInMotion,
                         testing::Values("pendulum", "double_pendulum", "four_bar", "closed_chain_device", "scissor_lift",
                                         "planar_human", "minitaur", "marionette", "jet_pendulum", "jet_quadrangle",
                                         "jet_crank"),
                         [](const auto& given) { return std::string(given.param); });

/// The same mechanism through the links alone.
class ModelAsLinks : public testing::TestWithParam<const char*> {};

TEST_P(ModelAsLinks, MovesAsTheModelDoes) {
  Problem by_model = problem_of(model(GetParam()));
  by_model.steps = 30;
  Problem by_links = by_model;
  by_links.own = nullptr;
  const auto a = make_polhode_step(by_model, "tree-projected accuracy=1e-10");
  const auto b = make_polhode_step(by_links, "tree-projected accuracy=1e-10");
  EXPECT_LT(largest_distance(look(*a), look(*b)), 1e-11);
  a->advance(30), b->advance(30);
  // Some tens of steps with errors of 1e-10 each, in motions that spread by less than a hundred in 0.3 s.
  EXPECT_LT(largest_distance(look(*a), look(*b)), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, ModelAsLinks,
                         testing::Values("pendulum", "double_pendulum", "four_bar", "closed_chain_device", "scissor_lift",
                                         "planar_human", "minitaur", "jet_pendulum", "jet_quadrangle", "jet_crank"),
                         [](const auto& given) { return std::string(given.param); });

TEST(PolhodeSubject, ScissorLiftOfTheModelMovesAsThatOfTheProblems) {
  Problem of_model = problem_of(model("scissor_lift")), of_links = scissor_lift();
  of_model.steps = of_links.steps = 50;
  const auto a = make_polhode_step(of_model, "tree-projected accuracy=1e-10");
  const auto b = make_polhode_step(of_links, "tree-projected accuracy=1e-10");
  a->advance(50), b->advance(50);
  const auto slider = std::find_if(of_model.links.begin(), of_model.links.end(),
                                   [](const Link& link) { return link.joint == JointKind::slide; });
  const double x = look(*a)[std::size_t(slider - of_model.links.begin())].centre[0];
  EXPECT_NEAR(x, look(*b)[0].centre[0], 1e-8);
  EXPECT_NEAR(x, of_links.exact_x[49], 1e-8);
}

TEST(PolhodeSubject, DeviceOfTheModelMovesAsThatOfTheProblems) {
  // The model starts from the nearest state that fits; the problem's angles are another.  Given one start, both move alike.
  Problem of_model = problem_of(model("closed_chain_device")), of_links = closed_chain_device();
  ASSERT_EQ(of_model.links.size(), of_links.links.size());
  of_model.own = nullptr;
  of_model.steps = of_links.steps = 50;
  for (std::size_t i = 0; i < of_links.links.size(); ++i) {
    ASSERT_EQ(of_model.links[i].parent, of_links.links[i].parent);
    EXPECT_LT(length(of_model.links[i].joint_at - of_links.links[i].joint_at), 1e-15);
    EXPECT_LT(length(of_model.links[i].centre - of_links.links[i].centre), 1e-15);
    const double sign = of_model.links[i].axis[1];
    of_model.links[i].q[0] = sign * of_links.links[i].q[0];
    of_model.links[i].u[0] = 0;
  }
  const auto a = make_polhode_step(of_model, "tree-projected accuracy=1e-10");
  const auto b = make_polhode_step(of_links, "tree-projected accuracy=1e-10");
  a->advance(50), b->advance(50);
  EXPECT_LT(largest_distance(look(*a), look(*b)), 1e-7);
}

/// Steps are the method's own, wherever one looks in between.
TEST(PolhodeSubject, LookingDoesNotChangeTheStepsThatItChooses) {
  Problem problem = planar_chain(3, 1);
  problem.steps = 100;
  const auto often = make_polhode_step(problem, "tree-projected accuracy=1e-6");
  const auto once = make_polhode_step(problem, "tree-projected accuracy=1e-6");
  for (int i = 0; i < 100; ++i) often->advance(1), look(*often);
  once->advance(100);
  EXPECT_EQ(often->counters().steps, once->counters().steps);
  EXPECT_EQ(largest_distance(look(*often), look(*once)), 0);
}

TEST(PolhodeSubject, KnowsTheOptionsOfEachMethod) {
  const Problem problem = planar_chain(2, 1);
  const auto after_a_second = [&](const std::string& method) {
    const auto subject = make_polhode_step(problem, method);
    subject->advance(100);
    return look(*subject);
  };
  const auto exact = after_a_second("tree-projected accuracy=1e-11");
  const double second = largest_distance(after_a_second("tree-variational"), exact);
  const double fourth = largest_distance(after_a_second("tree-variational order=4"), exact);
  EXPECT_LT(second, 0.01);
  EXPECT_LT(fourth, second / 20);
  EXPECT_LT(largest_distance(after_a_second("maximal-projected accuracy=1e-8"), exact), 1e-5);
  EXPECT_LT(largest_distance(after_a_second("maximal-variational tolerance=1e-12"), exact), 0.01);
  EXPECT_LT(largest_distance(after_a_second("tree-projected integrator=rk8 accuracy=1e-10"), exact), 1e-7);
  EXPECT_THROW(make_polhode_step(problem, "tree-variational speed=9"), std::runtime_error);
  EXPECT_THROW(make_polhode_step(problem, "tree-variational order=x"), std::runtime_error);
  EXPECT_ANY_THROW(make_polhode_step(problem, "tree-variational integrator=rk5"));
}

/// Their loops are closed at the start and stay so, and energy stays.
TEST(Problems, LoopsOfTheSeedsKeepTogether) {
  for (Problem problem : {closed_ball_chain(6), four_link_loop(), double_pendulum(), closed_chain(5), four_bar_chain(2)}) {
    SCOPED_TRACE(problem.name);
    problem.steps = 50;
    const auto subject = make_polhode_step(problem, "tree-projected accuracy=1e-9");
    Meter meter(problem);
    const Reading began = meter.read(0, look(*subject));
    EXPECT_LT(began.gap, 1e-14);
    EXPECT_LT(largest_distance(look(*subject), start_of(problem)), 1e-14);
    subject->advance(50);
    const Reading then = meter.read(0.5, look(*subject));
    EXPECT_LT(then.gap, 1e-8);
    EXPECT_NEAR(then.energy, began.energy, 1e-7 * problem.energy_scale);
  }
}

TEST(Problems, TheClosedBallChainLeavesItsPlane) {
  Problem problem = closed_ball_chain(6);
  const auto subject = make_polhode_step(problem, "tree-projected accuracy=1e-8");
  subject->advance(50);
  EXPECT_GT(std::abs(look(*subject)[2].centre[1]), 0.1);
}

/// One degree of freedom against 2 n + 1 bodies.
TEST(Problems, ScissorLiftsOfAnySizeMoveAsTheExactOne) {
  for (const int segments : {1, 2, 3, 8}) {
    SCOPED_TRACE(segments);
    Problem problem = scissor_lift(segments);
    problem.steps = 40;
    const auto subject = make_polhode_step(problem, "tree-projected accuracy=1e-10");
    subject->advance(40);
    EXPECT_NEAR(look(*subject)[0].centre[0], problem.exact_x[39], 1e-7);
  }
}

/// Displaced by a known distance, or turned by a known angle.
TEST(Meter, SeesGapsAndTiltsOfTheSizeTheyHave) {
  const Problem problem = planar_chain(1, 0.3);
  std::vector<BodyState> bodies = start_of(problem);
  bodies[0].centre = bodies[0].centre + Triple{0, 3e-3, 4e-3};
  EXPECT_NEAR(Meter(problem).read(0, bodies).gap, 5e-3, 1e-15);

  bodies = start_of(problem);
  bodies[0].R = rotation_about({1, 0, 0}, 2e-3) * bodies[0].R;
  EXPECT_NEAR(Meter(problem).read(0, bodies).tilt, 2e-3, 1e-12);
}

TEST(Meter, SeesHowFarALoopIsOpen) {
  const Problem problem = closed_chain(4);
  EXPECT_LT(Meter(problem).read(0, start_of(problem)).gap, 1e-14);
  Problem opened = problem;
  opened.closures[0].p_b = opened.closures[0].p_b + Triple{0, 0, 7e-3};
  EXPECT_NEAR(Meter(opened).read(0, start_of(problem)).gap, 7e-3, 1e-14);
}

/// A hinge that turns twice round under a drive: the work is drive times all of the angle.
TEST(Meter, CountsEveryTurnOfADrivenHinge) {
  Problem problem = planar_chain(1, 0);
  problem.gravity = {};
  problem.links[0].drive = 2;
  Meter meter(problem);
  const double pi = 3.14159265358979323846;
  for (int i = 0; i <= 100; ++i) {
    problem.links[0].q[0] = 4 * pi * i / 100;
    const Reading reading = meter.read(0, start_of(problem));
    EXPECT_NEAR(reading.energy, -2 * problem.links[0].q[0], 1e-13);
  }
}

}  // namespace
}  // namespace polhode::bench
