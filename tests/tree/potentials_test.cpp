#include <gtest/gtest.h>

#include "polhode/study/simulate.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::Random;
using testing_support::random_description;
using testing_support::random_state;

/// The mechanism's force elements as generalized forces alone.
std::vector<double> element_forces(Workspace& w, double t, const std::vector<double>& q, const std::vector<double>& u) {
  std::vector<double> tau(u.size()), from_bodies(u.size());
  std::vector<Wrench<double>> wrenches(w.mechanism().num_bodies());
  kinematics(w, q, u);
  read_bodies(w);
  add_applied_forces(w, {t}, q, u, tau, wrenches);
  multiply_jacobian_transpose(w, wrenches, from_bodies);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += from_bodies[i];
  return tau;
}

double energy_at(Workspace& w, const std::vector<double>& q) {
  kinematics(w, q, w.no_speeds);
  read_bodies(w);
  return potential_energy(w, 0, q);
}

/// Forces plus gravity against minus the slope of all potential energy, along every speed.
void expect_gradient(const MechanismBuilder& builder, unsigned seed) {
  const Mechanism mechanism = builder.build();
  const auto s = random_state(mechanism, seed);
  Workspace w(mechanism);
  std::vector<double> force = element_forces(w, 0, s.q, w.no_speeds), holds_gravity(s.u.size());
  bias_forces(w, s.q, w.no_speeds, holds_gravity);
  constexpr double h = 1e-5;  // truncation h^2 = 1e-10, rounding of an energy of some 100 J: 1e-14/1e-5 = 1e-9
  for (int i = 0; i < mechanism.num_u(); ++i) {
    std::vector<double> e(s.u.size(), 0.0), q_dot(s.q.size()), before(s.q), after(s.q);
    e[i] = 1;
    coordinate_rates(mechanism, s.q, e, q_dot);
    for (std::size_t k = 0; k < q_dot.size(); ++k) before[k] -= h * q_dot[k], after[k] += h * q_dot[k];
    const double slope = (energy_at(w, after) - energy_at(w, before)) / (2 * h);
    EXPECT_NEAR(force[i] - holds_gravity[i], -slope, 5e-8 * (1 + std::abs(slope))) << mechanism.speed_names()[i];
  }
}

/// A coordinate whose rate is a speed.
std::string some_coordinate(const Mechanism& m, Random& random) {
  std::vector<std::string> names;
  for (const Joint& joint : m.joints())
    if (joint.nu == 1) names.push_back(m.coordinate_names()[joint.first_q]);
  return names.at(std::size_t(random.index(int(names.size()))));
}
std::vector<std::string> bodies_with_mass(const Mechanism& m) {
  std::vector<std::string> names;
  for (const Body& body : m.bodies())
    if (body.mass.mass > 0 && body.parent >= 0) names.push_back(body.name);
  return names;
}

class Potentials : public ::testing::TestWithParam<unsigned> {
 protected:
  MechanismBuilder builder = random_description(GetParam());
  Mechanism plain = builder.build();
  Random random{GetParam() + 100};
  std::vector<std::string> heavy = bodies_with_mass(plain);
  std::string body() { return heavy.at(std::size_t(random.index(int(heavy.size())))); }
  void add_grips() {
    builder.add_frame({.name = "here", .body = body(), .X_BF = random.transform(0.5)});
    builder.add_frame({.name = "there", .body = ground_name, .X_BF = random.transform(0.5)});
  }
};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Potentials, ::testing::Range(1u, 7u));

TEST_P(Potentials, NonlinearSpringPullsDownItsEnergy) {
  add_grips();
  builder.add_force({NonlinearSpringSpec{"here", "there", 0.7, ForceLaw::polynomial({3, -2, 1.5})}});
  builder.add_force({NonlinearSpringSpec{"there", body(), 0.2, ForceLaw::table({-1, 0, 0.5, 2}, {-4, 0, 1, 9})}});
  expect_gradient(builder, GetParam());
}

