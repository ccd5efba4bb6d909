// ODE, Bullet and DART are set up from one Problem by three different rules for axes, frames and forces.  Their methods are of
// the first order, so with smaller steps those that are installed must come to one motion.

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/step/entrants.h"
#include "bench/step/isolated.h"
#include "bench/step/problems.h"

namespace polhode::bench {
namespace {

constexpr double duration = 0.2;  // [s]

struct Seen {
  std::string name;
  RunOutcome outcome;
  Course course;
};

Seen run(const Entrant& entrant, Problem problem, double dt) {
  problem.dt = dt;
  problem.steps = int(std::lround(duration / dt));
  problem.exact_x.clear();
  RunPlan plan;
  plan.repetitions = 0;
  plan.sample_every = problem.steps;
  Seen seen{entrant.label, {}, {}};
  seen.outcome = run_isolated(entrant.make, entrant.method, problem, plan, 60, &seen.course);
  EXPECT_TRUE(seen.outcome.finished) << entrant.label << ": " << seen.outcome.reason.data();
  return seen;
}

double farthest_apart(const Seen& a, const Seen& b) {
  double farthest = 0;
  for (std::size_t i = 0; i < a.course.links; ++i) {
    farthest = std::max(farthest, length(a.course.centres.back()[i] - b.course.centres.back()[i]));
  }
  return farthest;
}

/// Steps of h leave errors of about a t h / 2 at accelerations a: 10/s^2 x 0.2 s x 1e-4 s / 2 = 1e-4 m, and as much again in
/// every joint further out at higher accelerations.  A sign or a frame that is wrong changes an acceleration by per cents at
/// least, thus a place by 0.1 x 10 x 0.2^2 / 2 = 2e-2 m.
constexpr double step = 1e-4, alike = 1e-3;

void expect_one_motion(const Problem& problem, const std::vector<std::string>& names) {
  const std::vector<Entrant> entrants = entrants_named(names);
  if (entrants.size() < 2) GTEST_SKIP() << "needs two of ODE, Bullet and DART";
  const Seen first = run(entrants[0], problem, step);
  for (std::size_t i = 1; i < entrants.size(); ++i) {
    EXPECT_LT(farthest_apart(first, run(entrants[i], problem, step)), alike) << entrants[i].label;
  }
}

const std::vector<std::string> everyone{"ode exact", "bullet euler", "bullet rk4", "dart euler", "dart forces"};

Link link_on(int parent, JointKind joint, const Triple& axis) {
  Link link;
  link.parent = parent;
  link.joint = joint;
  link.joint_at = {0.1, 0.2, -0.6};
  link.zero = rotation_about({0.6, 0, 0.8}, 0.4 + 0.3 * parent);
  link.axis = (1 / length(axis)) * axis;
  link.centre = {0.1, -0.05, -0.4};
  link.inertia = {0.05, 0.08, 0.06};
  link.mass = 1.3;
  link.q = {0.5, -0.3};
  link.u = {1.2, 0.7};
  link.turn = quaternion_about({0, 0.6, 0.8}, 0.7);
  link.omega = {1, 0.3, -0.5};
  link.shift = {0.3, 0.4, 0.5};
  link.velocity = {1, -1, 2};
  return link;
}

/// Every kind of joint, the free one carrying the rest.
Problem tree_of_all_joints() {
  Problem problem;
  problem.links = {link_on(world, JointKind::free, {1, 0, 0}),  link_on(0, JointKind::hinge, {1, 2, 0.5}),
                   link_on(1, JointKind::slide, {0.2, 0.1, 1}), link_on(0, JointKind::universal, {1, 0, 0}),
                   link_on(3, JointKind::ball, {0, 1, 0}),      link_on(world, JointKind::hinge, {0, 1, 1})};
  problem.links[3].axis2 = {0, 0.6, 0.8};
  problem.energy_scale = 10;
  return problem;
}

TEST(FirstOrderPeers, MoveEveryJointAlike) { expect_one_motion(tree_of_all_joints(), everyone); }

TEST(FirstOrderPeers, HaveTheSameSpringsAndDrives) {
  Problem problem = tree_of_all_joints();
  problem.links[1].stiffness = {5, 1, 2};
  problem.links[1].drive = -3;
  problem.links[2].stiffness = {100, 0, 0};
  problem.links[2].rest = 0.3;
  problem.links[5].drive = 2;
  expect_one_motion(problem, everyone);
}

TEST(FirstOrderPeers, HaveTheSameDamping) {
  Problem problem = tree_of_all_joints();
  for (Link& link : problem.links) link.damping = 0.3;
  expect_one_motion(problem, everyone);
}

/// A chain on ball joints that the closure ties to the world, in whose axes the last link is.
Problem tied_chain(Closure::Kind kind) {
  Problem problem;
  for (int i = 0; i < 4; ++i) {
    Link link;
    link.parent = i - 1;
    link.joint = JointKind::ball;
    link.joint_at = {0, 0, i == 0 ? 0.0 : -1.0};
    link.centre = {0, 0, -0.5};
    link.inertia = {0.08, 0.08, 0.02};
    link.turn = i == 0 ? quaternion_about({0.6, 0.8, 0}, 0.9) : quaternion_about({0, 1, 0}, i == 3 ? 0 : -0.5);
    problem.links.push_back(link);
  }
  const Rotation before_last = frames_at_start(problem)[2].R;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) problem.links[3].zero[3 * row + column] = before_last[3 * column + row];
  }
  const Triple end{0, 0, -1};
  problem.closures = {{kind, 3, world, end, point_on(frames_at_start(problem)[3], end)}};
  problem.energy_scale = 20;
  return problem;
}

