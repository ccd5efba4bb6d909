// Simbody.  Methods: euler (semi-explicit, fixed step), verlet (fixed step), merson-ACCURACY (Runge-Kutta-Merson with its own
// steps, e.g. merson-1e-3).  Loops are closed by PointInPlane (two for a planar loop), Ball, ConstantAngle and Rod constraints.
// Pins and points in a planar mechanism are planar loops.  A rod's upper end that is moved is a body with a prescribed Motion.
// Compile without NDEBUG when Debian's library is used: its headers lay classes out differently with it.

#include <Simbody.h>

#include <algorithm>
#include <stdexcept>

#include "../step/subject.h"

namespace polhode::bench {
namespace {

SimTK::Vec3 vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const SimTK::Vec3& a) { return {a[0], a[1], a[2]}; }

SimTK::Rotation rotation(const Rotation& R) {
  return SimTK::Rotation(SimTK::Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]));
}

SimTK::Rotation rotation(const Quaternion& q) { return SimTK::Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])); }

/// Simbody moves a point mass on a hinge; joints that turn about more axes need inertia about all of them.
Problem as_simbody_runs(Problem problem) {
  for (Link& link : problem.links) {
    if (link.joint != JointKind::hinge && link.joint != JointKind::slide) link = with_some_inertia(link);
  }
  return problem;
}

bool has_force(const Link& link) { return link.drive != 0 || link.has_spring(); }

/// Springs and drives on the coordinates of hinges and slides; Simbody's own springs are linear.
class CoordinateForces final : public SimTK::Force::Custom::Implementation {
 public:
  CoordinateForces(const Problem& problem, const std::vector<SimTK::MobilizedBody>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (has_force(problem.links[i])) acted_on_.push_back({problem.links[i], bodies[i]});
    }
  }

  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>&, SimTK::Vector_<SimTK::Vec3>&,
                 SimTK::Vector& on_mobilities) const override {
    for (const auto& [link, body] : acted_on_) {
      body.applyOneMobilityForce(state, 0, link.force_at(body.getOneQ(state, 0)), on_mobilities);
    }
  }

  SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0; }  // nobody asks: Meter knows it

  bool dependsOnlyOnPositions() const override { return true; }

 private:
  struct Acted {
    Link link;
    SimTK::MobilizedBody body;
  };
  std::vector<Acted> acted_on_;
};

/// Takes a body where a closure's hook is.
class HookMotion final : public SimTK::Motion::Custom::Implementation {
 public:
  explicit HookMotion(const Closure& closure) : hook_(closure.hook) {}

  SimTK::Motion::Level getLevel(const SimTK::State&) const override { return SimTK::Motion::Position; }

  void calcPrescribedPosition(const SimTK::State& state, int, SimTK::Real* q) const override {
    Triple position, velocity;
    hook_(state.getTime(), position, velocity);
    std::copy(position.begin(), position.end(), q);
  }

  void calcPrescribedPositionDot(const SimTK::State& state, int, SimTK::Real* u) const override {
    const Triple velocity = velocity_at(state.getTime());
    std::copy(velocity.begin(), velocity.end(), u);
  }

  /// By central differences: their error and that of rounding are both about 1e-10 of the acceleration.
  void calcPrescribedPositionDotDot(const SimTK::State& state, int, SimTK::Real* udot) const override {
    constexpr double h = 1e-5;  // [s]
    const double t = state.getTime();
    const Triple acceleration = 1 / (2 * h) * (velocity_at(t + h) - velocity_at(t - h));
    std::copy(acceleration.begin(), acceleration.end(), udot);
  }

 private:
  Triple velocity_at(double t) const {
    Triple position, velocity;
    hook_(t, position, velocity);
    return velocity;
  }

  decltype(Closure::hook) hook_;
};

std::unique_ptr<SimTK::Integrator> integrator_named(const std::string& method, const SimTK::System& system, double dt) {
  const std::string merson = "merson-";
  if (method == "euler") return std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system, dt);
  if (method == "verlet") {
    auto verlet = std::make_unique<SimTK::VerletIntegrator>(system);
    verlet->setFixedStepSize(dt);
    return verlet;
  }
  if (method.rfind(merson, 0) == 0) {
    auto runge_kutta = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
    runge_kutta->setAccuracy(std::stod(method.substr(merson.size())));
    return runge_kutta;
  }
  throw std::runtime_error("Simbody has no method \"" + method + "\" here");
}