TEST_P(Potentials, NonlinearCoordinateSpringPullsDownItsEnergy) {
  builder.add_force({NonlinearCoordinateSpringSpec{some_coordinate(plain, random), 0.3, ForceLaw::polynomial({0, 0, 4})}});
  builder.add_force(
      {NonlinearCoordinateSpringSpec{some_coordinate(plain, random), -0.2, ForceLaw::table({-1, 0, 1}, {-2, 0, 5})}});
  expect_gradient(builder, GetParam());
}

TEST_P(Potentials, AttractionPullsDownItsEnergy) {
  builder.add_force({AttractionSpec{2.5, {}}});
  expect_gradient(builder, GetParam());
}

TEST_P(Potentials, GravityOnSomeBodiesPullsDownItsEnergy) {
  builder.gravity_scope = {{heavy[0], heavy[1]}, true, {}};
  expect_gradient(builder, GetParam());
}

// The energy of the bodies that fall, from their own centres of mass, is all there is.
TEST_P(Potentials, GravityActsOnTheBodiesChosenAndNoOthers) {
  for (const bool only : {true, false}) {
    builder.gravity_scope = {{heavy[0], heavy[2]}, only, {}};
    const Mechanism m = builder.build();
    const auto s = random_state(m, GetParam());
    Workspace w(m);
    double expected = 0;
    const double energy = energy_at(w, s.q);
    for (int b = 1; b < m.num_bodies(); ++b) {
      const bool named = m.bodies()[b].name == heavy[0] || m.bodies()[b].name == heavy[2];
      if (named == only) expected -= m.bodies()[b].mass.mass * dot(m.gravity(), w.X_WB[b] * m.bodies()[b].mass.com);
    }
    EXPECT_NEAR(energy, expected, 1e-11);  // terms of up to 1000 J that cancel
  }
}

// tau = J^T F, with the body Jacobian of the frame taken from its velocity: power must be the wrench times the motion.
TEST_P(Potentials, WrenchDoesItsPowerInEveryKindOfComponents) {
  add_grips();
  const auto s = random_state(plain, GetParam());
  for (const auto components : {WrenchComponents::body, WrenchComponents::hybrid, WrenchComponents::spatial}) {
    MechanismBuilder with = builder;
    FrameWrenchSpec spec{"here", components, {}, {}};
    spec.force = {Signal::constant(1), Signal::sine(2, 3), Signal::polynomial({0, -1})};
    spec.torque = {Signal::constant(-0.5), Signal::constant(0.3), Signal::sine(1, 1)};
    with.add_force({spec});
    const Mechanism m = with.build();
    Workspace w(m);
    const double t = 0.7;
    const auto tau = element_forces(w, t, s.q, s.u);
    double power = 0;
    for (std::size_t i = 0; i < tau.size(); ++i) power += tau[i] * s.u[i];

    const Vec3<double> f{1, 2 * std::sin(2.1), -0.7}, c{-0.5, 0.3, std::sin(0.7)};
    const Frame& frame = m.frames()[m.frame("here")];
    const Transform<double> X_WF = w.X_WB[frame.body] * frame.X_BF;
    const Motion<double> V = shifted(w.V_WB[frame.body], X_WF.p - w.X_WB[frame.body].p);  // of the frame's origin
    double expected = 0;
    if (components == WrenchComponents::body)
      expected = dot(f, transpose(X_WF.R) * V.linear) + dot(c, transpose(X_WF.R) * V.angular);
    if (components == WrenchComponents::hybrid) expected = dot(f, V.linear) + dot(c, V.angular);
    // The velocity of the point of the body that passes through Ground's origin.
    if (components == WrenchComponents::spatial) expected = dot(f, shifted(V, -1.0 * X_WF.p).linear) + dot(c, V.angular);
    EXPECT_NEAR(power, expected, 1e-11 * (1 + std::abs(expected)));
  }
}

