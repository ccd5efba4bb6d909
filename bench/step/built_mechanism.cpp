#include "built_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "convert.h"
#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/joint_queries.h"

namespace polhode::bench {
namespace {

std::string link_name(int i) { return i == world ? ground_name : fmt::format("link{}", i); }
std::string joint_name(int i) { return fmt::format("joint{}", i); }
std::string closure_name(int i) { return fmt::format("closure{}", i); }

/// The joint's axes M in the link's, as its model wants them.
Mat3<double> joint_axes(const Link& link) {
  switch (link.joint) {
    case JointKind::hinge:
    case JointKind::slide: return rotation_with_z(vec3(link.axis));
    case JointKind::universal: return rotation_with_xy(vec3(link.axis), vec3(link.axis2));
    case JointKind::ball:
    case JointKind::free: break;
  }
  return Mat3<double>::identity();
}

JointModel model_of(JointKind kind) {
  switch (kind) {
    case JointKind::hinge: return Revolute{};
    case JointKind::slide: return Prismatic{};
    case JointKind::universal: return Universal{};
    case JointKind::ball: return Ball{};
    case JointKind::free: return Free{};
  }
  return Weld{};
}

JointSpec joint_of(const Link& link, int i) {
  const Mat3<double> axes = joint_axes(link);
  return {.name = joint_name(i),
          .model = model_of(link.joint),
          .parent = link_name(link.parent),
          .child = link_name(i),
          .placement = LocalPlacement{{mat3(link.zero) * axes, vec3(link.joint_at)}, {axes, {}}}};
}

/// Coordinates of ball joints have no names of their own to damp, but their speeds do.
std::vector<std::string> damped_names(const Link& link, int i) {
  const std::string joint = joint_name(i);
  switch (link.joint) {
    case JointKind::hinge:
    case JointKind::slide: return {joint};
    case JointKind::universal: return {joint + ".x", joint + ".y"};
    case JointKind::ball: return {joint + ".wx", joint + ".wy", joint + ".wz"};
    case JointKind::free: break;
  }
  throw std::runtime_error("free joints have no damping");
}

void add_forces(MechanismBuilder& builder, const Link& link, int i) {
  if (link.drive != 0) builder.add_force({CoordinateForceSpec{joint_name(i), link.drive}});
  if (link.has_spring()) {
    const std::vector<double> stiffness(link.stiffness.begin(), link.stiffness.end());
    builder.add_force({NonlinearCoordinateSpringSpec{joint_name(i), link.rest, ForceLaw::polynomial(stiffness)}});
  }
  if (link.damping == 0) return;
  for (const std::string& name : damped_names(link, i)) builder.add_force({CoordinateDampingSpec{name, link.damping}});
}

/// Whether all hinges are about y: then Johnson & Murphey's way to close a planar loop will do, one point constraint along x,
/// one along z; it knows no axes that turn.
bool turns_about_y(const Problem& problem) {
  return std::all_of(problem.links.begin(), problem.links.end(), [](const Link& link) {
    const bool fits =
        link.joint == JointKind::hinge ? std::abs(link.axis[1]) == 1 : link.joint == JointKind::slide && link.axis[1] == 0;
    return fits && link.zero == no_turn;
  });
}

/// A pin is a joint, and the others are equations.
void add_closure(MechanismBuilder& builder, const Closure& closure, int i, bool about_y) {
  if (closure.hook) throw std::runtime_error("hooks that move come from models only");
  if (closure.kind == Closure::Kind::pin) {
    const Mat3<double> axes = rotation_with_z(Vec3<double>{0, 1, 0});
    builder.add_joint({.name = closure_name(i),
                       .parent = link_name(closure.link_a),
                       .child = link_name(closure.link_b),
                       .placement = LocalPlacement{{axes, vec3(closure.p_a)}, {axes, vec3(closure.p_b)}}});
    return;
  }
  const std::string a = closure_name(i) + "a", b = closure_name(i) + "b";
  builder.add_frame({a, link_name(closure.link_a), {Mat3<double>::identity(), vec3(closure.p_a)}});
  builder.add_frame({b, link_name(closure.link_b), {Mat3<double>::identity(), vec3(closure.p_b)}});
  switch (closure.kind) {
    case Closure::Kind::planar:
      if (about_y) {
        builder.add_constraint({"", PointConstraintSpec{a, b, {1, 0, 0}}});
        builder.add_constraint({"", PointConstraintSpec{a, b, {0, 0, 1}}});
      } else {
        builder.add_constraint({"", PointOnLineSpec{a, b, {0, 1, 0}}});
      }
      break;
    case Closure::Kind::point: builder.add_constraint({"", CoincidentPointsSpec{a, b}}); break;
    case Closure::Kind::rod: builder.add_constraint({"", WireSpec{a, b, closure.length}}); break;
    case Closure::Kind::pin: break;
  }
}

/// X_WL of the start.
Transform<double> pose_of(const std::vector<LinkFrame>& frames, int link) {
  if (link == world) return {};
  return {mat3(frames[std::size_t(link)].R), vec3(frames[std::size_t(link)].origin)};
}

/// V_FM as its joint has it, by the two links' velocities.
struct Relative {
  Transform<double> X_FM;
  Motion<double> V_FM;
};
Relative relative_motion(const Joint& joint, const Transform<double>& X_WP, const LinkFrame& parent,
                         const Transform<double>& X_WB, const LinkFrame& child) {
  const Transform<double> X_WF = X_WP * joint.X_PF, X_WM = X_WB * joint.X_BM;
  const Vec3<double> at_M = vec3(child.velocity) + cross(vec3(child.omega), X_WM.p - X_WB.p);
  const Vec3<double> of_parent = vec3(parent.velocity) + cross(vec3(parent.omega), X_WM.p - X_WP.p);
  return {inverse(X_WF) * X_WM,
          {transpose_times(X_WF.R, vec3(child.omega) - vec3(parent.omega)), transpose_times(X_WF.R, at_M - of_parent)}};
}

}  // namespace

Mechanism built_mechanism(const Problem& problem) {
  MechanismBuilder builder;
  builder.gravity = vec3(problem.gravity);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Link& link = problem.links[std::size_t(i)];
    builder.add_body({link_name(i), {link.mass, vec3(link.centre), SymMat3<double>::diagonal(vec3(link.inertia))}});
    builder.add_joint(joint_of(link, i));
    add_forces(builder, link, i);
  }
  const bool about_y = turns_about_y(problem);
  for (int i = 0; i < int(problem.closures.size()); ++i) add_closure(builder, problem.closures[std::size_t(i)], i, about_y);
  return builder.build();
}

