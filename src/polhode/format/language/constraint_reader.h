#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of constraints: forms that refer to frames or coordinates and that nothing refers to.
namespace polhode::format {

inline constexpr std::string_view point_constraint_usage =
    "(point-constraint \"frame\" \"frame\" [x y z] [(name \"...\")] [(disabled)])";
inline constexpr std::string_view ball_usage = "(ball \"frame\" \"frame\" [(name \"...\")] [(disabled)])";
inline constexpr std::string_view weld_usage = "(weld \"frame\" \"frame\" [(name \"...\")] [(disabled)])";
inline constexpr std::string_view point_in_plane_usage =
    "(point-in-plane \"frame\" \"frame\" x y z [(name \"...\")] [(disabled)])";
inline constexpr std::string_view point_on_line_usage =
    "(point-on-line \"frame\" \"frame\" x y z [(name \"...\")] [(disabled)])";
inline constexpr std::string_view wire_usage = "(wire \"frame\" \"frame\" length [(name \"...\")] [(disabled)])";
inline constexpr std::string_view rod_usage = "(rod \"frame\" \"frame\" length [(name \"...\")] [(disabled)])";
inline constexpr std::string_view constant_angle_usage =
    "(constant-angle \"frame\" (x y z) \"frame\" (x y z) angle [(name \"...\")] [(disabled)])";
inline constexpr std::string_view constant_orientation_usage =
    "(constant-orientation \"frame\" \"frame\" [(name \"...\")] [(disabled)])";
inline constexpr std::string_view no_slip_usage = "(no-slip \"case\" \"frame\" \"frame\" x y z [(name \"...\")] [(disabled)])";
inline constexpr std::string_view rolling_disk_usage =
    "(rolling-disk \"wheel\" \"plane\" radius [(name \"...\")] [(disabled)])";
inline constexpr std::string_view rolling_ball_usage = "(rolling-ball \"ball\" \"plane\" radius [(name \"...\")] [(disabled)])";
inline constexpr std::string_view screw_usage = "(screw \"rotation\" \"translation\" lead [(name \"...\")] [(disabled)])";
inline constexpr std::string_view gear_usage = "(gear \"angle\" \"angle\" ratio [(name \"...\")] [(disabled)])";
inline constexpr std::string_view coupler_usage =
    "(coupler (\"coordinate\" coefficient) ... [(equals constant)] [(name \"...\")] [(disabled)])";
inline constexpr std::string_view speed_coupler_usage =
    "(speed-coupler (\"speed\" coefficient) ... [(equals constant)] [(name \"...\")] [(disabled)])";
inline constexpr std::string_view constant_coordinate_usage =
    "(constant-coordinate \"coordinate\" value [(name \"...\")] [(disabled)])";
inline constexpr std::string_view constant_speed_usage = "(constant-speed \"speed\" value [(name \"...\")] [(disabled)])";
inline constexpr std::string_view constant_acceleration_usage =
    "(constant-acceleration \"speed\" value [(name \"...\")] [(disabled)])";
inline constexpr std::string_view motion_constraint_usage =
    "(motion-constraint \"coordinate\" signal [(name \"...\")] [(disabled)])";

void read_point_constraint(Arguments& arguments, MechanismBuilder& builder);
void read_ball(Arguments& arguments, MechanismBuilder& builder);
void read_weld(Arguments& arguments, MechanismBuilder& builder);
void read_point_in_plane(Arguments& arguments, MechanismBuilder& builder);
void read_point_on_line(Arguments& arguments, MechanismBuilder& builder);
void read_wire(Arguments& arguments, MechanismBuilder& builder);
void read_rod(Arguments& arguments, MechanismBuilder& builder);
void read_constant_angle(Arguments& arguments, MechanismBuilder& builder);
void read_constant_orientation(Arguments& arguments, MechanismBuilder& builder);
void read_no_slip(Arguments& arguments, MechanismBuilder& builder);
void read_rolling_disk(Arguments& arguments, MechanismBuilder& builder);
void read_rolling_ball(Arguments& arguments, MechanismBuilder& builder);
void read_screw(Arguments& arguments, MechanismBuilder& builder);
void read_gear(Arguments& arguments, MechanismBuilder& builder);
void read_coupler(Arguments& arguments, MechanismBuilder& builder);
void read_speed_coupler(Arguments& arguments, MechanismBuilder& builder);
void read_constant_coordinate(Arguments& arguments, MechanismBuilder& builder);
void read_constant_speed(Arguments& arguments, MechanismBuilder& builder);
void read_constant_acceleration(Arguments& arguments, MechanismBuilder& builder);
void read_motion_constraint(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
