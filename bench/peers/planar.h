#pragma once
/// Whether a mechanism moves in parallel planes, across its hinges: engines then need fewer equations to close its loops.
/// Links that no closure is on may have any axes.  C++17.

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../step/problem.h"

namespace polhode::bench {

inline bool is_planar(const Problem& problem) {
  constexpr double parallel = 1e-12, across = 1e-9;
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  const auto axis = [&](std::size_t i) { return rotated(frames[i].R, problem.links[i].axis); };
  const auto is_normal = [](const Triple& a, const Triple& n) { return std::abs(std::abs(dot(a, n)) - 1) < parallel; };
  std::size_t first = 0;  // hinge, which says where the planes are
  while (first < frames.size() && problem.links[first].joint != JointKind::hinge) ++first;
  if (first == frames.size()) return false;
  const Triple normal = axis(first);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const JointKind joint = problem.links[i].joint;
    const bool is_in_plane = joint == JointKind::hinge   ? is_normal(axis(i), normal)
                             : joint == JointKind::slide ? std::abs(dot(axis(i), normal)) < across
                                                         : false;
    if (!is_in_plane) return false;
  }
  for (const Closure& closure : problem.closures) {
    const bool has_axis = closure.kind == Closure::Kind::planar || closure.kind == Closure::Kind::pin;
    if (has_axis && !is_normal(rotated(frames[std::size_t(closure.link_a)].R, {0, 1, 0}), normal)) return false;
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
