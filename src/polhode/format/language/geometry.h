#pragma once
#include <optional>

#include "polhode/format/language/arguments.h"
#include "polhode/spatial/transform.h"

namespace polhode::format {

inline constexpr std::string_view pose_usage =
    "(pose x y z), with an orientation such as (quat w x y z) or (rpy roll pitch yaw) at its end if it is turned";

/// Takes POSE: either (pose x y z [orientation]) or just x y z [orientation].
std::optional<Transform<double>> take_pose(Arguments& arguments);
/// The numbers of a pose whose keyword has been passed already.
std::optional<Transform<double>> take_pose_numbers(Arguments& arguments);

/// True when an orientation comes next: (quat ...), (rpy ...), (axis-angle ...), (euler ...) or (rotation ...).
bool at_orientation(const Arguments& arguments);
std::optional<Mat3<double>> take_orientation(Arguments& arguments);

/// The unit quaternion along a, which must not be zero, whatever its scale; a itself when it has unit length to rounding.
Quaternion<double> unit_quaternion(const Quaternion<double>& a);

/// A unit quaternion along the four numbers, whatever their scale; a warning when they were far from one.
std::optional<Quaternion<double>> take_quaternion(Arguments& arguments);

}  // namespace polhode::format
