#pragma once
/// The forces of a model as those of a problem's links.

#include "link_frames.h"

namespace polhode::bench {

/// Springs, damping and constant forces of coordinates, and torques about hinges on the world.  Throws std::runtime_error that
/// names any other.
void add_forces(const OwnModel& own, const LinkFrames& frames, Problem& problem);

}  // namespace polhode::bench
