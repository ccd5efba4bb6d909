#include "problem.h"

#include <algorithm>

namespace polhode::bench {
namespace {

/// A link's frame, from its parent's.
LinkFrame placed(const Link& link, const LinkFrame& parent) {
  const Rotation at_zero = parent.R * link.zero;
  const Triple r = rotated(parent.R, link.joint_at);
  LinkFrame frame{parent.origin + r, at_zero, parent.velocity + cross(parent.omega, r), parent.omega};
  switch (link.joint) {
    case JointKind::hinge:
      frame.R = at_zero * rotation_about(link.axis, link.q[0]);
      frame.omega = frame.omega + link.u[0] * rotated(at_zero, link.axis);
      break;
    case JointKind::slide: {
      const Triple along = rotated(at_zero, link.axis), slid = link.q[0] * along;
      frame.origin = frame.origin + slid;
      frame.velocity = frame.velocity + cross(parent.omega, slid) + link.u[0] * along;
      break;
    }
    case JointKind::universal: {
      const Rotation half = at_zero * rotation_about(link.axis, link.q[0]);
      frame.R = half * rotation_about(link.axis2, link.q[1]);
      frame.omega = frame.omega + link.u[0] * rotated(at_zero, link.axis) + link.u[1] * rotated(half, link.axis2);
      break;
    }
    case JointKind::free: {
      const Triple shifted = rotated(parent.R, link.shift);
      frame.origin = frame.origin + shifted;
      frame.velocity = frame.velocity + cross(parent.omega, shifted) + rotated(parent.R, link.velocity);
      [[fallthrough]];
    }
    case JointKind::ball:
      frame.R = at_zero * rotation_of(link.turn);
      frame.omega = frame.omega + rotated(parent.R, link.omega);
      break;
  }
  return frame;
}

/// Whether a link and all that carry it move across a direction of the world only.
bool moves_across(const Problem& problem, const std::vector<LinkFrame>& frames, int link, const Triple& direction) {
  constexpr double hardly = 1e-9;
  for (; link != world; link = problem.links[link].parent) {
    const Link& moved = problem.links[link];
    const Triple axis = rotated(frames[link].R, moved.axis);
    const bool is_along = moved.joint == JointKind::hinge && length(cross(axis, direction)) < hardly;
    const bool is_across = moved.joint == JointKind::slide && std::abs(dot(axis, direction)) < hardly;
    if (!is_along && !is_across) return false;
  }
  return true;
}

}  // namespace

std::vector<LinkFrame> frames_at_start(const Problem& problem) {
  std::vector<LinkFrame> frames;
  for (const Link& link : problem.links) {
    frames.push_back(placed(link, link.parent == world ? LinkFrame{} : frames[link.parent]));
  }
  return frames;
}

std::vector<BodyState> start_of(const Problem& problem) {
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  std::vector<BodyState> bodies;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Triple r = rotated(frames[i].R, problem.links[i].centre);
    bodies.push_back({frames[i].origin + r, frames[i].velocity + cross(frames[i].omega, r), frames[i].omega, frames[i].R});
  }
  return bodies;
}

bool stays_in_plane(const Problem& problem, const Closure& closure) {
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  const Triple y = rotated(closure.link_a == world ? no_turn : frames[closure.link_a].R, {0, 1, 0});
  return moves_across(problem, frames, closure.link_a, y) && moves_across(problem, frames, closure.link_b, y);
}

Link with_some_inertia(Link link) {
  const double felt = *std::max_element(link.inertia.begin(), link.inertia.end()) + link.mass * dot(link.centre, link.centre);
  constexpr double radius = 1;  // of gyration, where there is nothing else to go by [m]
  const double least = 1e-6 * (felt > 0 ? felt : link.mass * radius * radius);
  for (double& I : link.inertia) I = std::max(I, least);
  return link;
}

Problem with_some_inertia(Problem problem, double some) {
  for (Link& link : problem.links) {
    for (double& I : link.inertia) {
      if (I == 0) I = some;
    }
  }
  return problem;
}

}  // namespace polhode::bench
