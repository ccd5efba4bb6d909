/// Models as problems: the same mechanism, said twice, must be in the same place and have the same energy.

#include "bench/step/from_mechanism.h"

#include <gtest/gtest.h>

#include "bench/step/convert.h"
#include "bench/step/measure.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::bench {
namespace {

std::shared_ptr<const OwnModel> model(const std::string& name) { return load_own_model(testing_support::model_path(name)); }

double largest_difference(const Triple& a, const Triple& b) { return length(a - b); }

// Lengths are a few metres and speeds below 10 m/s; a dozen products of numbers of that size come between the two.
constexpr double rounding = 1e-12;

class ModelAsProblem : public testing::TestWithParam<const char*> {};

TEST_P(ModelAsProblem, StartsWhereTheModelDoes) {
  const auto own = model(GetParam());
  const Problem problem = problem_of(own);
  const std::vector<LinkPlace> places = link_places(*own);
  ASSERT_EQ(problem.links.size(), places.size());
  State state = own->start;
  tree::realize(state, Stage::velocity);
  const std::vector<BodyState> bodies = start_of(problem);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = own->mechanism.bodies()[std::size_t(places[i].body)];
    SCOPED_TRACE(body.name);
    const Transform<double>& X_WB = state.pose(places[i].body);
    const Motion<double>& V = state.velocity(places[i].body);
    const Vec3<double> r = X_WB.R * body.mass.com;
    EXPECT_LT(largest_difference(bodies[i].centre, triple(X_WB.p + r)), rounding);
    EXPECT_LT(largest_difference(bodies[i].velocity, triple(V.linear + cross(V.angular, r))), 10 * rounding);
    EXPECT_LT(largest_difference(bodies[i].omega, triple(V.angular)), 10 * rounding);
    const Rotation R = rows_of(X_WB.R * places[i].X_BL.R);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(bodies[i].R[k], R[k], rounding);
  }
}

TEST_P(ModelAsProblem, HasTheModelsMass) {
  const auto own = model(GetParam());
  const Problem problem = problem_of(own);
  double of_links = 0, of_bodies = 0;
  for (const Link& link : problem.links) of_links += link.mass;
  for (const Body& body : own->mechanism.bodies()) of_bodies += body.mass.mass;
  EXPECT_DOUBLE_EQ(of_links, of_bodies);
}

/// Drives do work that the library does not count as energy; at the start it is drive times coordinate.
TEST_P(ModelAsProblem, HasTheModelsEnergyAndNoGapsAtTheStart) {
  const auto own = model(GetParam());
  const Problem problem = problem_of(own);
  State state = own->start;
  tree::realize(state, Stage::velocity);
  double expected = state.energy();
  for (const Link& link : problem.links) expected -= link.drive * link.q[0];
  const Reading reading = Meter(problem).read(0, start_of(problem));
  EXPECT_NEAR(reading.energy, expected, 1e-13 * std::max(problem.energy_scale, std::abs(expected)));
  EXPECT_LT(reading.gap, 2e-9);   // assembled to 1e-9
  EXPECT_LT(reading.tilt, 1e-8);  // the angle of a product of rotations is known to the root of rounding at worst
}

INSTANTIATE_TEST_SUITE_P(Models, ModelAsProblem,
                         testing::Values("pendulum", "double_pendulum", "four_bar", "closed_chain_device", "scissor_lift",
                                         "planar_human", "minitaur", "marionette", "jet_pendulum", "jet_quadrangle",
                                         "jet_crank"),
                         [](const auto& given) { return std::string(given.param); });

int count(const Problem& problem, JointKind kind) {
  int found = 0;
  for (const Link& link : problem.links) found += link.joint == kind;
  return found;
}
int count(const Problem& problem, Closure::Kind kind) {
  int found = 0;
  for (const Closure& closure : problem.closures) found += closure.kind == kind;
  return found;
}

TEST(ModelKinds, MasslessFramesOfThePlanarHumanAreOneFreeJoint) {
  const Problem human = problem_of(model("planar_human"));
  EXPECT_EQ(human.links.size(), 15u);
  EXPECT_EQ(count(human, JointKind::free), 1);
  EXPECT_EQ(count(human, JointKind::hinge), 14);
}

TEST(ModelKinds, LoopsCloseByWhatTheModelSays) {
  EXPECT_EQ(count(problem_of(model("four_bar")), Closure::Kind::pin), 1);
  EXPECT_EQ(count(problem_of(model("closed_chain_device")), Closure::Kind::planar), 2);
  EXPECT_EQ(count(problem_of(model("scissor_lift")), Closure::Kind::planar), 5);
  EXPECT_EQ(count(problem_of(model("minitaur")), Closure::Kind::planar), 4);
  EXPECT_EQ(count(problem_of(model("jet_crank")), Closure::Kind::point), 1);
}

TEST(ModelKinds, StringsHangOnHooksThatFollowTheirSignals) {
  const auto own = model("marionette");
  const Problem puppet = problem_of(own);
  ASSERT_EQ(count(puppet, Closure::Kind::rod), 9);
  int moved = 0;
  for (const Closure& closure : puppet.closures) {
    if (!closure.hook) continue;
    ++moved;
    const double h = 1e-6;
    Triple before, at, after, rate, unused;
    closure.hook(0.7 - h, before, unused), closure.hook(0.7, at, rate), closure.hook(0.7 + h, after, unused);
    EXPECT_LT(length(rate - (0.5 / h) * (after - before)), 1e-8);  // third derivatives below 10 m/s^3, rounding 1e-16 / h
    EXPECT_NEAR(at[2], 1.6, 0.12);
  }
  EXPECT_EQ(moved, 6);  // both head hooks and that of the back stand still
}

TEST(ModelKinds, TheQuadrangleBecomesItsPlanarTwin) {
  const Problem twin = problem_of(model("jet_quadrangle"));
  EXPECT_EQ(count(twin, JointKind::hinge), 3);
  EXPECT_EQ(count(twin, Closure::Kind::planar), 1);
  EXPECT_DOUBLE_EQ(twin.links[0].drive, -1200);
}

}  // namespace
}  // namespace polhode::bench