TEST_P(Potentials, AndInputsAllocateNothing) {
  add_grips();
  const std::string q = some_coordinate(plain, random);
  builder.gravity_scope = {{heavy[0]}, false, {}};
  builder.add_force({NonlinearSpringSpec{"here", "there", 0.7, ForceLaw::table({-1, 0, 0.5, 2}, {-4, 0, 1, 9}), 0.1}});
  builder.add_force({NonlinearCoordinateSpringSpec{q, 0.3, ForceLaw::polynomial({0, 0, 4})}});
  builder.add_force({AttractionSpec{2.5, {}}});
  builder.add_force({CoordinateInputSpec{q, Signal::samples({0, 1, 2}, {1, 2, 0})}});
  builder.add_force({FrameWrenchSpec{"here", WrenchComponents::hybrid, {}, {}}});
  const Mechanism m = builder.build();
  const auto s = random_state(m, GetParam());
  Workspace w(m);
  std::vector<double> u_dot(s.u.size());
  double energy = 0;
  EXPECT_EQ(testing_support::allocations_in([&] {
              accelerations_under_all_forces(w, {0.5}, s.q, s.u, s.tau, u_dot);
              energy = potential_energy(w, 0.5, s.q);
            }),
            0);
  EXPECT_TRUE(std::isfinite(energy));
}

/// A block of 2 kg that slides along x through Ground's origin, without gravity.
MechanismBuilder slider() {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "block", .mass = MassProperties::sphere(2, 0.1)});
  builder.add_joint(
      {.name = "x", .model = Prismatic{}, .child = "block", .placement = DrawnPlacement{.axis = Vec3<double>{1, 0, 0}}});
  return builder;
}
double force_on_slider(const MechanismBuilder& builder, double x, double v, double t = 0) {
  Workspace w(builder.build());
  return element_forces(w, t, {x}, {v})[0];
}

TEST(CoordinateInput, FollowsItsSignal) {
  auto builder = slider();
  builder.add_force({CoordinateInputSpec{"x", Signal::sine(3, 2, 0.1)}});
  EXPECT_NEAR(force_on_slider(builder, 0.2, 1, 0.6), 3 * std::sin(1.3), 1e-15);
}

TEST(CoordinateDamping, MayGrowWithTheSquareOfTheSpeed) {
  auto builder = slider();
  builder.add_force({CoordinateDampingSpec{"x", 0.5, 2}});
  EXPECT_NEAR(force_on_slider(builder, 0, 3), -(0.5 * 3 + 2 * 9), 1e-14);
  EXPECT_NEAR(force_on_slider(builder, 0, -3), 0.5 * 3 + 2 * 9, 1e-14);
}

TEST(ForceLaw, EnergyIsTheIntegralOfTheForceFromRest) {
  const ForceLaw laws[] = {ForceLaw::polynomial({2}),
                           ForceLaw::polynomial({1, -3, 2}),
                           ForceLaw::table({-1, -0.2, 0.5, 1}, {-3, -1, 0.7, 4}),
                           ForceLaw::table({0.5, 1}, {2, 3}),
                           ForceLaw::table({-1, -0.2, 0.5, 1}, {-3, -1, 0.7, 4}, ForceLaw::Joining::natural),
                           ForceLaw::table({-1, -0.2, 0.5, 1}, {-3, -1, 0.7, 4}, ForceLaw::Joining::linear)};
  for (const ForceLaw& law : laws) {
    EXPECT_EQ(law.problem(), "");
    EXPECT_NEAR(law.energy(0), 0, 1e-15);
    for (const double x : {-2.0, -0.7, 0.1, 0.8, 3.0}) {
      constexpr double h = 1e-5;
      EXPECT_NEAR(law.force(x), (law.energy(x + h) - law.energy(x - h)) / (2 * h), 1e-8) << x;
      EXPECT_NEAR(law.stiffness(x), (law.force(x + h) - law.force(x - h)) / (2 * h), 1e-8) << x;
    }
  }
  EXPECT_NEAR(ForceLaw::polynomial({1, -3, 2}).force(0.5), 0.5 - 0.75 + 0.25, 1e-16);
}

