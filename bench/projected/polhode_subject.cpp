// Polhode: tree-projected with any of its integrators.

#include "polhode_subject.h"

#include <fmt/format.h>

#include <chrono>

#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::bench {
namespace {

constexpr double pi = 3.14159265358979323846;

Vec3<double> vec3(const Triple& a) { return {a[0], a[1], a[2]}; }

std::string link_name(int i) { return i == fixed_world ? ground_name : fmt::format("link{}", i); }

JointSpec joint_of(const TreeLink& link, int i) {
  JointSpec joint{.name = fmt::format("joint{}", i), .parent = link_name(link.parent), .child = link_name(i)};
  Mat3<double> axes = rotation_with_z(vec3(link.axis));
  switch (link.joint) {
    case TreeLink::Kind::hinge: joint.model = Revolute{}; break;
    case TreeLink::Kind::slide: joint.model = Prismatic{}; break;
    case TreeLink::Kind::universal:  // about x, then y
      joint.model = Universal{};
      axes = {{vec3(link.axis), vec3(link.axis2), cross(vec3(link.axis), vec3(link.axis2))}};
      break;
  }
  joint.placement = LocalPlacement{{axes, vec3(link.joint_at)}, {axes, {}}};
  return joint;
}

void add_closure(MechanismBuilder& builder, const LoopClosure& closure, int i) {
  const std::string a = fmt::format("closure{}a", i), b = fmt::format("closure{}b", i);
  builder.add_frame({a, link_name(closure.link_a), at(closure.p_a[0], closure.p_a[1], closure.p_a[2])});
  builder.add_frame({b, link_name(closure.link_b), at(closure.p_b[0], closure.p_b[1], closure.p_b[2])});
  if (closure.kind == LoopClosure::Kind::planar) {
    builder.add_constraint({"", PointInPlaneSpec{a, b, {1, 0, 0}}});
    builder.add_constraint({"", PointInPlaneSpec{a, b, {0, 0, 1}}});
    return;
  }
  builder.add_constraint({"", CoincidentPointsSpec{a, b}});
  if (closure.kind == LoopClosure::Kind::point) return;
  builder.add_constraint({"", ConstantAngleSpec{a, b, vec3(closure.across), vec3(closure.axis), pi / 2}});
  if (closure.kind == LoopClosure::Kind::free_pin) return;
  builder.add_constraint({"", ConstantAngleSpec{a, b, vec3(closure.across2), vec3(closure.axis), pi / 2}});
}

Mechanism mechanism_of(const LoopProblem& problem) {
  MechanismBuilder builder;
  builder.gravity = vec3(problem.gravity);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const TreeLink& link = problem.links[std::size_t(i)];
    const auto& I = link.inertia;
    builder.add_body({link_name(i), {link.mass, vec3(link.centre), SymMat3<double>{I[0], I[1], I[2], I[3], I[4], I[5]}}});
    builder.add_joint(joint_of(link, i));
  }
  for (int i = 0; i < int(problem.closures.size()); ++i) add_closure(builder, problem.closures[std::size_t(i)], i);
  return builder.build();
}

class PolhodeProjected final : public ProjectedSubject {
 public:
  explicit PolhodeProjected(const LoopProblem& problem) : start_(start_of(problem)), num_links_(int(problem.links.size())) {}

  ProjectedRun run(const ProjectedSettings& settings) override { return run_from(start_, settings, num_links_); }

 private:
  State start_;
  int num_links_;
};

}  // namespace

State start_of(const LoopProblem& problem) {
  const Mechanism mechanism = mechanism_of(problem);
  State state(mechanism);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Joint& joint = mechanism.joints()[std::size_t(mechanism.body(link_name(i)))];
    for (int k = 0; k < joint.nu; ++k) {
      state.set_q(joint.first_q + k, problem.links[std::size_t(i)].q[std::size_t(k)]);
      state.set_u(joint.first_u + k, problem.links[std::size_t(i)].u[std::size_t(k)]);
    }
  }
  return state;
}

ProjectedRun run_from(const State& start, const ProjectedSettings& settings, int num_links) {
  const Mechanism& mechanism = start.mechanism();
  const auto stepper = study::make_stepper(mechanism, {.method = "tree-projected",
                                                       .options = {{"integrator", settings.integrator},
                                                                   {"accuracy", settings.accuracy},
                                                                   {"largest step", settings.time},
                                                                   {"constraint tolerance", 0.1 * settings.accuracy}}});
  stepper->set(start);
  ProjectedRun result;
  bool ok = true;
  const auto begin = std::chrono::steady_clock::now();
  while (ok && stepper->time() < settings.time) ok = stepper->step(settings.time).ok();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.finished = ok;
  result.steps = stepper->statistics().steps;
  result.evaluations = stepper->statistics().evaluations;
  State state = start;
  stepper->get(state);
  tree::Workspace workspace(mechanism);
  tree::realize(state, workspace, Stage::position);
  for (int i = 0; i < num_links; ++i) {
    const int body = mechanism.body(link_name(i));
    const Vec3<double> p = state.pose(body) * mechanism.bodies()[std::size_t(body)].mass.com;
    result.centres.push_back({p.x, p.y, p.z});
  }
  return result;
}

std::unique_ptr<ProjectedSubject> make_polhode_projected(const LoopProblem& problem) {
  return std::make_unique<PolhodeProjected>(problem);
}

}  // namespace polhode::bench
