// ODE, whose bodies are all free and held by joints.  Methods: exact (dWorldStep), quick (dWorldQuickStep, iterative).
// Loops of planar mechanisms are closed by ball joints, which are fewer equations than hinges, and rods are double balls, which
// keep a distance.  What moves a rod's end is a kinematic body.  Springs, drives and damping are forces that ODE holds over the
// step, as its manual has it.

#include <ode/ode.h>

#include <cmath>
#include <stdexcept>

#include "../step/subject.h"
#include "planar.h"

namespace polhode::bench {
namespace {

// ODE refuses bodies without inertia [kg m^2]. Its exact step runs with as little as this, and the less, the nearer it is to
// the motion of point masses; quickstep diverges with less than it has here.
constexpr double point_inertia = 1e-6, point_inertia_of_quickstep = 1e-3;
constexpr double pi = 3.14159265358979323846;

/// ODE is started once and left as it is: the process that uses it is short-lived.
void start_ode() {
  static const int started = dInitODE2(0);
  if (!started) throw std::runtime_error("ODE does not start");
  if (!dCheckConfiguration("ODE_double_precision")) throw std::runtime_error("this ODE is built in single precision");
}

/// A joint whose coordinates feel forces.
struct ForcedJoint {
  const Link& link;
  dJointID joint;
  dBodyID child, parent;  // the parent may be null
  double coordinate;      // of a hinge or slide; whole turns are counted
};

/// A rod's end that is moved.
struct MovedEnd {
  const Closure& closure;
  dBodyID body;
};

class OdeStep final : public StepSubject {
 public:
  OdeStep(const Problem& problem, const std::string& method)
      : problem_(with_some_inertia(problem, method == "quick" ? point_inertia_of_quickstep : point_inertia)),
        quick_(method == "quick") {
    if (!quick_ && method != "exact") throw std::runtime_error("ODE has no method \"" + method + "\" here");
    refuse_lines_in_space(problem_, "ODE");
    start_ode();
    world_ = dWorldCreate();
    dWorldSetGravity(world_, problem.gravity[0], problem.gravity[1], problem.gravity[2]);
    const std::vector<LinkFrame> frames = frames_at_start(problem_);
    const std::vector<BodyState> start = start_of(problem_);
    for (std::size_t i = 0; i < problem_.links.size(); ++i) {
      add_body(problem_.links[i], start[i]);
      add_joint(problem_.links[i], frames[i]);
    }
    for (const Closure& closure : problem_.closures) add_closure(closure, frames);
  }
  OdeStep(const OdeStep&) = delete;
  OdeStep& operator=(const OdeStep&) = delete;
  ~OdeStep() override { dWorldDestroy(world_); }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i, ++steps_) {
      for (ForcedJoint& forced : forced_) add_forces(forced);
      for (const MovedEnd& end : moved_) move(end);
      if (!(quick_ ? dWorldQuickStep(world_, problem_.dt) : dWorldStep(world_, problem_.dt))) {
        throw std::runtime_error("ODE is out of memory");
      }
    }
  }

