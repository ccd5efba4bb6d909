// The oracle's integrator against the definitions of discrete mechanics, exact solutions, and what it must keep.
#include "tests/oracle/trep_integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "polhode/format/language/model.h"
#include "tests/oracle/trep_from_mechanism.h"
#include "tests/oracle/trep_lagrangian.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"
#include "tests/support/random_frame_tree.h"

namespace polhode::oracle::trep {
namespace {

using Vector = Eigen::VectorXd;
using testing_support::Random;
using testing_support::random_frame_tree;

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), Eigen::Index(values.size()));
}
Vector random_vector(unsigned seed, int n, double size) {
  const std::vector<double> v = Random(seed).vector(n, size);
  return Eigen::Map<const Vector>(v.data(), n);
}

/// A mass of 2 kg on one slider without gravity: the discrete equations can be solved by hand.
System slider() {
  System system;
  system.tree.gravity.setZero();
  system.tree.add({.primitive = Primitive::tx, .variable = 0, .mass = {2, 0, 0, 0}});
  return system;
}

// (15) with Ld written out and differentiated numerically: the slot derivatives (20), (21) are checked by it.
TEST(TrepIntegrator, StepsSolveTheDiscreteEulerLagrangeEquations) {
  const double h = 0.02, d = 1e-5;
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const auto pair = random_frame_tree(7);
    const int n = pair.tree.num_q();
    Kinematics tree(pair.tree, Caching::off);
    const auto Ld = [&](const Vector& a, const Vector& b) {  // (19)
      tree.write((1 - alpha) * a + alpha * b, (b - a) / h);
      return h * lagrangian(tree);
    };
    Integrator integrator({pair.tree}, h, {.alpha = alpha});
    const Vector q0 = random_vector(1, n, 1), q1 = q0 + h * random_vector(2, n, 1);
    const Vector q2 = integrator.step(integrator.start_from_two(q0, q1)).q;
    for (int i = 0; i < n; ++i) {
      const Vector e = d * Vector::Unit(n, i);
      const double balance = (Ld(q0, q1 + e) - Ld(q0, q1 - e) + Ld(q1 + e, q2) - Ld(q1 - e, q2)) / (2 * d);
      // Ld ~ 1 loses eps/d ~ 2e-11 in the difference, and d^2 times its third derivative, which is some 1e2.
      EXPECT_NEAR(balance, 0, 1e-7) << "alpha " << alpha;
    }
  }
}

TEST(TrepIntegrator, NewtonsDerivativeIsExact) {
  // Quadratic convergence from q_k, 20 ms away: errors 1e-2, 1e-4, 1e-8, 1e-16 need four or five iterations.
  for (const double alpha : {0.2, 0.5}) {
    const auto pair = random_frame_tree(3);
    const int n = pair.tree.num_q();
    System system{pair.tree};
    system.forces.damping = Vector::Constant(n, 0.4);
    system.forces.stiffness = Vector::Constant(n, 3);
    Integrator integrator(system, 0.02, {.alpha = alpha});
    State state = integrator.start_from_rates(random_vector(1, n, 1), random_vector(2, n, 1));
    for (int k = 0; k < 20; ++k) {
      state = integrator.step(state);
      EXPECT_LE(state.iterations, 6);
    }
  }
}

TEST(TrepIntegrator, CachingChangesNoStep) {
  const auto pair = random_frame_tree(5, {.variables = 4});
  Integrator with({pair.tree}, 0.01, {.caching = Caching::on}), without({pair.tree}, 0.01, {.caching = Caching::off});
  const Vector q = random_vector(1, 4, 1), v = random_vector(2, 4, 1);
  const State a = with.run(with.start_from_rates(q, v), 10), b = without.run(without.start_from_rates(q, v), 10);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
}

