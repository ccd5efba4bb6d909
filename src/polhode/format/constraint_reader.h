#pragma once
#include "polhode/format/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of constraints: forms that refer to frames or coordinates and that nothing refers to.
namespace polhode::format {

inline constexpr std::string_view point_constraint_usage = "(point-constraint \"frame\" \"frame\" [x y z] [(name \"...\")])";
inline constexpr std::string_view point_in_plane_usage = "(point-in-plane \"frame\" \"frame\" x y z [(name \"...\")])";
inline constexpr std::string_view wire_usage = "(wire \"frame\" \"frame\" length [(name \"...\")])";
inline constexpr std::string_view screw_usage = "(screw \"rotation\" \"translation\" lead [(name \"...\")])";
inline constexpr std::string_view gear_usage = "(gear \"angle\" \"angle\" ratio [(name \"...\")])";
inline constexpr std::string_view coupler_usage =
    "(coupler (\"coordinate\" coefficient) ... [(equals constant)] [(name \"...\")])";
void read_point_constraint(Arguments& arguments, MechanismBuilder& builder);
void read_point_in_plane(Arguments& arguments, MechanismBuilder& builder);
void read_wire(Arguments& arguments, MechanismBuilder& builder);
void read_screw(Arguments& arguments, MechanismBuilder& builder);
void read_gear(Arguments& arguments, MechanismBuilder& builder);
void read_coupler(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