// No force within 0.1 m of rest, 1000 N/m beyond: nothing is stored as long as nothing is pulled.
TEST(ForceLaw, KeepsADeadBandWithoutForceAndEnergy) {
  const std::vector<double> x{-0.2, -0.1, 0.1, 0.2}, f{-100, 0, 0, 100};
  for (const auto joining : {ForceLaw::Joining::monotone, ForceLaw::Joining::linear}) {
    const ForceLaw law = ForceLaw::table(x, f, joining);
    for (double at = -0.1; at <= 0.1; at += 0.01) {
      EXPECT_EQ(law.force(at), 0) << at;
      EXPECT_EQ(law.energy(at), 0) << at;
    }
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(law.force(x[i]), f[i]);
  }
  EXPECT_NE(ForceLaw::table(x, f, ForceLaw::Joining::natural).force(0.05), 0) << "a spline swings";
}

// Between two points the force is never beyond them, and it rises or falls as they do.
TEST(ForceLaw, StaysBetweenItsPointsUnlessItIsASpline) {
  const std::vector<double> x{-2, -1.5, -1, 0, 0.3, 2, 2.1}, f{-5, -5, 1, 1.5, 9, 9.1, 2};
  for (const auto joining : {ForceLaw::Joining::monotone, ForceLaw::Joining::linear}) {
    const ForceLaw law = ForceLaw::table(x, f, joining);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      double last = f[i];
      for (int k = 1; k <= 100; ++k) {
        const double force = law.force(x[i] + k * (x[i + 1] - x[i]) / 100);
        const double rounding = 1e-14 * 10;
        EXPECT_GE((force - last) * (f[i + 1] >= f[i] ? 1 : -1), -rounding) << i << ' ' << k;
        last = force;
      }
      EXPECT_NEAR(last, f[i + 1], 1e-13);
    }
  }
}

// Points on a straight line give that line, and its energy k x^2 / 2, in every way of joining.
TEST(ForceLaw, OfPointsOnALineIsTheLine) {
  for (const auto joining : {ForceLaw::Joining::monotone, ForceLaw::Joining::linear, ForceLaw::Joining::natural}) {
    const ForceLaw law = ForceLaw::table({-1, 0.2, 0.5, 2}, {-3, 0.6, 1.5, 6}, joining);
    for (const double at : {-4.0, -0.3, 0.1, 1.0, 7.0}) {
      EXPECT_NEAR(law.force(at), 3 * at, 1e-13);
      EXPECT_NEAR(law.stiffness(at), 3, 1e-13);
      EXPECT_NEAR(law.energy(at), 1.5 * at * at, 1e-12);
    }
  }
}

// Two bodies about their common centre, at the distance and speed of a circle: v_a + v_b = sqrt(G (m_a + m_b) / r).
TEST(Attraction, KeepsTwoBodiesOnTheirCircles) {
  MechanismBuilder builder;
  builder.gravity = {};
  const double G = 2, a = 3, b = 1, r = 1.5, relative = std::sqrt(G * (a + b) / r);
  builder.add_body({.name = "a", .mass = MassProperties::particle(a), .drawn_pose = at(-r * b / (a + b), 0, 0)});
  builder.add_body({.name = "b", .mass = MassProperties::particle(b), .drawn_pose = at(r * a / (a + b), 0, 0)});
  builder.add_force({AttractionSpec{G, {"a", "b"}}});
  builder.set_initial({"a.y", std::nullopt, -relative * b / (a + b)})
      .set_initial({"b.y", std::nullopt, relative * a / (a + b)});
  const double period = 2 * pi * r / relative;
  Vec3<double> end{};
  const auto summary = study::simulate(initial_state(builder.build()),
                                       {.method = "tree-projected", .time = period, .options = {{"accuracy", 1e-11}}},
                                       [&](const State& s) { end = s.pose(2).p; });
  EXPECT_TRUE(summary.conservative);
  EXPECT_NEAR(norm(end - Vec3<double>{r * a / (a + b), 0, 0}), 0, 1e-8);  // some 1000 steps of 1e-11
  EXPECT_LT(summary.energy_span(), 1e-8);
}

