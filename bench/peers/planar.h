#pragma once
/// Whether a mechanism moves in the x-z plane only: engines then need fewer equations to close its loops.  C++17.

#include <cmath>
#include <cstddef>
#include <vector>

#include "../step/problem.h"

namespace polhode::bench {

inline bool is_planar(const Problem& problem) {
  const auto is_y = [](const Triple& a) { return std::abs(std::abs(a[1]) - 1) < 1e-12; };
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Link& link = problem.links[i];
    if (!is_y(rotated(frames[i].R, {0, 1, 0}))) return false;
    if (link.joint == JointKind::hinge ? !is_y(link.axis) : link.joint != JointKind::slide || link.axis[1] != 0) return false;
  }
  return true;
}

}  // namespace polhode::bench
