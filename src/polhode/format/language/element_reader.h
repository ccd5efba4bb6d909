#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/format/language/draft.h"

/// Readers of the forms that make up the joint graph and its initial state. Each takes a form whose keyword it knows and adds
/// to the builder what could be understood, so that other forms that name the element do not fail as well.
namespace polhode::format {

inline constexpr std::string_view body_usage =
    "(body \"name\" (mass m) (inertia ixx iyy izz [ixy ixz iyz] [(as-given)]) (com x y z) (pose x y z))";
inline constexpr std::string_view joint_usage = "(joint type \"name\" parent child (at x y z) (axis x y z))";
inline constexpr std::string_view frame_usage = "(frame \"name\" \"body\" (pose x y z))";

void read_body(Arguments& arguments, MechanismBuilder& builder);
void read_joint(Arguments& arguments, Draft& draft);
void read_frame(Arguments& arguments, MechanismBuilder& builder);

inline constexpr std::string_view initial_usage = "(initial (\"coordinate\" position [speed]) ...)";
inline constexpr std::string_view velocity_usage = "(velocity \"body\" (angular x y z) (linear x y z))";
void read_initial(Arguments& arguments, Draft& draft);
void read_velocity(Arguments& arguments, MechanismBuilder& builder);

}  // namespace polhode::format