class SimbodyStep final : public StepSubject {
 public:
  SimbodyStep(const Problem& problem, const std::string& method)
      : problem_(as_simbody_runs(problem)), gravity_(forces_, matter_, vec3(problem.gravity)) {
    for (const Link& link : problem_.links) add_link(link);
    add_forces();
    for (const Closure& closure : problem.closures) add_closure(closure);
    SimTK::State state = system_.realizeTopology();
    system_.realizeModel(state);
    for (std::size_t i = 0; i < links_.size(); ++i) set_start(state, problem.links[i], links_[i]);
    integrator_ = integrator_named(method, system_, problem.dt);
    has_fixed_steps_ = method == "euler" || method == "verlet";
    integrator_->setReturnEveryInternalStep(has_fixed_steps_);
    integrator_->initialize(state);
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    steps_ += steps;
    try {
      if (has_fixed_steps_) {
        // Counted, for a time that rounding puts just after a step would be reached by one more step and an interpolation.
        while (integrator_->getNumStepsTaken() < steps_) integrator_->stepTo(SimTK::Infinity);
      } else {
        const double t_next = static_cast<double>(steps_) * problem_.dt;
        while (integrator_->getTime() < t_next) integrator_->stepTo(t_next);
      }
    } catch (const std::exception&) {  // its message is a page
      throw std::runtime_error("Simbody's integrator gave up");
    }
  }

