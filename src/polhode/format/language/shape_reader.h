#pragma once
#include <string_view>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

namespace polhode::format {

inline constexpr std::string_view shape_usage =
    "(shape \"frame\" (box x y z) [(pose x y z)] [(color r g b [opacity])]); other solids are (sphere r), (cylinder r length), "
    "(capsule r length) and (mesh \"file\")";
/// Inside a body or a nested frame, which is then the frame.
inline constexpr std::string_view inner_shape_usage =
    "(shape (box x y z) [(pose x y z)] [(color r g b [opacity])]); other solids are (sphere r), (cylinder r length), "
    "(capsule r length) and (mesh \"file\")";

void read_shape(Arguments& arguments, MechanismBuilder& builder);
/// What follows the frame's name; added to the shapes when it was understood.
void take_shape(Arguments& arguments, std::vector<ShapeSpec>& shapes);

}  // namespace polhode::format
