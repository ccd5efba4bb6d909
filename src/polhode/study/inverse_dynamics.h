#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/state/state.h"

/// The forces behind a motion that is known.
namespace polhode::study {

/// Samples of a motion, one row after another. Speeds and accelerations may be empty: they are then found from what is there.
struct Trajectory {
  std::vector<double> times;        ///< increasing [s]
  std::vector<double> q, u, u_dot;  ///< by sample: coordinates, speeds, accelerations
};

/// Fills in speeds and accelerations by splines (see Spline) through coordinates or speeds, and with a cutoff [Hz] smooths all
/// that is given. Throws std::invalid_argument for tables of the wrong size, times that do not increase, and numbers that are
/// not finite.
void complete(Trajectory& trajectory, const Mechanism& mechanism, std::optional<double> cutoff_hz = {});

/// The forces at one time.
struct InverseSample {
  double t;                         ///< [s]
  std::vector<double> q, u, u_dot;  ///< the motion there
  std::vector<double> forces;       ///< by speed [N], [N m]; 0 where there is no actuator
  std::vector<double> multipliers;  ///< by constraint row
  double residual;                  ///< largest generalized force that the actuators cannot give
  double constraint_error;          ///< largest, of the coordinates given
};

/// All samples together.
struct InverseSummary {
  int samples = 0;                            ///< how many
  std::vector<double> largest_forces;         ///< by speed
  double residual = 0, constraint_error = 0;  ///< largest of all samples
};

/// Generalized forces that, together with all force elements of the mechanism, its gravity and its constraints, make it move
/// as given:  M du/dt + G^T lambda = f + B a.  Of all forces `a` of the actuators (by speed, not 0 where there is one; empty:
/// everywhere) those with the least sum of squares; where they cannot do it, those that leave the least.
/// Trees without constraints take O(n) each, by recursive Newton-Euler.
InverseSummary inverse_dynamics(const State& state, const Trajectory& trajectory, const std::vector<char>& actuators,
                                const std::function<void(const InverseSample&)>& report);

}  // namespace polhode::study
