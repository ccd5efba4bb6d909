#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/frame_tree.h"

namespace polhode::format {

/// tx ty tz rx ry rz, in any case.
std::optional<TreeFrame::Primitive> primitive_named(std::string_view keyword);

/// A form of nested frames: one of these, or a link by Denavit and Hartenberg's parameters, dh or mdh.
bool is_frame_form(std::string_view keyword);

/// Appends the frames of a nested form such as (ry "J" (name "J") (tz -1 (mass 1))), parents first (Johnson & Murphey, Table
/// II).
void read_frames(const SyntaxTree& tree, NodeId form, Notes& notes, std::vector<TreeFrame>& frames);

/// (mass m [ixx iyy izz [(as-given)]]); the keyword has been passed already.
std::optional<MassProperties> take_mass(Arguments& arguments, bool& as_given);
/// (as-given) at the end of an inertia.
void take_as_given(Arguments& arguments, bool& as_given);

}  // namespace polhode::format
