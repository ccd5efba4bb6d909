// Simbody.  Methods: euler (semi-explicit, fixed step), verlet (fixed step), merson-ACCURACY (Runge-Kutta-Merson with its own
// steps, e.g. merson-1e-3).  Loops are closed by PointInPlane constraints, two for each planar loop.
// Compile without NDEBUG when Debian's library is used: its headers lay classes out differently with it.

#include <Simbody.h>

#include <stdexcept>

#include "../step/subject.h"

namespace polhode::bench {
namespace {

SimTK::Vec3 vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const SimTK::Vec3& a) { return {a[0], a[1], a[2]}; }

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
      : problem_(problem), gravity_(forces_, matter_, vec3(problem.gravity)) {
    for (const Link& link : problem.links) add_link(link);
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
  void add_link(const Link& link) {
    const SimTK::Vec3 centre = vec3(link.centre);
    const SimTK::Inertia central(vec3(link.inertia));
    const SimTK::Body::Rigid body(SimTK::MassProperties(link.mass, centre, central.shiftFromMassCenter(centre, link.mass)));
    SimTK::MobilizedBody parent = matter_.Ground();
    if (link.parent != world) parent = links_[link.parent];
    const SimTK::Rotation along_axis(SimTK::UnitVec3(vec3(link.axis)), SimTK::ZAxis);  // a Pin turns about z of its frames
    const SimTK::Rotation x_along_axis(SimTK::UnitVec3(vec3(link.axis)), SimTK::XAxis);
    const SimTK::Vec3 at = vec3(link.joint_at);
    switch (link.joint) {
      case JointKind::hinge:
        links_.push_back(
            SimTK::MobilizedBody::Pin(parent, SimTK::Transform(along_axis, at), body, SimTK::Transform(along_axis)));
        break;
      case JointKind::ball:
        links_.push_back(SimTK::MobilizedBody::Ball(parent, SimTK::Transform(at), body, SimTK::Transform()));
        break;
      case JointKind::slide:
        links_.push_back(
            SimTK::MobilizedBody::Slider(parent, SimTK::Transform(x_along_axis, at), body, SimTK::Transform(x_along_axis)));
        break;
      default: throw std::runtime_error("joints of this kind are not measured in Simbody");
    }
  }

  void add_closure(const Closure& closure) {
    SimTK::MobilizedBody &a = links_[closure.link_a], &b = links_[closure.link_b];
    const SimTK::Vec3 p_b = vec3(closure.p_b);
    SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(1, 0, 0), closure.p_a[0], b, p_b);
    SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(0, 0, 1), closure.p_a[2], b, p_b);
  }

  static void set_start(SimTK::State& state, const Link& link, const SimTK::MobilizedBody& body) {
    if (link.joint == JointKind::ball) {
      body.setQToFitRotation(state, SimTK::Rotation(SimTK::Quaternion(link.turn[0], link.turn[1], link.turn[2], link.turn[3])));
      body.setUToFitAngularVelocity(state, vec3(link.omega));
    } else {
      body.setOneQ(state, 0, link.q[0]);
      body.setOneU(state, 0, link.u[0]);
    }
  }

  Problem problem_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::Force::UniformGravity gravity_;
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