TEST(FirstOrderPeers, ClosePointsAlike) { expect_one_motion(tied_chain(Closure::Kind::point), everyone); }
TEST(FirstOrderPeers, ClosePinsAlike) { expect_one_motion(tied_chain(Closure::Kind::pin), everyone); }

TEST(FirstOrderPeers, ClosePlanarLoopsAlike) {
  expect_one_motion(with_some_inertia(closed_chain_device(), 1e-3), everyone);  // which ODE needs
  expect_one_motion(scissor_lift(2), everyone);
  expect_one_motion(four_bar_chain(2), everyone);
}

/// The points of a planar closure need not meet: only their distance from the line along y counts.
TEST(FirstOrderPeers, MoveAPlanarLoopAlikeWhereverItsPointsAreAlongTheLine) {
  Problem problem = scissor_lift(2);
  for (Closure& closure : problem.closures) closure.p_b[1] = 0.2;
  expect_one_motion(problem, everyone);
}

TEST(FirstOrderPeers, RefuseLinesInSpace) {
  for (const Entrant& entrant : entrants_named(everyone)) {
    EXPECT_THROW(entrant.make(tied_chain(Closure::Kind::planar), entrant.method), std::runtime_error) << entrant.label;
  }
}

/// A pendulum on a rod; the mass is a point but for what ODE needs, and the rod ends at it.
Problem bob_on_rod() {
  Problem problem;
  problem.links = {link_on(world, JointKind::free, {1, 0, 0})};
  Link& bob = problem.links[0];
  bob.joint_at = {0.6, 0, -0.8};
  bob.centre = bob.shift = bob.velocity = bob.omega = {};
  bob.inertia = {0.01, 0.01, 0.01};
  Closure rod{Closure::Kind::rod, 0, world, {}, {}};
  rod.length = 1;
  problem.closures = {rod};
  problem.energy_scale = 10;
  return problem;
}

/// Carried by a ball joint instead, the rod being part of it, the bob moves in the same way.
TEST(FirstOrderPeers, OdesRodIsAsAPendulums) {
  const std::vector<Entrant> ode = entrants_named({"ode exact"});
  if (ode.empty()) GTEST_SKIP() << "needs ODE";
  const Seen on_rod = run(ode[0], bob_on_rod(), step);
  Problem pendulum = bob_on_rod();
  pendulum.closures.clear();
  Link& bob = pendulum.links[0];
  bob.joint = JointKind::hinge;
  bob.zero = no_turn;
  bob.axis = {0, 1, 0};
  bob.q = bob.u = {};
  bob.joint_at = {};
  bob.centre = {0.6, 0, -0.8};
  bob.inertia = {1e-3, 1e-3, 1e-3};  // small beside m l^2 = 1.3 kg m^2
  EXPECT_LT(farthest_apart(on_rod, run(ode[0], pendulum, step)), alike);
  EXPECT_LT(on_rod.outcome.gap, 1e-5);
}

/// The hook moves as the whole frame does that falls with the rod's bob: nothing pulls, so the bob falls freely.
TEST(FirstOrderPeers, OdesRodHangsFromAHookThatMoves) {
  const std::vector<Entrant> ode = entrants_named({"ode exact"});
  if (ode.empty()) GTEST_SKIP() << "needs ODE";
  Problem problem = bob_on_rod();
  problem.closures[0].hook = [](double t, Triple& position, Triple& velocity) {
    position = {0, 0, -standard_gravity * t * t / 2};
    velocity = {0, 0, -standard_gravity * t};
  };
  const Seen seen = run(ode[0], problem, step);
  const Triple fallen{0.6, 0, -0.8 - standard_gravity * duration * duration / 2};
  EXPECT_LT(length(seen.course.centres.back()[0] - fallen), alike);
}

TEST(FirstOrderPeers, BulletAndDartHaveNoRods) {
  for (const Entrant& entrant : entrants_named({"bullet euler", "dart euler"})) {
    EXPECT_THROW(entrant.make(bob_on_rod(), entrant.method), std::runtime_error) << entrant.label;
  }
}

}  // namespace
}  // namespace polhode::bench
