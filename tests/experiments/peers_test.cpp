// Simbody and MuJoCo are set up by different people's rules for axes, frames and forces from one Problem.  Where both are
// installed, they must move it alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bench/step/entrants.h"
#include "bench/step/isolated.h"

namespace polhode::bench {
namespace {

class Chance {
 public:
  explicit Chance(unsigned seed) : source_(seed) {}

  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(source_); }
  Triple triple(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Triple direction() {
    const Triple a = triple(1);
    return length(a) < 0.1 ? direction() : (1 / length(a)) * a;
  }
  Quaternion quaternion() { return quaternion_about(direction(), between(-3, 3)); }

 private:
  std::mt19937 source_;
};

Link random_link(Chance& chance, int parent, JointKind joint) {
  Link link;
  link.parent = parent;
  link.joint = joint;
  link.joint_at = chance.triple(0.5);
  link.zero = rotation_of(chance.quaternion());
  link.axis = chance.direction();
  const Triple across = cross(link.axis, chance.direction());
  link.axis2 = (1 / length(across)) * across;
  link.centre = chance.triple(0.3);
  const double I = chance.between(0.02, 0.1);
  link.inertia = {I, 1.3 * I, 1.7 * I};
  link.mass = chance.between(0.5, 2);
  link.q = {chance.between(-1, 1), chance.between(-1, 1)};
  link.u = {chance.between(-2, 2), chance.between(-2, 2)};
  link.turn = chance.quaternion();
  link.omega = chance.triple(2);
  link.shift = chance.triple(0.5);
  link.velocity = chance.triple(1);
  return link;
}

/// A tree of the kind of joint with hinges and slides before and behind it.
Problem random_tree(JointKind joint, unsigned seed) {
  Chance chance(seed);
  Problem problem;
  problem.name = "random tree";
  for (const auto& [parent, kind] :
       {std::pair{world, joint}, {0, JointKind::hinge}, {0, joint}, {1, joint}, {3, JointKind::slide}}) {
    problem.links.push_back(random_link(chance, parent, kind));
  }
  problem.gravity = chance.triple(10);
  problem.dt = 1e-4;
  problem.steps = 500;
  problem.energy_scale = 10;
  return problem;
}

bool has_coordinate(const Link& link) { return link.joint == JointKind::hinge || link.joint == JointKind::slide; }

Problem with_springs_and_drives(Problem problem, unsigned seed) {
  Chance chance(seed);
  bool is_linear = false;
  for (Link& link : problem.links) {
    if (!has_coordinate(link)) continue;
    link.drive = chance.between(-5, 5);
    link.rest = chance.between(-1, 1);
    link.stiffness = {chance.between(5, 20), 0, 0};
    if (!is_linear) link.stiffness = {5, chance.between(-10, 10), chance.between(10, 20)};
    is_linear = !is_linear;
  }
  return problem;
}

Problem with_damping(Problem problem) {
  for (Link& link : problem.links) link.damping = 0.3;
  return problem;
}

struct Seen {
  Course course;
  RunOutcome outcome;
};

Seen run(const std::string& name, const Problem& problem) {
  Seen seen;
  const Entrant entrant = entrants_named({name}).front();
  RunPlan plan;
  plan.repetitions = 0;
  plan.sample_every = problem.steps / 10;
  seen.outcome = run_isolated(entrant.make, entrant.method, problem, plan, 60, &seen.course);
  EXPECT_TRUE(seen.outcome.finished) << name << ": " << seen.outcome.reason.data();
  return seen;
}

double farthest_apart(const Course& a, const Course& b) {
  double farthest = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    for (std::size_t i = 0; i < a.links; ++i) farthest = std::max(farthest, length(a.centres[k][i] - b.centres[k][i]));
  }
  return farthest;
}

/// After a run of both.
struct Pair {
  explicit Pair(const Problem& problem) : simbody(run("simbody merson-1e-9", problem)), mujoco(run("mujoco rk4", problem)) {}

  double apart() const { return farthest_apart(simbody.course, mujoco.course); }
  double energy_error() const { return std::max(simbody.outcome.drift_largest, mujoco.outcome.drift_largest); }
  double gap() const { return std::max(simbody.outcome.gap, mujoco.outcome.gap); }
  double tilt() const { return std::max(simbody.outcome.tilt, mujoco.outcome.tilt); }

