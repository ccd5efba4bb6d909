#pragma once
#include "polhode/format/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of forces: forms that refer to elements and that nothing refers to.
namespace polhode::format {

inline constexpr std::string_view spring_usage = "(spring \"frame\" \"frame\" stiffness rest-length [damping])";
inline constexpr std::string_view damping_usage = "(damping \"coordinate\" c)";
inline constexpr std::string_view torsion_spring_usage = "(torsion-spring \"coordinate\" stiffness rest)";
inline constexpr std::string_view generalized_force_usage = "(generalized-force \"coordinate\" value)";
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

}  // namespace polhode::format
