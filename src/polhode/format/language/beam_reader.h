#pragma once
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/beam.h"

/// Flexible beams as text.
namespace polhode::format {

inline constexpr std::string_view beam_usage =
    "(beam \"name\" \"frame\" [\"frame\"] (length L) (elements n) (rectangle width height) (young E) (density rho)); other "
    "sections are (circle radius) and (section area Iy Iz J), other options (shear-modulus G), (poisson nu), (planar), "
    "(stretches), (damping T), (root TYPE), (end TYPE) and (color r g b [opacity])";

/// Adds to `beams`, which are expanded when all frames are known.
void read_beam(Arguments& arguments, std::vector<BeamSpec>& beams);

}  // namespace polhode::format
