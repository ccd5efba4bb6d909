#pragma once
/// The scissor lift as what it is: one degree of freedom.  Its motion is the standard for the engines' eleven bodies.

#include <cmath>
#include <vector>

namespace polhode::bench {

/// theta is the angle of the links below the horizontal; the slider is at x = length cos(theta).
struct ExactLift {
  int segments = 5;
  double length = 1, link_mass = 1, link_inertia = 0.01, slider_mass = 1;  // [m], [kg], [kg m^2], [kg]
  double start_angle = 0.05 * 3.14159265358979323846;                      // [rad]

  /// Potential energy of the start above the lowest one [J].
  double energy_scale() const;

  /// x after each of so many steps.  Throws std::logic_error if the energy says that the solution is not exact to 1e-10.
  std::vector<double> slider_positions(double dt, int steps) const;
};

}  // namespace polhode::bench
