#pragma once
/// Whether a mechanism moves in parallel planes, across the y axes of its links: engines then need fewer equations to close its
/// loops.  C++17.

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../step/problem.h"

namespace polhode::bench {

inline bool is_planar(const Problem& problem) {
  const auto are_parallel = [](const Triple& a, const Triple& b) { return std::abs(std::abs(dot(a, b)) - 1) < 1e-12; };
  const Triple y{0, 1, 0};
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Link& link = problem.links[i];
    if (!are_parallel(rotated(frames[i].R, y), rotated(frames[0].R, y))) return false;
    const bool is_in_plane = link.joint == JointKind::hinge   ? are_parallel(link.axis, y)
                             : link.joint == JointKind::slide ? std::abs(link.axis[1]) < 1e-12
                                                              : false;
    if (!is_in_plane) return false;
  }
  return true;
}

/// In a planar mechanism points that meet are as good as a point on a line, which these engines have not.
inline void refuse_lines_in_space(const Problem& problem, const std::string& engine) {
  for (const Closure& closure : problem.closures) {
    if (closure.kind == Closure::Kind::planar && !is_planar(problem)) {
      throw std::runtime_error(engine + " has no constraint that keeps a point on a line, and the mechanism is not planar");
    }
  }
}

}  // namespace polhode::bench
