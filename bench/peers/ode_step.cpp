// ODE, whose bodies are all free and held by joints.  Methods: exact (dWorldStep), quick (dWorldQuickStep, iterative).
// Loops are closed by ball joints: fewer equations than hinges, and the mechanism is planar anyway.

#include <ode/ode.h>

#include <stdexcept>

#include "../step/subject.h"

namespace polhode::bench {
namespace {

constexpr double least_inertia = 1e-3;  // [kg m^2]; ODE refuses bodies without any

/// ODE is started once and left as it is: the process that uses it is short-lived.
void start_ode() {
  static const int started = dInitODE2(0);
  if (!started) throw std::runtime_error("ODE does not start");
  if (!dCheckConfiguration("ODE_double_precision")) throw std::runtime_error("this ODE is built in single precision");
}

class OdeStep final : public StepSubject {
 public:
  OdeStep(const Problem& problem, const std::string& method)
      : problem_(with_least_inertia(problem, least_inertia)), quick_(method == "quick") {
    if (!quick_ && method != "exact") throw std::runtime_error("ODE has no method \"" + method + "\" here");
    start_ode();
    world_ = dWorldCreate();
    dWorldSetGravity(world_, problem.gravity[0], problem.gravity[1], problem.gravity[2]);
    const std::vector<LinkFrame> frames = frames_at_start(problem_);
    const std::vector<BodyState> start = start_of(problem_);
    for (std::size_t i = 0; i < problem_.links.size(); ++i) {
      add_body(problem_.links[i], start[i]);
      add_joint(problem_.links[i], frames[i]);
    }
    for (const Closure& closure : problem_.closures) {
      add_ball(bodies_[closure.link_a], body(closure.link_b), point_on(frames[closure.link_a], closure.p_a));
    }
  }
  OdeStep(const OdeStep&) = delete;
  OdeStep& operator=(const OdeStep&) = delete;
  ~OdeStep() override { dWorldDestroy(world_); }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) {
      if (!(quick_ ? dWorldQuickStep(world_, problem_.dt) : dWorldStep(world_, problem_.dt))) {
        throw std::runtime_error("ODE is out of memory");
      }
    }
    steps_ += steps;
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
    switch (link.joint) {
      case JointKind::ball: add_ball(child, parent, at); break;
      case JointKind::hinge: {
        const dJointID joint = dJointCreateHinge(world_, nullptr);
        dJointAttach(joint, child, parent);
        dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
        dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
        break;
      }
      case JointKind::slide: {
        const dJointID joint = dJointCreateSlider(world_, nullptr);
        dJointAttach(joint, child, parent);
        dJointSetSliderAxis(joint, axis[0], axis[1], axis[2]);
        break;
      }
      default: throw std::runtime_error("joints of this kind are not measured in ODE");
    }
  }

  void add_ball(dBodyID a, dBodyID b, const Triple& at) {
    const dJointID joint = dJointCreateBall(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, at[0], at[1], at[2]);
  }

  Problem problem_;
  bool quick_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_ode_step(const Problem& problem, const std::string& method) {
  return std::make_unique<OdeStep>(problem, method);
}

std::string ode_version() { return "ODE"; }  // the library does not tell its version

}  // namespace polhode::bench
