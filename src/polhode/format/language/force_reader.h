#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of forces: forms that refer to elements and that nothing refers to.
namespace polhode::format {

inline constexpr std::string_view spring_usage = "(spring \"frame\" \"frame\" stiffness rest-length [damping])";
inline constexpr std::string_view damping_usage = "(damping \"coordinate\" c [c2])";
inline constexpr std::string_view torsion_spring_usage = "(torsion-spring \"coordinate\" stiffness rest)";
inline constexpr std::string_view generalized_force_usage =
    "(generalized-force \"coordinate\" value), or a signal such as (sine 1 2) for the value";
inline constexpr std::string_view force_usage = "(force \"body\" x y z), or (force \"body\" (world x y z))";
inline constexpr std::string_view torque_usage = "(torque \"body\" x y z), or (torque \"body\" (world x y z))";
inline constexpr std::string_view wrench_usage = "(wrench \"body\" (force x y z) (torque x y z) [(world)])";
void read_spring(Arguments& arguments, MechanismBuilder& builder);
void read_damping(Arguments& arguments, MechanismBuilder& builder);
void read_torsion_spring(Arguments& arguments, MechanismBuilder& builder);
void read_generalized_force(Arguments& arguments, MechanismBuilder& builder);
void read_force(Arguments& arguments, MechanismBuilder& builder);
void read_torque(Arguments& arguments, MechanismBuilder& builder);
void read_wrench(Arguments& arguments, MechanismBuilder& builder);

// force_reader.cpp
inline constexpr std::string_view gravity_usage = "(gravity x y z) or (gravity x y z (on \"body\" ...))";
inline constexpr std::string_view nonlinear_spring_usage =
    "(nonlinear-spring \"frame\" \"frame\" rest-length k1 k2 ... [(damping c)]), or (table (x f) (x f) ...) instead of k1 k2 "
    "...";
inline constexpr std::string_view nonlinear_torsion_spring_usage =
    "(nonlinear-torsion-spring \"coordinate\" rest k1 k2 ...), or (table (x f) (x f) ...) instead of k1 k2 ...";
inline constexpr std::string_view frame_wrench_usage =
    "(frame-wrench \"frame\" (force x y z) (torque x y z) [(hybrid)] [(spatial)])";
inline constexpr std::string_view attraction_usage = "(attraction G [\"body\" \"body\" ...])";
void read_gravity(Arguments& arguments, MechanismBuilder& builder);
void read_nonlinear_spring(Arguments& arguments, MechanismBuilder& builder);
void read_nonlinear_torsion_spring(Arguments& arguments, MechanismBuilder& builder);
void read_frame_wrench(Arguments& arguments, MechanismBuilder& builder);
void read_attraction(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
