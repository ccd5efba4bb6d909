#pragma once
#include "../../bench/step/problem.h"

namespace polhode::experiments {

/// The pendulum of Johnson & Murphey, section VI-A, for every engine: links of 1 m in a plane, each with 1 kg and 0.1 kg m^2 at
/// its lower end, aligned at 45 degrees from the vertical, at rest. The paper gives no lengths and masses: these are ours, and
/// those of oracle::trep::link_pendulum. The energy's scale is that of the horizontal pendulum above the hanging one.
bench::Problem link_pendulum(int links);

inline constexpr double link_pendulum_angle = 3.14159265358979323846 / 4;  // [rad]

}  // namespace polhode::experiments
