#pragma once
#include <string>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::projected {

/// In words, the spring or the pair of bodies that attract each other whose ends have come nearest to each other, where its
/// force has no direction or no limit: nearer than a thousandth of what they were at the start, or of the rest length. Empty
/// where there is none.
std::string singular_force(const Mechanism& mechanism, const maximal::Bodies& at, const maximal::Bodies& start);

}  // namespace polhode::projected
