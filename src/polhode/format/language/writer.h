#pragma once
#include <string>

#include "polhode/mechanism/builder.h"

namespace polhode::format {

/// The model as text that reads back to an equal builder: every number in the shortest form that gives the same double.
/// Nested frames have become bodies, joints and frames by then and are written as such. Throws ModelError for what has no
/// text: elements and joints that are code, numbers that are not finite, names with control characters.
std::string write_model(const MechanismBuilder& builder);

}  // namespace polhode::format
