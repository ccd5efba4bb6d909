#include "polhode/format/plots/scene_constraint.h"

namespace polhode::format {
namespace {

struct Describer {
  const Mechanism& mechanism;

  const std::string& q(int i) const { return mechanism.coordinate_names()[i]; }
  const std::string& u(int i) const { return mechanism.speed_names()[i]; }

  /// Its direction is fixed in Ground, not in one of the frames.
  SceneConstraint operator()(const PointConstraint& c) const { return {"point-constraint", {c.frame_a, c.frame_b}}; }
  SceneConstraint operator()(const CoincidentPoints& c) const { return {"point-constraint", {c.frame_a, c.frame_b}}; }
  SceneConstraint operator()(const CoincidentFrames& c) const { return {"weld", {c.frame_a, c.frame_b}}; }
  SceneConstraint operator()(const PointInPlane& c) const {
    return {.kind = "point-in-plane", .frames = {c.frame_a, c.frame_b}, .direction = c.normal};
  }
  SceneConstraint operator()(const PointOnLine& c) const {
    return {.kind = "point-on-line", .frames = {c.frame_a, c.frame_b}, .direction = cross(c.normals[0], c.normals[1])};
  }
  SceneConstraint operator()(const Wire& c) const {
    return {.kind = "wire", .frames = {c.frame_a, c.frame_b}, .length = c.length};
  }
  SceneConstraint operator()(const ConstantAngle& c) const {
    return {.kind = "constant-angle", .frames = {c.frame_a, c.frame_b}, .direction = c.axis_a};
  }
  SceneConstraint operator()(const ConstantOrientation& c) const { return {"constant-orientation", {c.frame_a, c.frame_b}}; }
  SceneConstraint operator()(const NoSlip& c) const {
    return {.kind = "no-slip", .frames = {c.frame_case, c.frame_a, c.frame_b}, .direction = c.direction};
  }
  SceneConstraint operator()(const RollingDisk& c) const {
    return {.kind = "rolling-disk", .frames = {c.frame_a, c.frame_b}, .radius = c.radius};
  }
  SceneConstraint operator()(const RollingBall& c) const {
    return {.kind = "rolling-ball", .frames = {c.frame_a, c.frame_b}, .radius = c.radius};
  }

  SceneConstraint operator()(const ScrewCoupler& c) const { return {"screw", {}, {q(c.q_rotation), q(c.q_translation)}}; }
  SceneConstraint operator()(const Gear& c) const { return {"gear", {}, {q(c.q_a), q(c.q_b)}}; }
  SceneConstraint operator()(const Coupler& c) const {
    SceneConstraint out{"coupler"};
    for (const CoordinateTerm& term : c.terms) out.coordinates.push_back(q(term.q));
    return out;
  }
  SceneConstraint operator()(const SpeedCoupler& c) const {
    SceneConstraint out{"speed-coupler"};
    for (const CoordinateTerm& term : c.terms) out.coordinates.push_back(u(term.u));
    return out;
  }
  SceneConstraint operator()(const ConstantCoordinate& c) const { return {"constant-coordinate", {}, {q(c.q)}}; }
  SceneConstraint operator()(const ConstantSpeed& c) const { return {"constant-speed", {}, {u(c.u)}}; }
  SceneConstraint operator()(const ConstantAcceleration& c) const { return {"constant-acceleration", {}, {u(c.u)}}; }
  SceneConstraint operator()(const MotionConstraint& c) const { return {"motion-constraint", {}, {q(c.q)}}; }

  /// A user's: the bodies' own frames stand for what it ties on them.
  SceneConstraint operator()(const std::shared_ptr<const CustomConstraint>& c) const {
    SceneConstraint out{"custom", c->bodies()};
    for (const int speed : c->speeds()) out.coordinates.push_back(u(speed));
    return out;
  }
};

}  // namespace

SceneConstraint scene_constraint(const Mechanism& mechanism, const Constraint& constraint) {
  return std::visit(Describer{mechanism}, constraint.model);
}

}  // namespace polhode::format
