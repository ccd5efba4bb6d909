#include "polhode/study/inverse_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/study/spline.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/paths.h"
#include "tests/support/random_mechanism.h"

namespace polhode::study {
namespace {

/// The largest errors of value, first and second derivative of sin 2t between n uneven samples over 2 s.
std::array<double, 3> spline_errors(int n) {
  std::vector<double> t, y;
  for (int i = 0; i < n; ++i) {
    const double inside = i > 0 && i < n - 1 ? 0.2 / n * std::sin(7.0 * i) : 0;
    t.push_back(2.0 * i / (n - 1) + inside);
    y.push_back(std::sin(2 * t.back()));
  }
  const Spline spline(t, y);
  std::array<double, 3> errors{};
  for (int i = 0; i <= 1000; ++i) {
    const double x = 0.002 * i;
    const auto v = spline.at(x);
    errors[0] = std::max(errors[0], std::abs(v.value - std::sin(2 * x)));
    errors[1] = std::max(errors[1], std::abs(v.first - 2 * std::cos(2 * x)));
    errors[2] = std::max(errors[2], std::abs(v.second + 4 * std::sin(2 * x)));
  }
  return errors;
}

// Of degree five: errors fall with the sixth, fifth and fourth power of the distance of samples.
TEST(Spline, ConvergesWithTheOrdersOfDegreeFive) {
  const auto coarse = spline_errors(30), fine = spline_errors(60);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 6 - k, 0.8) << k;
}

TEST(Spline, IsExactForPolynomialsOfItsDegree) {
  for (int n = 2; n < 9; ++n) {
    const int degree = std::min(n - 1, 5);
    std::vector<double> t, y;
    for (int i = 0; i < n; ++i) t.push_back(0.3 * i + 0.05 * (i % 2)), y.push_back(std::pow(t.back(), degree));
    const Spline spline(t, y);
    const double x = 0.5 * (t.front() + t.back());
    EXPECT_NEAR(spline.at(x).value, std::pow(x, degree), 1e-10);
    EXPECT_NEAR(spline.at(x).first, degree * std::pow(x, degree - 1), 1e-9);
  }
}

// 1 / (1 + (f / cutoff)^6) of a long sine remains.
TEST(Spline, SmoothsByTheCutoffThatIsAskedFor) {
  for (const double f : {1.0, 2.0, 4.0}) {
    std::vector<double> t, y;
    for (int i = 0; i <= 2000; ++i) t.push_back(0.01 * i), y.push_back(std::sin(2 * M_PI * f * t.back()));
    const Spline spline(t, y, 2.0);
    double most = 0;
    for (int i = 0; i < 1000; ++i) most = std::max(most, spline.at(9.5 + 0.001 * i).value);
    EXPECT_NEAR(most, 1 / (1 + std::pow(f / 2, 6)), 1e-3);
  }
}

// What inverse dynamics gives, applied to the mechanism, gives the accelerations back.
TEST(InverseDynamics, UndoesForwardDynamicsOfAnyTree) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Mechanism m = testing_support::random_mechanism(seed, {.forces = true});
    const auto s = testing_support::random_state(m, seed + 10);
    State state(m);
    const Trajectory trajectory{{0.3}, s.q, s.u, s.u_dot};
    tree::Workspace w(m);
    inverse_dynamics(state, trajectory, {}, [&](const InverseSample& sample) {
      std::vector<double> u_dot(std::size_t(m.num_u()));
      tree::accelerations_under_all_forces(w, {0.3}, s.q, s.u, sample.forces, u_dot);
      EXPECT_TRUE(testing_support::near(u_dot, s.u_dot, 1e-7)) << seed;  // the mass matrix is conditioned to about 1e8
      EXPECT_EQ(sample.residual, 0);
    });
  }
}

/// Runs a mechanism and keeps what it does, every 0.01 s.
Trajectory simulated(const Mechanism& m, const SimulateOptions& options, bool speeds) {
  Trajectory out;
  State start = tree::initial_state(m);
  tree::assemble(start, tree::given_by_model(m));
  const auto summary = simulate(start, options, [&](const State& state) {
    out.times.push_back(state.time());
    out.q.insert(out.q.end(), state.q().begin(), state.q().end());
    if (speeds) out.u.insert(out.u.end(), state.u().begin(), state.u().end());
  });
  EXPECT_TRUE(summary.completed) << summary.failure;
  return out;
}