  Seen simbody, mujoco;
};

bool has_both() { return entrants_named({"simbody verlet", "mujoco rk4"}).size() == 2; }

// Simbody's accuracy is 1e-9.  MuJoCo's Runge-Kutta is of the second order where there are quaternions: 0.05 s at accelerations
// of 100/s^2 leave about (0.05 x 100)/s x (1e-4 s)^2 x 2/s, 1e-7.  Anything set up differently shows as a difference of
// accelerations of some per cent, thus as 1e-4 m and more after 0.05 s.
constexpr double alike = 1e-7;  // [m]; of energies, relative to the problem's scale

class PeersOnTrees : public testing::TestWithParam<JointKind> {
 protected:
  void SetUp() override {
    if (!has_both()) GTEST_SKIP() << "needs Simbody and MuJoCo";
  }
};

TEST_P(PeersOnTrees, MoveAlikeAndKeepTheEnergy) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Pair pair(random_tree(GetParam(), seed));
    EXPECT_LT(pair.apart(), alike);
    EXPECT_LT(pair.energy_error(), alike);
  }
}

TEST_P(PeersOnTrees, HaveTheSameSpringsAndDrives) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Pair pair(with_springs_and_drives(random_tree(GetParam(), seed), seed));
    EXPECT_LT(pair.apart(), alike);
    EXPECT_LT(pair.energy_error(), alike);
  }
}

TEST_P(PeersOnTrees, HaveTheSameDamping) {
  const Pair pair(with_damping(with_springs_and_drives(random_tree(GetParam(), 7), 7)));
  EXPECT_LT(pair.apart(), alike);
  EXPECT_LT(pair.mujoco.outcome.drift_end, -1e-3);
}

/// Trees know no gaps, and slides and universal joints show that the measure reads axes as the engines do.
TEST_P(PeersOnTrees, HaveNoGapsAndNoTilts) {
  const Pair pair(random_tree(GetParam(), 9));
  EXPECT_LT(pair.gap(), 1e-13);
  EXPECT_LT(pair.tilt(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Joints, PeersOnTrees,
                         testing::Values(JointKind::hinge, JointKind::slide, JointKind::universal, JointKind::ball,
                                         JointKind::free));

// --- closures -----------------------------------------------------------------------------------------------------

Problem at_rest(Problem problem) {  // which fits every closure
  for (Link& link : problem.links) link.u = {}, link.omega = {}, link.velocity = {};
  return problem;
}

/// The closure from a point of link a, with the point of link b that is there at the start.
Closure meeting(const Problem& problem, Closure::Kind kind, int a, int b, const Triple& p_a) {
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  return {kind, a, b, p_a, rotated_back(frames[b].R, point_on(frames[a], p_a) - frames[b].origin)};
}

Problem with_point(unsigned seed) {
  Problem problem = at_rest(random_tree(JointKind::ball, seed));
  problem.links.resize(4);
  problem.closures = {meeting(problem, Closure::Kind::point, 2, 3, Chance(seed).triple(0.3))};
  return problem;
}

Problem with_rod(unsigned seed) {
  Chance chance(seed);
  Problem problem = at_rest(random_tree(JointKind::universal, seed));
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  Closure closure{Closure::Kind::rod, 2, 3, chance.triple(0.3), chance.triple(0.3)};
  closure.length = length(point_on(frames[3], closure.p_b) - point_on(frames[2], closure.p_a));
  problem.closures = {closure};
  return problem;
}

/// Two links that hang from the world by ball joints, with one y axis.
Problem with_pin(unsigned seed) {
  Chance chance(seed);
  Problem problem = at_rest(random_tree(JointKind::ball, seed));
  problem.links = {problem.links[0], problem.links[2]};
  Link &first = problem.links[0], &second = problem.links[1];
  second.parent = world;
  second.zero = first.zero * rotation_of(first.turn);
  second.turn = quaternion_about({0, 1, 0}, chance.between(-2, 2));
  problem.closures = {meeting(problem, Closure::Kind::pin, 0, 1, chance.triple(0.3))};
  return problem;
}

/// Two double pendulums across one direction that is none of the world's axes, in planes that need not be the same, closed by
/// the kind of closure.
Problem planar(Closure::Kind kind, unsigned seed) {
  Chance chance(seed);
  Problem problem = at_rest(random_tree(JointKind::hinge, seed));
  problem.links.resize(4);
  const std::array<int, 4> parents{world, 0, world, 2};
  const Rotation plane = problem.links[0].zero;
  for (std::size_t i = 0; i < 4; ++i) {
    Link& link = problem.links[i];
    link.parent = parents[i];
    link.zero = parents[i] == world ? plane : rotation_about({0, 1, 0}, chance.between(-1, 1));
    link.axis = {0, i == 1 ? -1.0 : 1.0, 0};
  }
  problem.closures = {meeting(problem, kind, 1, 3, chance.triple(0.3))};
  if (kind == Closure::Kind::planar) problem.closures[0].p_a[1] += 0.2;  // elsewhere on the line
  return problem;
}

class PeersOnLoops : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_both()) GTEST_SKIP() << "needs Simbody and MuJoCo";
  }

  static void expect_alike(Problem (*make)(unsigned seed)) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Pair pair(make(seed));
      EXPECT_LT(pair.apart(), alike);
      EXPECT_LT(pair.energy_error(), alike);
      EXPECT_LT(pair.gap(), alike);
      EXPECT_LT(pair.tilt(), alike);
    }
  }
};

