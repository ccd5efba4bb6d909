#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "polhode/mechanism/joints/ball.h"
#include "polhode/mechanism/joints/bend_stretch.h"
#include "polhode/mechanism/joints/bushing.h"
#include "polhode/mechanism/joints/custom.h"
#include "polhode/mechanism/joints/cylindrical.h"
#include "polhode/mechanism/joints/ellipsoid.h"
#include "polhode/mechanism/joints/free.h"
#include "polhode/mechanism/joints/free_line.h"
#include "polhode/mechanism/joints/function_based.h"
#include "polhode/mechanism/joints/gimbal.h"
#include "polhode/mechanism/joints/line_orientation.h"
#include "polhode/mechanism/joints/planar.h"
#include "polhode/mechanism/joints/prismatic.h"
#include "polhode/mechanism/joints/revolute.h"
#include "polhode/mechanism/joints/screw.h"
#include "polhode/mechanism/joints/spherical_coordinates.h"
#include "polhode/mechanism/joints/translation.h"
#include "polhode/mechanism/joints/universal.h"
#include "polhode/mechanism/joints/weld.h"

namespace polhode {

/// Every joint type the library knows; a user's own goes in as Custom.
using JointModel =
    std::variant<Weld, Revolute, Prismatic, Screw, Cylindrical, Universal, BendStretch, Planar, SphericalCoordinates, Gimbal,
                 Ball, Ellipsoid, LineOrientation, Translation, Bushing, FreeLine, Free, FunctionBased, Custom>;

inline int num_coordinates(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nq); }, joint);
}
inline int num_speeds(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nv); }, joint);
}
inline int num_chart_coordinates(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nchart); }, joint);
}
/// The type's name in the model language; a custom joint's is its user's.
inline std::string_view type_name(const JointModel& joint) {
  if (const auto* custom = std::get_if<Custom>(&joint)) return custom->joint->type_name();
  return std::visit([](const auto& j) { return std::string_view(j.type); }, joint);
}

/// The joint that a type's name or one of its other names (pin, slider, ball, ...) stands for, in any case of letters.
/// A screw comes with lead 0 and an ellipsoid with unit semi-axes: who asks must give them theirs.
/// Function-based and custom joints cannot be asked for by name, as their functions are code.
std::optional<JointModel> joint_from_type_name(std::string_view name);

/// The names that joint_from_type_name knows, other names left out: for messages.
std::span<const std::string_view> joint_type_names();

}  // namespace polhode
