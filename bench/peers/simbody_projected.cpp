// Simbody with its Runge-Kutta-Merson integrator.
// Compile without NDEBUG when Debian's library is used: its headers lay classes out differently with it.

#include <Simbody.h>

#include <chrono>
#include <stdexcept>

#include "../projected/subject.h"

namespace polhode::bench {
namespace {

SimTK::Vec3 vec3(const Triple& a) { return {a[0], a[1], a[2]}; }

class SimbodyProjected final : public ProjectedSubject {
 public:
  explicit SimbodyProjected(const LoopProblem& problem) : problem_(problem), gravity_(forces_, matter_, vec3(problem.gravity)) {
    for (const TreeLink& link : problem.links) add_link(link);
    for (const LoopClosure& closure : problem.closures) add_closure(closure);
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    for (std::size_t i = 0; i < links_.size(); ++i)
      for (int k = 0; k < links_[i].getNumU(start_); ++k) {
        links_[i].setOneQ(start_, k, problem.links[i].q[std::size_t(k)]);
        links_[i].setOneU(start_, k, problem.links[i].u[std::size_t(k)]);
      }
  }

  ProjectedRun run(const ProjectedSettings& settings) override {
    if (settings.integrator != "merson") throw std::runtime_error("Simbody is measured with merson only");
    ProjectedRun result;
    try {
      SimTK::RungeKuttaMersonIntegrator integrator(system_);
      integrator.setAccuracy(settings.accuracy);
      integrator.setConstraintTolerance(0.1 * settings.accuracy);
      integrator.setFinalTime(settings.time);
      integrator.initialize(start_);
      const auto begin = std::chrono::steady_clock::now();
      while (integrator.getTime() < settings.time) integrator.stepTo(settings.time);
      result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      result.steps = integrator.getNumStepsTaken();
      result.evaluations = integrator.getNumRealizations();
      const SimTK::State& state = integrator.getState();
      system_.realize(state, SimTK::Stage::Position);
      for (std::size_t i = 0; i < links_.size(); ++i) {
        const SimTK::Vec3 p = links_[i].findStationLocationInGround(state, vec3(problem_.links[i].centre));
        result.centres.push_back({p[0], p[1], p[2]});
      }
      result.finished = true;
    } catch (const std::exception&) {  // its message is a page
    }
    return result;
  }

 private:
  SimTK::MobilizedBody& body(int link) { return link == fixed_world ? ground_ : links_[std::size_t(link)]; }

  void add_link(const TreeLink& link) {
    const SimTK::Vec3 centre = vec3(link.centre), at = vec3(link.joint_at);
    const auto& I = link.inertia;
    const SimTK::Inertia central(SimTK::Vec3(I[0], I[1], I[2]), SimTK::Vec3(I[3], I[4], I[5]));
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(link.mass, centre, central.shiftFromMassCenter(centre, link.mass)));
    SimTK::MobilizedBody& parent = body(link.parent);
    const SimTK::UnitVec3 axis(vec3(link.axis));
    switch (link.joint) {
      case TreeLink::Kind::hinge: {  // a Pin turns about z of its frames
        const SimTK::Rotation R(axis, SimTK::ZAxis);
        links_.push_back(SimTK::MobilizedBody::Pin(parent, SimTK::Transform(R, at), rigid, SimTK::Transform(R)));
        break;
      }
      case TreeLink::Kind::slide: {  // a Slider along x
        const SimTK::Rotation R(axis, SimTK::XAxis);
        links_.push_back(SimTK::MobilizedBody::Slider(parent, SimTK::Transform(R, at), rigid, SimTK::Transform(R)));
        break;
      }
      case TreeLink::Kind::universal: {  // about x, then y
        const SimTK::Rotation R(axis, SimTK::XAxis, vec3(link.axis2), SimTK::YAxis);
        links_.push_back(SimTK::MobilizedBody::Universal(parent, SimTK::Transform(R, at), rigid, SimTK::Transform(R)));
        break;
      }
    }
  }

  void add_closure(const LoopClosure& closure) {
    SimTK::MobilizedBody &a = body(closure.link_a), &b = body(closure.link_b);
    const SimTK::Vec3 p_a = vec3(closure.p_a), p_b = vec3(closure.p_b);
    if (closure.kind == LoopClosure::Kind::planar) {
      SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(1, 0, 0), p_a[0], b, p_b);
      SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(0, 0, 1), p_a[2], b, p_b);
      return;
    }
    SimTK::Constraint::Ball(a, p_a, b, p_b);
    if (closure.kind == LoopClosure::Kind::point) return;
    const SimTK::UnitVec3 axis(vec3(closure.axis));
    SimTK::Constraint::ConstantAngle(a, SimTK::UnitVec3(vec3(closure.across)), b, axis, SimTK::Pi / 2);
    if (closure.kind == LoopClosure::Kind::free_pin) return;
    SimTK::Constraint::ConstantAngle(a, SimTK::UnitVec3(vec3(closure.across2)), b, axis, SimTK::Pi / 2);
  }

  LoopProblem problem_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::Force::UniformGravity gravity_;
  SimTK::MobilizedBody ground_ = matter_.Ground();
  std::vector<SimTK::MobilizedBody> links_;
  SimTK::State start_;
};

}  // namespace

std::unique_ptr<ProjectedSubject> make_simbody_projected(const LoopProblem& problem) {
  return std::make_unique<SimbodyProjected>(problem);
}

}  // namespace polhode::bench