TEST_F(PeersOnLoops, ClosePointsAlike) { expect_alike(with_point); }
TEST_F(PeersOnLoops, ClosePinsAlike) { expect_alike(with_pin); }
TEST_F(PeersOnLoops, CloseRodsAlike) { expect_alike(with_rod); }

TEST_F(PeersOnLoops, ClosePlanarLoopsAlikeByEveryKind) {
  expect_alike([](unsigned seed) { return planar(Closure::Kind::planar, seed); });
  expect_alike([](unsigned seed) { return planar(Closure::Kind::point, seed); });
  expect_alike([](unsigned seed) { return planar(Closure::Kind::pin, seed); });
}

TEST_F(PeersOnLoops, MujocoRefusesPlanarClosuresOfSpatialMechanisms) {
  Problem problem = with_point(1);
  problem.closures[0].kind = Closure::Kind::planar;
  const Entrant mujoco = entrants_named({"mujoco rk4"}).front();
  EXPECT_THROW(mujoco.make(problem, mujoco.method), std::runtime_error);
}

// --- a rod whose upper end is moved -------------------------------------------------------------------------------

Problem with_hook(unsigned seed) {
  Chance chance(seed);
  Problem problem = at_rest(random_tree(JointKind::ball, seed));
  Closure closure{Closure::Kind::rod, 1, world, chance.triple(0.3), {}, 0.7};
  const Triple start = point_on(frames_at_start(problem)[1], closure.p_a) + closure.length * chance.direction();
  const Triple along = chance.direction();
  closure.hook = [=](double t, Triple& position, Triple& velocity) {
    position = start + 0.1 * (1 - std::cos(10 * t)) * along;
    velocity = std::sin(10 * t) * along;
  };
  problem.closures = {closure};
  return problem;
}

/// Simbody's semi-explicit Euler method is of the first order, Verlet's of the second.
TEST_F(PeersOnLoops, SimbodyMovesHooksByEveryMethod) {
  const Problem problem = with_hook(1);
  const Seen merson = run("simbody merson-1e-9", problem);
  EXPECT_LT(merson.outcome.gap, alike);
  EXPECT_LT(farthest_apart(merson.course, run("simbody verlet", problem).course), alike);
  EXPECT_LT(farthest_apart(merson.course, run("simbody euler", problem).course), 1e-4);
}

/// MuJoCo takes the hook to be at rest during each step, so it follows Simbody to the first order only.
TEST_F(PeersOnLoops, MujocoFollowsHooksToTheFirstOrder) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Problem problem = with_hook(seed);
    const Pair fine(problem);
    problem.dt *= 5;
    problem.steps /= 5;
    const Pair coarse(problem);
    EXPECT_NEAR(coarse.apart() / fine.apart(), 5, 1);
    EXPECT_NEAR(coarse.mujoco.outcome.gap / fine.mujoco.outcome.gap, 5, 1);
  }
}

}  // namespace
}  // namespace polhode::bench
