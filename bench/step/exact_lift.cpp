#include "exact_lift.h"

#include <array>
#include <stdexcept>

#include "problem.h"

namespace polhode::bench {
namespace {

struct Motion {
  double theta, rate;
};

Motion operator+(Motion a, Motion b) { return {a.theta + b.theta, a.rate + b.rate}; }
Motion operator-(Motion a, Motion b) { return {a.theta - b.theta, a.rate - b.rate}; }
Motion operator*(double k, Motion a) { return {k * a.theta, k * a.rate}; }

/// T = mass(theta) rate^2 / 2 and V = -weight sin(theta), where
/// mass = 2 m sum_k ((L/2 sin)^2 + ((k + 1/2) L cos)^2) + 2 n I + m_s (L sin)^2 = a sin^2 + b cos^2 + 2 n I.
struct Lagrangian {
  double a, b, constant, weight;

  explicit Lagrangian(const ExactLift& lift) {
    const double n = lift.segments, m = lift.link_mass, L2 = lift.length * lift.length;
    double squares = 0;  // of k + 1/2
    for (int k = 0; k < lift.segments; ++k) squares += (k + 0.5) * (k + 0.5);
    a = m * n * L2 / 2 + lift.slider_mass * L2;
    b = 2 * m * squares * L2;
    constant = 2 * n * lift.link_inertia;
    weight = m * standard_gravity * lift.length * n * n;
  }

  double mass(double theta) const {
    const double s = std::sin(theta), c = std::cos(theta);
    return a * s * s + b * c * c + constant;
  }
  double energy(Motion y) const { return mass(y.theta) * y.rate * y.rate / 2 - weight * std::sin(y.theta); }

  /// d/dt (mass rate) = dmass/dtheta rate^2 / 2 - dV/dtheta.
  Motion derivative(Motion y) const {
    const double s = std::sin(y.theta), c = std::cos(y.theta);
    const double mass_slope = 2 * s * c * (a - b);
    return {y.rate, (weight * c - mass_slope * y.rate * y.rate / 2) / mass(y.theta)};
  }
};

/// Gragg's modified midpoint rule with an even number of substeps; its error is a series in h^2.
Motion modified_midpoint(const Lagrangian& lift, Motion start, double step, int substeps) {
  const double h = step / substeps;
  Motion before = start, now = start + h * lift.derivative(start);
  for (int i = 1; i < substeps; ++i) {
    const Motion next = before + 2 * h * lift.derivative(now);
    before = now;
    now = next;
  }
  return 0.5 * (now + before + h * lift.derivative(now));
}

/// Bulirsch and Stoer: the midpoint rule with 2, 4, ... 12 substeps, extrapolated to none left in h; order 12.
Motion extrapolated_step(const Lagrangian& lift, Motion start, double step) {
  constexpr int columns = 6;
  std::array<Motion, columns> row{};  // the last one of the Aitken-Neville scheme
  for (int k = 0; k < columns; ++k) {
    const int substeps = 2 * (k + 1);
    Motion better = modified_midpoint(lift, start, step, substeps);
    for (int j = 0; j < k; ++j) {
      const double ratio = double(substeps) / (2 * (k - j));
      const Motion refined = better + (1 / (ratio * ratio - 1)) * (better - row[j]);
      row[j] = better;
      better = refined;
    }
    row[k] = better;
  }
  return row[columns - 1];
}

}  // namespace

double ExactLift::energy_scale() const { return Lagrangian(*this).weight * (1 - std::sin(start_angle)); }

std::vector<double> ExactLift::slider_positions(double dt, int steps) const {
  constexpr int parts = 5;  // of a step; the swing through the vertical takes some 50 ms
  const Lagrangian lift(*this);
  Motion y{start_angle, 0};
  const double start_energy = lift.energy(y);
  std::vector<double> x;
  for (int i = 0; i < steps; ++i) {
    for (int part = 0; part < parts; ++part) y = extrapolated_step(lift, y, dt / parts);
    x.push_back(length * std::cos(y.theta));
    if (!(std::abs(lift.energy(y) - start_energy) < 1e-10 * energy_scale())) {
      throw std::logic_error("the exact motion of the scissor lift is not exact");
    }
  }
  return x;
}

}  // namespace polhode::bench