MechanismBuilder two_links(const JointModel& joint) {
  MechanismBuilder builder;
  for (int i = 1; i <= 2; ++i) {
    const Transform<double> drawn = at(0, 0, -double(i - 1));
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = MassProperties::box(1, {0.2, 0.3, 1}), .drawn_pose = drawn});
    builder.add_joint({.name = "pin" + std::to_string(i),
                       .model = joint,
                       .parent = i == 1 ? ground_name : "link1",
                       .child = name,
                       .placement = DrawnPlacement{.at = at(0, 0, 0.5).p + drawn.p, .axis = Vec3<double>{0, 1, 0}}});
  }
  return builder;
}

// The torque of a run comes back from its coordinates alone. A fifth-degree spline through steps of 0.01 s with frequencies of
// about 10 rad/s leaves (0.1)^4 / 30 of the acceleration: 1e-4 of forces of order ten.
TEST(InverseDynamics, FindsTheTorqueBehindASimulatedRun) {
  MechanismBuilder driven = two_links(Revolute{});
  driven.add_force({CoordinateDampingSpec{"pin2", 0.3}});
  const Mechanism free = driven.build();
  driven.add_force({CoordinateInputSpec{"pin1", Signal::sine(3, 4, 0.2)}});
  Trajectory trajectory = simulated(
      driven.build(), {.method = "tree-projected", .time = 2, .interval = 0.01, .options = {{"accuracy", 1e-10}}}, false);
  complete(trajectory, free);
  double largest = 0;
  inverse_dynamics(State(free), trajectory, {}, [&](const InverseSample& s) {
    if (s.t < 0.05 || s.t > 1.95) return;  // near its ends a spline is less exact
    largest = std::max({largest, std::abs(s.forces[0] - Signal::sine(3, 4, 0.2).value(s.t)), std::abs(s.forces[1])});
  });
  EXPECT_LT(largest, 2e-3);
}

TEST(InverseDynamics, FindsTorquesOnBallJoints) {
  MechanismBuilder driven = two_links(Ball{});
  const Mechanism free = driven.build();
  driven.add_force({CoordinateForceSpec{"pin1.wx", 2}});
  driven.add_force({CoordinateForceSpec{"pin2.wz", 0.1}});
  Trajectory trajectory = simulated(
      driven.build(), {.method = "tree-projected", .time = 1, .interval = 0.005, .options = {{"accuracy", 1e-10}}}, false);
  complete(trajectory, free);
  inverse_dynamics(State(free), trajectory, {}, [&](const InverseSample& s) {
    if (s.t > 0.1 && s.t < 0.9) {
      EXPECT_TRUE(testing_support::near(s.forces, std::vector<double>{2, 0, 0, 0, 0, 0.1}, 1e-2)) << s.t;
    }
  });
}

// One motor and as many multipliers as it takes. The linkage's angles change by hundreds of rad/s^2, up to the tenth harmonic
// of 12 rad/s: (120 h)^2 = 1e-3 of the inertia forces of some N m is left by the run, and as much by the spline.
TEST(InverseDynamics, FindsTheMotorOfAClosedLoop) {
  format::Model model = format::load_model(testing_support::model_path("four_bar"));
  MechanismBuilder builder = model.mechanism.description();
  const Mechanism free = builder.build();
  builder.add_force({CoordinateInputSpec{"A", Signal::sine(0.5, 6, 0)}});
  Trajectory trajectory = simulated(builder.build(), {.time = 1, .dt = 2.5e-4, .every = 8}, false);
  complete(trajectory, free);
  std::vector<char> motor(std::size_t(free.num_u()));
  motor[std::size_t(free.speed("A'"))] = 1;
  double largest = 0, residual = 0;
  inverse_dynamics(State(free), trajectory, motor, [&](const InverseSample& s) {
    if (s.t < 0.05 || s.t > 0.95) return;
    residual = std::max(residual, s.residual);
    largest = std::max(largest, std::abs(s.forces[std::size_t(free.speed("A'"))] - 0.5 * std::sin(6 * s.t)));
  });
  EXPECT_LT(largest, 0.01);
  EXPECT_LT(residual, 1e-8) << "one motor can give any motion of one freedom";
}

TEST(InverseDynamics, RefusesTablesThatAreNoMotion) {
  const Mechanism m = two_links(Revolute{}).build();
  Trajectory backwards{{0, 0.2, 0.1}, std::vector<double>(6), {}, {}};
  EXPECT_THROW(complete(backwards, m), std::invalid_argument);
  Trajectory not_finite{{0, 0.1, 0.2}, {0, 0, NAN, 0, 0, 0}, {}, {}};
  EXPECT_THROW(complete(not_finite, m), std::invalid_argument);
  Trajectory short_one{{0, 0.1, 0.2}, std::vector<double>(5), {}, {}};
  EXPECT_THROW(complete(short_one, m), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::study
