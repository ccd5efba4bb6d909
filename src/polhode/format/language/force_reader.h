#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Readers of those forces whose forms do not follow from their tables of fields (element_form.h).
namespace polhode::format {

inline constexpr std::string_view generalized_force_usage =
    "(generalized-force \"coordinate\" value), or for the value a signal such as (sine 1 2), or a law such as (* -5 knee)";
inline constexpr std::string_view force_usage = "(force \"body\" x y z), or (force \"body\" (world x y z))";
inline constexpr std::string_view torque_usage = "(torque \"body\" x y z), or (torque \"body\" (world x y z))";
inline constexpr std::string_view wrench_usage = "(wrench \"body\" (force x y z) (torque x y z) [(world)])";
void read_generalized_force(Arguments& arguments, MechanismBuilder& builder);
void read_force(Arguments& arguments, MechanismBuilder& builder);
void read_torque(Arguments& arguments, MechanismBuilder& builder);
void read_wrench(Arguments& arguments, MechanismBuilder& builder);
inline constexpr std::string_view motor_usage =
    "(motor \"name\" \"coordinate\" [(gear x)] [(force low high)] [(input \"name\")])";
void read_motor(Arguments& arguments, MechanismBuilder& builder);

// force_law_reader.cpp
inline constexpr std::string_view gravity_usage = "(gravity x y z) or (gravity x y z (on \"body\" ...))";
inline constexpr std::string_view frame_wrench_usage =
    "(frame-wrench \"frame\" (force x y z) (torque x y z) [(hybrid)] [(spatial)])";
void read_gravity(Arguments& arguments, MechanismBuilder& builder);
/// k1 k2 ... or (table ...), then the further options, to the end of the form.
std::optional<ForceLaw> take_force_law(Arguments& arguments, std::vector<Option> further);
void read_frame_wrench(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