/// theta'' = -w2 sin theta by the classical Runge-Kutta method with a step that leaves an error of 1e-13.
double pendulum_reference(double w2, double angle, double t) {
  const int steps = 20000;
  const double h = t / steps;
  double x = angle, v = 0;
  for (int k = 0; k < steps; ++k) {
    const double a1 = -w2 * std::sin(x), v2 = v + h / 2 * a1, a2 = -w2 * std::sin(x + h / 2 * v);
    const double v3 = v + h / 2 * a2, a3 = -w2 * std::sin(x + h / 2 * v2), v4 = v + h * a3, a4 = -w2 * std::sin(x + h * v3);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

double pendulum_error(double h, double alpha) {
  Integrator integrator(link_pendulum(1), h, {.alpha = alpha});
  const State end = integrator.run(integrator.start_from_rates(numbers({1.0}), numbers({0.0})), int(std::lround(2 / h)));
  return std::abs(end.q[0] - pendulum_reference(9.81 / 1.1, 1.0, 2.0));  // m l g / (m l^2 + I)
}

TEST(TrepIntegrator, TheMidpointIsOfSecondOrderAndOtherPointsOfFirst) {
  EXPECT_NEAR(pendulum_error(0.02, 0.5) / pendulum_error(0.01, 0.5), 4, 0.05);
  EXPECT_NEAR(pendulum_error(0.002, 0.2) / pendulum_error(0.001, 0.2), 2, 0.1);
}

TEST(TrepIntegrator, EnergyStaysInABandThatDoesNotDrift) {
  Integrator integrator(link_pendulum(2), 0.01);
  State state = integrator.start_from_rates(numbers({0.8, 0.0}), numbers({0.0, 0.0}));
  const double start = integrator.energy(state);
  double span[2] = {0, 0};
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < 10000; ++k) {
      state = integrator.step(state);
      span[half] = std::max(span[half], std::abs(integrator.energy(state) - start));
    }
  EXPECT_LT(span[0], 0.02 * 3 * 9.81);  // (h w)^2 / 12 of the potential's range, with w ~ 10 rad/s at the fastest
  EXPECT_LT(span[1], 1.2 * span[0]);    // a drift would double it
}

TEST(TrepIntegrator, KeepsTheMomentumOfASymmetry) {
  // Everything hangs on tx ty tz and no force acts: the first three momenta are the linear ones.
  System system;
  system.tree.gravity.setZero();
  int at = -1;
  for (int k = 0; k < 3; ++k) at = system.tree.add({.parent = at, .primitive = Primitive(k), .variable = k});
  for (int k = 3; k < 7; ++k) {
    at = system.tree.add({.parent = at, .primitive = Primitive(3 + k % 3), .variable = k});
    at = system.tree.add({.parent = at, .primitive = Primitive(k % 3), .constant = 0.7, .mass = {1, 0.2, 0.3, 0.4}});
  }
  Integrator integrator(system, 0.01);
  const State start = integrator.start_from_rates(Vector::Zero(7), random_vector(3, 7, 1));
  const State end = integrator.run(start, 500);
  EXPECT_LT((end.p - start.p).head(3).lpNorm<Eigen::Infinity>(), 500 * 1e-13 * (1 + start.p.lpNorm<Eigen::Infinity>()));
  EXPECT_GT((end.p - start.p).tail(4).norm(), 0.01);  // the others do change
}

TEST(TrepIntegrator, AConstantForceGivesTheParabola) {
  System system = slider();
  system.forces.input = [](double) { return numbers({3.0}); };
  Integrator integrator(system, 0.1);
  const State end = integrator.run(integrator.start_from_rates(numbers({0.0}), numbers({0.5})), 10);
  EXPECT_NEAR(end.q[0], 0.5 + 3.0 / 2 / 2, 1e-12);
  EXPECT_NEAR(end.p[0], 2 * 0.5 + 3.0, 1e-12);
}

// By hand: v = p0 / (m + (1 - a) h c) and p1 = (m - a h c) v.
TEST(TrepIntegrator, DampingActsFromTheLeftAndFromTheRight) {
  const double h = 0.1, c = 1.7, m = 2, p0 = m * 0.9;
  System system = slider();
  system.forces.damping = numbers({c});
  for (const double a : {0.0, 0.3, 0.5, 1.0}) {
    Integrator integrator(system, h, {.alpha = a});
    const State end = integrator.step(integrator.start_from_rates(numbers({0.0}), numbers({0.9})));
    const double v = p0 / (m + (1 - a) * h * c);
    EXPECT_NEAR(end.q[0], h * v, 1e-13);
    EXPECT_NEAR(end.p[0], (m - a * h * c) * v, 1e-13);
  }
  Integrator halves(system, h, {.alpha = 0.3, .share = ForceShare::halves});
  const double v = p0 / (m + 0.5 * h * c);
  EXPECT_NEAR(halves.step(halves.start_from_rates(numbers({0.0}), numbers({0.9}))).p[0], (m - 0.5 * h * c) * v, 1e-13);
}

TEST(TrepIntegrator, TimeVaryingInputIsReadAtTheMidpoint) {
  const double h = 0.1;
  System system = slider();
  system.forces.input = [](double t) { return numbers({std::cos(3 * t)}); };
  for (const double a : {0.0, 0.25, 0.5, 1.0}) {
    Integrator integrator(system, h, {.alpha = a});
    const State end = integrator.step(integrator.start_from_rates(numbers({0.0}), numbers({0.0}), 0.4));
    EXPECT_NEAR(end.p[0], h * std::cos(3 * (0.4 + a * h)), 1e-13);
  }
}

TEST(TrepIntegrator, AKinematicSliderTakesTheImpulseOfItsSecondDifference) {
  const double h = 0.05, m = 2;
  const auto x = [](double t) { return 0.3 * std::sin(4 * t); };
  System system = slider();
  system.tree.add(
      {.parent = 0, .primitive = Primitive::ry, .variable = 1});  // a massless frame would be singular: give it mass
  system.tree.frames[1].mass = {0, 1, 1, 1};
  system.kinematic = {{0, x}};
  Integrator integrator(system, h);
  State state = integrator.start_from_two(numbers({x(0), 0.0}), numbers({x(h), h * 0.2}));
  for (int k = 1; k < 20; ++k) {
    const State next = integrator.step(state);
    EXPECT_EQ(next.q[0], x(state.t + h));
    EXPECT_NEAR(next.q[1], 0.2 * h * (k + 1), 1e-12);  // turns on as if nothing happened
    const double t = state.t;
    EXPECT_NEAR(next.kinematic[0], m * (x(t + h) - 2 * x(t) + x(t - h)) / h, 1e-11);
    state = next;
  }
}

/// Two pendulums of one link from points 1 m apart, their ends joined by the given constraint.
System two_pendulums() {
  System system;
  system.tree.gravity = {0, 0, -9.81};
  for (int i = 0; i < 2; ++i) {
    const int pivot = system.tree.add({.primitive = Primitive::tx, .constant = double(i)});
    const int hinge = system.tree.add({.parent = pivot, .primitive = Primitive::ry, .variable = i});
    system.tree.add({.parent = hinge, .primitive = Primitive::tz, .constant = -1, .mass = {1, 0.1, 0.1, 0.1}});
  }
  return system;
}

double largest_constraint_error(Integrator& integrator, State state, int steps) {
  double largest = 0;
  for (int k = 0; k < steps; ++k) {
    state = integrator.step(state);
    largest = std::max(largest, integrator.constraint_values(state.q).lpNorm<Eigen::Infinity>());
  }
  return largest;
}

TEST(TrepIntegrator, KeepsAWireAndSwingsAsOnePendulumOnIt) {
  // A parallelogram: both arms turn together, so each is the pendulum that it would be alone.
  System system = two_pendulums();
  system.constraints = {Wire{2, 5, 1.0}};
  Integrator integrator(system, 0.01), alone(link_pendulum(1), 0.01);
  const State start = integrator.start_from_rates(numbers({0.6, 0.6}), numbers({0.0, 0.0}));
  EXPECT_LT(largest_constraint_error(integrator, start, 300), 1e-12);
  const State end = integrator.run(start, 300), single = alone.run(alone.start_from_rates(numbers({0.6}), numbers({0.0})), 300);
  EXPECT_NEAR(end.q[0], single.q[0], 1e-9);
  EXPECT_NEAR(end.q[1], single.q[0], 1e-9);
}

TEST(TrepIntegrator, KeepsPointsTogetherAlongADirection) {
  System system = two_pendulums();
  system.constraints = {PointAlong{2, 5, {0, 0, 1}}};  // the same height: again both turn together
  Integrator integrator(system, 0.01);
  const State start = integrator.start_from_rates(numbers({0.6, 0.6}), numbers({0.0, 0.0}));
  EXPECT_LT(largest_constraint_error(integrator, start, 40), 1e-12);  // hanging straight down would be singular
}

TEST(TrepIntegrator, RedundantConstraintsDoNotStopIt) {
  System system = two_pendulums();
  system.constraints = {Wire{2, 5, 1.0}, Wire{2, 5, 1.0}};
  Integrator integrator(system, 0.01);
  const State start = integrator.start_from_rates(numbers({0.6, 0.6}), numbers({0.0, 0.0}));
  EXPECT_LT(largest_constraint_error(integrator, start, 60), 1e-12);
}

// A nut under its weight on a screw: (m pitch^2 + I) turn'' = -m g pitch, constant, which the midpoint rule takes exactly.
TEST(TrepIntegrator, AScrewTurnsByItsPitch) {
  const double pitch = 0.3, m = 1.5, I = 0.2, h = 0.02;
  System system;
  system.tree.add({.primitive = Primitive::rz, .variable = 0});
  system.tree.add({.parent = 0, .primitive = Primitive::tz, .variable = 1, .mass = {m, I, I, I}});
  system.constraints = {ScrewPair{0, 1, pitch}};
  Integrator integrator(system, h);
  const State end = integrator.run(integrator.start_from_rates(numbers({0.0, 0.0}), numbers({0.0, 0.0})), 50);
  EXPECT_NEAR(end.q[1], pitch * end.q[0], 1e-13);
  EXPECT_NEAR(end.q[0], -m * 9.81 * pitch / (m * pitch * pitch + I) / 2, 1e-10);
}

/// Largest energy error of the device of Listing 1 in its first two seconds; its chains must stay closed.
double device_energy_error(const System& device, double h) {
  Integrator integrator(device, h);
  const Vector q0 = integrator.assembled(numbers({0.1, 0.9, -0.3, 1.8, 1.6, -0.8, -0.9}));
  State state = integrator.start_from_rates(q0, Vector::Zero(7));
  const double start = integrator.energy(state);
  double error = 0;
  for (int k = 0; k < int(std::lround(2 / h)); ++k) {
    state = integrator.step(state);
    EXPECT_LT(integrator.constraint_values(state.q).lpNorm<Eigen::Infinity>(), 1e-12);
    error = std::max(error, std::abs(integrator.energy(state) - start));
  }
  return error;
}

TEST(TrepIntegrator, ClosedChainsStayClosedAndTheirEnergyErrorIsOfSecondOrder) {
  const auto model = format::load_model(testing_support::model_path("closed_chain_device"));
  const System device = from_mechanism(model.mechanism);
  ASSERT_EQ(device.constraints.size(), 4u);
  EXPECT_NEAR(device_energy_error(device, 0.004) / device_energy_error(device, 0.002), 4, 0.2);
}

TEST(TrepIntegrator, SaysWhenNewtonDoesNotConverge) {
  Integrator integrator(link_pendulum(3), 0.5, {.max_iterations = 2});
  const State start = integrator.start_from_rates(numbers({2.0, 1.0, -1.0}), numbers({9.0, -7.0, 5.0}));
  EXPECT_THROW(integrator.step(start), std::runtime_error);
}

}  // namespace
}  // namespace polhode::oracle::trep
