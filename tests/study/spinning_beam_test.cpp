// The spin-up of a flexible beam (Kane, Ryan & Banerjee 1987; Simo & Vu-Quoc 1986, with these numbers): a beam of 10 m is
// brought to 6 rad/s within 15 s. Its tip lags behind; beam theories without the stiffening by centrifugal forces diverge.
#include <gtest/gtest.h>

#include "polhode/mechanism/beam.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double length = 10, area = 4e-4, moment = 2e-7, young = 7e10, density = 3000, spin = 6, rise = 15;

/// Angle, speed and acceleration of the root.
Signal::Sample spin_up(double t) {
  if (t >= rise) return {spin * (t - rise / 2), spin, 0};
  const double c = 2 * pi / rise;
  return {spin / rise * (t * t / 2 + (std::cos(c * t) - 1) / (c * c)), spin / rise * (t - std::sin(c * t) / c),
          spin / rise * (1 - std::cos(c * t))};
}

State spinning(int elements, bool stretches) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "hub", .mass = MassProperties::sphere(1, 0.1)});
  builder.add_joint({.name = "spin", .model = Revolute{}, .child = "hub"});
  builder.add_kinematic({.coordinate = "spin", .signal = Signal::function(spin_up)});
  BeamSpec beam{.name = "beam", .frame_a = "hub", .frame_b = {}, .length = length, .elements = elements};
  beam.section = {.area = area, .moment_y = moment, .moment_z = moment};
  beam.young = young, beam.shear_modulus = 3e10, beam.density = density;
  beam.planar = true, beam.stretches = stretches;
  add_beam(builder, beam);
  return start_of(builder.build());
}

/// The tip as the hub sees it, less its relaxed place: along the beam and across.
Vec3<double> of_tip(const State& state) {
  const Mechanism& m = state.mechanism();
  const Transform<double> X = inverse(state.pose(m.body("hub"))) * state.frame_pose(m.frame("beam.tip"));
  return X.p - Vec3<double>{length, 0, 0};
}

/// The same by the theory of small deflections with centrifugal stiffening, as Kane, Ryan & Banerjee have it: two modes
/// phi of a clamped beam, with v = sum phi_i(x) q_i and
///   q_i'' + w_i^2 q_i + spin^2 sum_j (S_ij - delta_ij) q_j = -spin' m_i,   S_ij = integral (L^2 - x^2)/2 phi_i' phi_j' / L.
/// Classical Runge-Kutta steps; least value of the tip's deflection.
double largest_lag_in_theory() {
  constexpr int modes = 2, pieces = 2000;
  const double roots[] = {1.8751040687, 4.6940911330};
  double w2[modes], mean[modes]{}, S[modes][modes]{}, tip[modes];
  const auto shape = [&](int i, double x, double& slope) {
    const double b = roots[i], z = b * x / length;
    const double r = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
    slope = b / length * (std::sinh(z) + std::sin(z) - r * (std::cosh(z) - std::cos(z)));
    return std::cosh(z) - std::cos(z) - r * (std::sinh(z) - std::sin(z));
  };
  for (int i = 0; i < modes; ++i) {
    double ignored;
    w2[i] = std::pow(roots[i] / length, 4) * young * moment / (density * area);
    tip[i] = shape(i, length, ignored);
  }
  for (int n = 0; n < pieces; ++n) {
    const double x = (n + 0.5) * length / pieces;
    double f[modes], f1[modes];
    for (int i = 0; i < modes; ++i) f[i] = shape(i, x, f1[i]);
    for (int i = 0; i < modes; ++i) {
      mean[i] += x * f[i] / pieces;  // these modes have a mean square of one
      for (int j = 0; j < modes; ++j) S[i][j] += 0.5 * (length * length - x * x) * f1[i] * f1[j] / pieces;
    }
  }
  double q[2 * modes]{}, least = 0;
  const auto rate = [&](double t, const double* y, double* out) {
    const Signal::Sample s = spin_up(t);
    for (int i = 0; i < modes; ++i) {
      out[i] = y[modes + i];
      out[modes + i] = -w2[i] * y[i] + s.rate * s.rate * y[i] - s.acceleration * mean[i];
      for (int j = 0; j < modes; ++j) out[modes + i] -= s.rate * s.rate * S[i][j] * y[j];
    }
  };
  const double h = 2e-3;
  for (double t = 0; t < rise; t += h) {
    double k[4][2 * modes], y[2 * modes];
    for (int stage = 0; stage < 4; ++stage) {
      const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (int i = 0; i < 2 * modes; ++i) y[i] = q[i] + (stage == 0 ? 0 : part * k[stage - 1][i]);
      rate(t + part, y, k[stage]);
    }
    for (int i = 0; i < 2 * modes; ++i) q[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    least = std::min(least, tip[0] * q[0] + tip[1] * q[1]);
  }
  return least;
}

double largest_lag(const SimulateOptions& given, int elements) {
  SimulateOptions options = given;
  options.time = 9, options.interval = 0.02;  // the lag is largest between 6 and 7 s
  double least = 0;
  run(spinning(elements, false), options, [&](const State& state) {
    State s = state;
    tree::realize(s, Stage::velocity);
    least = std::min(least, of_tip(s).y);
  });
  return least;
}

// Published: a largest lag between 0.57 and 0.58 m, read from figures.
TEST(SpinningBeam, LagsAsPublished) {
  const double theory = largest_lag_in_theory();
  EXPECT_LT(theory, -0.56);
  EXPECT_GT(theory, -0.59);
  const double found = largest_lag(variational(0, 5e-3), 8);
  EXPECT_LT(found, -0.565);
  EXPECT_GT(found, -0.585);
  EXPECT_NEAR(found / theory, 1, 0.01);  // of second order in the deflection, 6 % of the length
}

// Spinning steadily, it is longer by rho w^2 L^3 / (3 E) = 5.14e-4 m.
TEST(SpinningBeam, IsStretchedByItsOwnWeightAsItSpins) {
  State start = spinning(8, true);
  const Mechanism& m = start.mechanism();
  start.set_time(2 * rise);
  // Spun up slowly enough to be at rest in it: each spring carries what is outside of it.
  const double expected = density * spin * spin * length * length * length / (3 * young);
  EXPECT_NEAR(expected, 5.14e-4, 1e-6);
  start.set_q(m.coordinate("spin"), spin_up(2 * rise).value);
  start.set_u(m.speed("spin'"), spin);
  for (int i = 1; i <= 8; ++i) {
    const double x = (i - 0.5) * length / 8, l = length / 8;
    start.set_q(m.coordinate("beam." + std::to_string(i) + ".x"),
                l * density * spin * spin * (length * length - x * x) / (2 * young));
  }
  // At rest there but for small vibrations: their mean over many periods of the first axial mode, 4 L / c = 8.3 ms, is the
  // steady state.
  double sum = 0;
  int reports = 0;
  SimulateOptions options{.method = "tree-variational", .time = 0.2, .dt = 1e-4};
  options.interval = 1e-3;
  run(start, options, [&](const State& state) {
    State s = state;
    tree::realize(s, Stage::velocity);
    sum += of_tip(s).x, ++reports;
  });
  EXPECT_NEAR(sum / reports / expected, 1, 0.01);
}

}  // namespace
}  // namespace polhode::study
