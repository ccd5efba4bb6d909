#include "exact_lift.h"

#include <algorithm>
#include <stdexcept>

#include "extrapolated.h"
#include "problem.h"

namespace polhode::bench {
namespace {

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

}  // namespace

double ExactLift::energy_scale() const { return Lagrangian(*this).weight * (1 - std::sin(start_angle)); }

std::vector<double> ExactLift::slider_positions(double dt, int steps) const {
  // The swing through the vertical takes some 50 ms with 5 segments, and the less the more there are.
  const double longest = 0.01 / std::max(5, 2 * segments);
  const int parts = std::max(1, int(std::ceil(dt / longest - 1e-9)));
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