  void observe(std::vector<BodyState>& bodies) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const dReal *p = dBodyGetPosition(bodies_[i]), *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
      const dReal* R = dBodyGetRotation(bodies_[i]);  // rows of four
      bodies[i] = {
          {p[0], p[1], p[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}, {R[0], R[1], R[2], R[4], R[5], R[6], R[8], R[9], R[10]}};
    }
  }

  StepCounters counters() const override { return {steps_, 0, 0}; }

 private:
  dBodyID body(int link) const { return link == world ? nullptr : bodies_[link]; }

  void add_body(const Link& link, const BodyState& start) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, link.mass, 0, 0, 0, link.inertia[0], link.inertia[1], link.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    const Rotation& r = start.R;
    const dMatrix3 R{r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0};
    dBodySetRotation(body, R);
    dBodySetPosition(body, start.centre[0], start.centre[1], start.centre[2]);
    dBodySetLinearVel(body, start.velocity[0], start.velocity[1], start.velocity[2]);
    dBodySetAngularVel(body, start.omega[0], start.omega[1], start.omega[2]);
    bodies_.push_back(body);
  }

  /// Of the body that was added last.
  void add_joint(const Link& link, const LinkFrame& frame) {
    const dBodyID child = bodies_.back();
    const dBodyID parent = body(link.parent);
    const Triple &at = frame.origin, axis = rotated(frame.R, link.axis);
    dJointID joint = nullptr;
    switch (link.joint) {
      case JointKind::ball: joint = add_ball(child, parent, at); break;
      case JointKind::hinge: joint = add_hinge(child, parent, at, axis); break;
      case JointKind::slide:
        joint = dJointCreateSlider(world_, nullptr);
        dJointAttach(joint, child, parent);
        dJointSetSliderAxis(joint, axis[0], axis[1], axis[2]);
        break;
      case JointKind::universal: {
        // ODE's first axis is carried by its first body, which is the child.
        joint = dJointCreateUniversal(world_, nullptr);
        dJointAttach(joint, child, parent);
        dJointSetUniversalAnchor(joint, at[0], at[1], at[2]);
        const Triple own = rotated(frame.R, link.axis2);
        const Triple parents = rotated(frame.R, rotated(rotation_about(link.axis2, -link.q[1]), link.axis));
        dJointSetUniversalAxis1(joint, own[0], own[1], own[2]);
        dJointSetUniversalAxis2(joint, parents[0], parents[1], parents[2]);
        break;
      }
      case JointKind::free: break;
    }
    if (link.has_spring() || link.drive != 0 || link.damping != 0) forced_.push_back({link, joint, child, parent, link.q[0]});
  }

  dJointID add_ball(dBodyID a, dBodyID b, const Triple& at) {
    const dJointID joint = dJointCreateBall(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, at[0], at[1], at[2]);
    return joint;
  }

  dJointID add_hinge(dBodyID a, dBodyID b, const Triple& at, const Triple& axis) {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
    dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    return joint;
  }

  void add_closure(const Closure& closure, const std::vector<LinkFrame>& frames) {
    const dBodyID a = bodies_[closure.link_a], b = body(closure.link_b);
    const Triple at = point_on(frames[closure.link_a], closure.p_a);
    switch (closure.kind) {
      case Closure::Kind::planar:
      case Closure::Kind::point: add_ball(a, b, at); break;
      case Closure::Kind::pin: add_hinge(a, b, at, rotated(frames[closure.link_a].R, {0, 1, 0})); break;
      case Closure::Kind::rod:
        if (closure.hook) {
          add_moved_rod(closure, at);
        } else {
          add_rod(a, b, at, closure.link_b == world ? closure.p_b : point_on(frames[closure.link_b], closure.p_b),
                  closure.length);
        }
        break;
    }
  }

  void add_rod(dBodyID a, dBodyID b, const Triple& at_a, const Triple& at_b, double length) {
    const dJointID joint = dJointCreateDBall(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetDBallAnchor1(joint, at_a[0], at_a[1], at_a[2]);
    dJointSetDBallAnchor2(joint, at_b[0], at_b[1], at_b[2]);
    dJointSetDBallDistance(joint, length);  // after the anchors, which set it too
  }

  void add_moved_rod(const Closure& closure, const Triple& at) {
    const dBodyID end = dBodyCreate(world_);
    dBodySetKinematic(end);
    moved_.push_back({closure, end});
    move(moved_.back());
    const dReal* p = dBodyGetPosition(end);
    add_rod(bodies_[closure.link_a], end, at, {p[0], p[1], p[2]}, closure.length);
  }

  /// To where it is now, at the velocity that brings it to where it is after the step.
  void move(const MovedEnd& end) const {
    Triple now, then, velocity;
    end.closure.hook(double(steps_) * problem_.dt, now, velocity);
    end.closure.hook(double(steps_ + 1) * problem_.dt, then, velocity);
    velocity = (1 / problem_.dt) * (then - now);
    dBodySetPosition(end.body, now[0], now[1], now[2]);
    dBodySetLinearVel(end.body, velocity[0], velocity[1], velocity[2]);
  }

  static void add_forces(ForcedJoint& forced) {
    const Link& link = forced.link;
    switch (link.joint) {
      case JointKind::hinge: {
        // ODE's angle is zero at the start and stays between -pi and pi.
        const double angle = link.q[0] + dJointGetHingeAngle(forced.joint);
        forced.coordinate += std::remainder(angle - forced.coordinate, 2 * pi);
        const double force = link.force_at(forced.coordinate) - link.damping * dJointGetHingeAngleRate(forced.joint);
        dJointAddHingeTorque(forced.joint, force);
        break;
      }
      case JointKind::slide: {
        forced.coordinate = link.q[0] + dJointGetSliderPosition(forced.joint);
        const double force = link.force_at(forced.coordinate) - link.damping * dJointGetSliderPositionRate(forced.joint);
        dJointAddSliderForce(forced.joint, force);
        break;
      }
      case JointKind::free: add_drag(forced); [[fallthrough]];
      default: add_damping(forced); break;
    }
  }

  /// On the origin of a free link, against its motion relative to the parent.
  static void add_drag(const ForcedJoint& forced) {
    const Triple& c = forced.link.centre;  // ODE's bodies have theirs at the centre of mass
    dVector3 p, v, v_parent{};
    dBodyGetRelPointPos(forced.child, -c[0], -c[1], -c[2], p);
    dBodyGetPointVel(forced.child, p[0], p[1], p[2], v);
    if (forced.parent) dBodyGetPointVel(forced.parent, p[0], p[1], p[2], v_parent);
    Triple drag;
    for (int k = 0; k < 3; ++k) drag[k] = forced.link.damping * (v_parent[k] - v[k]);
    dBodyAddForceAtPos(forced.child, drag[0], drag[1], drag[2], p[0], p[1], p[2]);
    if (forced.parent) dBodyAddForceAtPos(forced.parent, -drag[0], -drag[1], -drag[2], p[0], p[1], p[2]);
  }

  /// The axes of a universal joint are perpendicular, so its damping is the relative spin's, as a ball's or a free joint's is.
  static void add_damping(const ForcedJoint& forced) {
    const double d = forced.link.damping;
    const dReal* w = dBodyGetAngularVel(forced.child);
    Triple spin{w[0], w[1], w[2]};
    if (forced.parent) {
      const dReal* v = dBodyGetAngularVel(forced.parent);
      spin = spin - Triple{v[0], v[1], v[2]};
      dBodyAddTorque(forced.parent, d * spin[0], d * spin[1], d * spin[2]);
    }
    dBodyAddTorque(forced.child, -d * spin[0], -d * spin[1], -d * spin[2]);
  }

  Problem problem_;
  bool quick_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<ForcedJoint> forced_;
  std::vector<MovedEnd> moved_;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_ode_step(const Problem& problem, const std::string& method) {
  return std::make_unique<OdeStep>(problem, method);
}

std::string ode_version() { return "ODE"; }  // the library does not tell its version

}  // namespace polhode::bench
