#pragma once
#include "../../bench/step/subject.h"

namespace polhode::experiments {

/// A planar mechanism in tree coordinates whose loops are closed in accelerations only: Runge-Kutta's method of order four on
/// M du/dt + G^T lambda = f, G du/dt = b, and nothing that brings positions or velocities back. Hinges about y only.
std::unique_ptr<bench::StepSubject> make_acceleration_level(const bench::Problem& problem, const std::string& method);

}  // namespace polhode::experiments