/// Joints that the tree has from the problem keep their coordinates, turns more than once included.  Which of the joints of a
/// loop is in the tree is the library's choice, and what a pin's coordinate is follows from the picture.
State built_start(const Mechanism& mechanism, const Problem& problem) {
  State state(mechanism);
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  const std::vector<LinkPlace> places = built_places(mechanism, problem);
  std::vector<int> link_of(std::size_t(mechanism.num_bodies()), world);
  for (std::size_t i = 0; i < places.size(); ++i) link_of[std::size_t(places[i].body)] = int(i);
  const auto frame = [&](int link) { return link == world ? LinkFrame{} : frames[std::size_t(link)]; };

  for (int body = 1; body < mechanism.num_bodies(); ++body) {
    const Joint& joint = mechanism.joints()[std::size_t(body)];
    const int child = link_of[std::size_t(body)], parent = link_of[std::size_t(mechanism.bodies()[std::size_t(body)].parent)];
    const Link& link = problem.links[std::size_t(child)];
    const bool own = joint.name == joint_name(child);
    if (own && joint.nu == joint.nq) {
      for (int k = 0; k < joint.nu; ++k) {
        state.set_q(joint.first_q + k, link.q[std::size_t(k)]);
        state.set_u(joint.first_u + k, link.u[std::size_t(k)]);
      }
      continue;
    }
    const Relative motion =
        relative_motion(joint, pose_of(frames, parent), frame(parent), pose_of(frames, child), frame(child));
    const std::vector<double> q = coordinates_of_pose(joint.model, joint.reversed ? inverse(motion.X_FM) : motion.X_FM);
    for (int k = 0; k < joint.nq; ++k) state.set_q(joint.first_q + k, q[std::size_t(k)]);
    const auto& [angular, linear] = motion.V_FM;
    if (joint.nu == 1) {
      const double rate = std::holds_alternative<Prismatic>(joint.model) ? linear.z : angular.z;
      state.set_u(joint.first_u, joint.reversed ? -rate : rate);
      continue;
    }
    if (joint.reversed) throw std::runtime_error("a loop that the tree runs through the other way round, by " + joint.name);
    for (int k = 0; k < 3; ++k) state.set_u(joint.first_u + k, angular[k]);
    for (int k = 3; k < joint.nu; ++k) state.set_u(joint.first_u + k, linear[k - 3]);
  }
  return state;
}

std::vector<LinkPlace> built_places(const Mechanism& mechanism, const Problem& problem) {
  std::vector<LinkPlace> places;
  for (int i = 0; i < int(problem.links.size()); ++i) places.push_back({mechanism.body(link_name(i)), {}});
  return places;
}

}  // namespace polhode::bench
