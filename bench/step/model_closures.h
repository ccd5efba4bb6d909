#pragma once
/// The loop joints and constraints of a model as a problem's closures.

#include "link_frames.h"

namespace polhode::bench {

/// Throws std::runtime_error that names a constraint which no closure can say.
std::vector<Closure> closures_of(const OwnModel& own, const LinkFrames& frames);

}  // namespace polhode::bench
