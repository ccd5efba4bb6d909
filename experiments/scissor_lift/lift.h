#pragma once
#include <optional>
#include <vector>

#include "../../bench/step/exact_lift.h"
#include "../../bench/step/run.h"

/// The scissor lift's one degree of freedom, exactly and as an engine has it.
namespace polhode::experiments {

/// The exact motion, sampled as a Course: every link is where the angle puts it.
bench::Course exact_course(const bench::ExactLift& lift, double interval, int samples);

/// The angle of the uppermost link below the horizontal, turns counted [rad]. Links go through the vertical and back, so it
/// swings about pi/2; a mechanism that leaves its motion at a singular position may turn round and round.
std::vector<double> angles(const bench::Course& course);

/// Of the slider, which is link 0, from the exact motion [m].
struct SliderError {
  double rms = 0, largest = 0;
  std::optional<double> left{};  ///< when it first was farther away than 0.05 m [s]
};
SliderError slider_error(const bench::Course& course, const bench::Course& exact);

/// When the slider passes the middle, where the links stand upright [s].
std::vector<double> passages(const bench::Course& course);

}  // namespace polhode::experiments