// The same for magnets, of tension T = k r / (r^2 + d^2)^1.5: T = m_a m_b / (m_a + m_b) omega^2 r. By every method.
TEST(Magnet, KeepsTwoBodiesOnTheirCircles) {
  MechanismBuilder builder;
  builder.gravity = {};
  const double k = 2, d = 0.8, a = 3, b = 1, r = 1.5, tension = k * r / std::pow(r * r + d * d, 1.5);
  const double omega = std::sqrt(tension * (a + b) / (a * b * r));
  builder.add_body({.name = "a", .mass = MassProperties::particle(a), .drawn_pose = at(-r * b / (a + b), 0, 0)});
  builder.add_body({.name = "b", .mass = MassProperties::particle(b), .drawn_pose = at(r * a / (a + b), 0, 0)});
  builder.add_force({MagnetSpec{"a", "b", k, d}});
  builder.set_initial({"a.y", std::nullopt, -omega * r * b / (a + b)})
      .set_initial({"b.y", std::nullopt, omega * r * a / (a + b)});
  const State start = initial_state(builder.build());
  const double period = 2 * pi / omega;
  for (const study::SimulateOptions& options :
       {study::SimulateOptions{.method = "tree-projected", .time = period, .options = {{"accuracy", 1e-11}}},
        study::SimulateOptions{.method = "maximal-projected", .time = period, .options = {{"accuracy", 1e-11}}},
        study::SimulateOptions{.method = "tree-variational", .time = period, .dt = period / 400, .options = {{"order", 6}}},
        study::SimulateOptions{
            .method = "maximal-variational", .time = period, .dt = period / 400, .options = {{"order", 6}}}}) {
    Vec3<double> end{};
    const auto summary = study::simulate(start, options, [&](const State& s) { end = s.pose(2).p; });
    EXPECT_TRUE(summary.completed && summary.conservative) << options.method;
    // Some 1000 steps of 1e-11, or (2 pi / 400)^6 = 2e-11 times the number of radians.
    EXPECT_NEAR(norm(end - Vec3<double>{r * a / (a + b), 0, 0}), 0, 1e-8) << options.method;
  }
}

TEST(NonlinearSpring, KeepsEnergy) {
  auto builder = slider();
  builder.add_force({NonlinearCoordinateSpringSpec{"x", 0, ForceLaw::polynomial({1, 0, 30})}});
  builder.set_initial({"x", 0.8, 0.0});
  const auto summary = study::simulate(initial_state(builder.build()),
                                       {.method = "tree-projected", .time = 20, .options = {{"accuracy", 1e-10}}});
  EXPECT_TRUE(summary.conservative);
  EXPECT_LT(summary.energy_span(), 1e-6 * std::abs(summary.energy_start));  // some 10,000 steps of 1e-10
}

TEST(Simulate, DoesNotCallDrivenMechanismsConservative) {
  const auto conservative = [](const MechanismBuilder& builder) {
    return study::simulate(initial_state(builder.build()), {.method = "tree-projected", .time = 1e-3}).conservative;
  };
  auto input = slider(), wrench = slider(), damped = slider();
  input.add_force({CoordinateInputSpec{"x", Signal::sine(1, 1)}});
  wrench.add_force({FrameWrenchSpec{"block", WrenchComponents::hybrid, {}, {}}});
  damped.add_frame({.name = "wall", .body = ground_name, .X_BF = at(-1, 0, 0)});
  damped.add_force({NonlinearSpringSpec{"wall", "block", 1, ForceLaw::polynomial({1}), 0.1}});
  EXPECT_TRUE(conservative(slider()));
  EXPECT_FALSE(conservative(input));
  EXPECT_FALSE(conservative(wrench));
  EXPECT_FALSE(conservative(damped));
}

}  // namespace
}  // namespace polhode::tree