  void observe(std::vector<BodyState>& bodies) override {
    const SimTK::State& state = integrator_->getState();
    system_.realize(state, SimTK::Stage::Velocity);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const SimTK::Vec3 centre = vec3(problem_.links[i].centre);
      bodies[i].centre = triple(links_[i].findStationLocationInGround(state, centre));
      bodies[i].velocity = triple(links_[i].findStationVelocityInGround(state, centre));
      bodies[i].omega = triple(links_[i].getBodyAngularVelocity(state));
      const SimTK::Rotation& R = links_[i].getBodyRotation(state);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) bodies[i].R[3 * row + column] = R[row][column];
      }
    }
  }

  StepCounters counters() const override { return {integrator_->getNumStepsTaken(), 0, 0}; }

 private:
  SimTK::MobilizedBody& body(int link) { return link == world ? ground_ : links_[std::size_t(link)]; }

  void add_link(const Link& link) {
    const SimTK::Vec3 centre = vec3(link.centre);
    const SimTK::SymMat33 moments(link.inertia[0], 0, link.inertia[1], 0, 0, link.inertia[2]);
    if (!SimTK::Inertia::isValidInertiaMatrix(moments)) {
      throw std::runtime_error("Simbody refuses moments of inertia of which one exceeds the sum of the others");
    }
    const SimTK::Inertia central(moments);
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(link.mass, centre, central.shiftFromMassCenter(centre, link.mass)));
    links_.push_back(mobilized(link, body(link.parent), rigid));
  }

  static SimTK::MobilizedBody mobilized(const Link& link, SimTK::MobilizedBody& parent, const SimTK::Body::Rigid& rigid) {
    const SimTK::UnitVec3 axis(vec3(link.axis));
    const SimTK::Transform zero(rotation(link.zero), vec3(link.joint_at));
    switch (link.joint) {
      case JointKind::hinge: {  // a Pin turns about z of its frames
        const SimTK::Transform R(SimTK::Rotation(axis, SimTK::ZAxis));
        return SimTK::MobilizedBody::Pin(parent, zero * R, rigid, R);
      }
      case JointKind::slide: {  // a Slider goes along x
        const SimTK::Transform R(SimTK::Rotation(axis, SimTK::XAxis));
        return SimTK::MobilizedBody::Slider(parent, zero * R, rigid, R);
      }
      case JointKind::universal: {  // about x, then about y
        const SimTK::Transform R(SimTK::Rotation(axis, SimTK::XAxis, vec3(link.axis2), SimTK::YAxis));
        return SimTK::MobilizedBody::Universal(parent, zero * R, rigid, R);
      }
      case JointKind::ball: return SimTK::MobilizedBody::Ball(parent, zero, rigid, SimTK::Transform());
      case JointKind::free: return SimTK::MobilizedBody::Free(parent, zero, rigid, SimTK::Transform());
    }
    throw std::logic_error("no such joint");
  }

  void add_forces() {
    const auto& links = problem_.links;
    if (std::any_of(links.begin(), links.end(), has_force)) {
      SimTK::Force::Custom(forces_, new CoordinateForces(problem_, links_));  // which owns it
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].damping == 0) continue;
      for (int k = 0; k < coordinates_of(links[i].joint); ++k) {
        SimTK::Force::MobilityLinearDamper(forces_, links_[i], SimTK::MobilizerUIndex(k), links[i].damping);
      }
    }
  }

  static int coordinates_of(JointKind joint) {
    switch (joint) {
      case JointKind::hinge:
      case JointKind::slide: return 1;
      case JointKind::universal: return 2;
      case JointKind::ball: return 3;
      case JointKind::free: return 6;
    }
    return 0;
  }

  void add_closure(const Closure& closure) {
    SimTK::MobilizedBody &a = body(closure.link_a), &b = body(closure.link_b);
    const SimTK::Vec3 p_a = vec3(closure.p_a), p_b = vec3(closure.p_b);
    const SimTK::UnitVec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    const bool is_in_plane = closure.kind != Closure::Kind::rod && stays_in_plane(problem_, closure);
    switch (is_in_plane ? Closure::Kind::planar : closure.kind) {  // redundant equations cost Simbody half its speed
      case Closure::Kind::planar:
        SimTK::Constraint::PointInPlane(a, x, p_a[0], b, p_b);
        SimTK::Constraint::PointInPlane(a, z, p_a[2], b, p_b);
        break;
      case Closure::Kind::point: SimTK::Constraint::Ball(a, p_a, b, p_b); break;
      case Closure::Kind::pin:
        SimTK::Constraint::Ball(a, p_a, b, p_b);
        SimTK::Constraint::ConstantAngle(a, x, b, y, SimTK::Pi / 2);
        SimTK::Constraint::ConstantAngle(a, z, b, y, SimTK::Pi / 2);
        break;
      case Closure::Kind::rod:
        if (closure.hook) {
          SimTK::MobilizedBody hook = moved_body(closure);
          SimTK::Constraint::Rod(a, p_a, hook, SimTK::Vec3(0), closure.length);
        } else {
          SimTK::Constraint::Rod(a, p_a, b, p_b, closure.length);
        }
        break;
    }
  }

  /// Its mass is of no consequence, for its motion is given; but Simbody wants one.
  SimTK::MobilizedBody moved_body(const Closure& closure) {
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(1)));
    SimTK::MobilizedBody::Translation moved(ground_, SimTK::Transform(), rigid, SimTK::Transform());
    SimTK::Motion::Custom(moved, new HookMotion(closure));  // which owns it
    return moved;
  }

  static void set_start(SimTK::State& state, const Link& link, const SimTK::MobilizedBody& body) {
    const SimTK::Rotation zero = rotation(link.zero);  // ball and free joints go by its axes, the problem by the parent's
    switch (link.joint) {
      case JointKind::universal:
        body.setOneQ(state, 1, link.q[1]);
        body.setOneU(state, 1, link.u[1]);
        [[fallthrough]];
      case JointKind::hinge:
      case JointKind::slide:
        body.setOneQ(state, 0, link.q[0]);
        body.setOneU(state, 0, link.u[0]);
        break;
      case JointKind::free:
        body.setQToFitTranslation(state, ~zero * vec3(link.shift));
        body.setUToFitLinearVelocity(state, ~zero * vec3(link.velocity));
        [[fallthrough]];
      case JointKind::ball:
        body.setQToFitRotation(state, rotation(link.turn));
        body.setUToFitAngularVelocity(state, ~zero * vec3(link.omega));
        break;
    }
  }

  Problem problem_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::Force::UniformGravity gravity_;
  SimTK::MobilizedBody ground_ = matter_.Ground();
  std::vector<SimTK::MobilizedBody> links_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  bool has_fixed_steps_ = false;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_simbody_step(const Problem& problem, const std::string& method) {
  return std::make_unique<SimbodyStep>(problem, method);
}

std::string simbody_version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return "Simbody " + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace polhode::bench
