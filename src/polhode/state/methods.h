#pragma once
#include <array>
#include <string>

#include "polhode/state/stepper.h"

namespace polhode {

/// What every method can do, in one place, so that one that refuses can name those that would not. Each stepper's own list
/// (its `features`) must be the same.
struct MethodEntry {
  std::string_view name;
  MethodFeatures features;
  bool velocity_rows = true;       ///< constraints that hold velocities, not positions
  bool acceleration_rows = false;  ///< constraints that hold accelerations only
};
inline constexpr std::array<MethodEntry, 4> all_methods{{
    {"tree-variational", {.loop_joints = true, .constraints = true, .kinematic = true, .switching = true}, false},
    {"tree-projected",
     {.loop_joints = true,
      .constraints = true,
      .kinematic = true,
      .motions = true,
      .fast = true,
      .locks = true,
      .switching = true,
      .auxiliary = true},
     true,
     true},
    {"maximal-variational", {.loop_joints = true, .constraints = true, .kinematic = true, .switching = true}},
    {"maximal-projected", {.loop_joints = true, .constraints = true, .kinematic = true, .switching = true}},
}};

/// The methods that can do something, as "a", "a or b", "a, b or c".
std::string methods_with(bool MethodFeatures::*feature);
std::string methods_with(bool MethodEntry::*ability);

}  // namespace polhode
