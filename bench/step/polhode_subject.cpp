// Polhode.  Methods: those of study::method_names(); fixed steps of the problem's dt.

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "polhode/version.h"
#include "subject.h"

namespace polhode::bench {
namespace {

Vec3<double> vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

std::string link_name(int i) { return i == world ? ground_name : fmt::format("link{}", i); }

JointSpec joint_of(const Link& link, int i) {
  JointSpec joint{.name = fmt::format("joint{}", i), .parent = link_name(link.parent), .child = link_name(i)};
  Vec3<double> axis{0, 0, 1};
  switch (link.joint) {
    case JointKind::hinge_about_y:
      joint.model = Revolute{};
      axis = {0, 1, 0};
      break;
    case JointKind::slide_along_x:
      joint.model = Prismatic{};
      axis = {1, 0, 0};
      break;
    case JointKind::ball: joint.model = Ball{}; break;
  }
  const Mat3<double> axes = rotation_with_z(axis);
  joint.placement = LocalPlacement{{axes, vec3(link.joint_at)}, {axes, {}}};
  return joint;
}

/// Seed 000's way to close a planar loop: one point constraint along x, one along z.
void add_closure(MechanismBuilder& builder, const Closure& closure, int i) {
  const std::string a = fmt::format("closure{}a", i), b = fmt::format("closure{}b", i);
  builder.add_frame({a, link_name(closure.link_a), at(closure.p_a[0], closure.p_a[1], closure.p_a[2])});
  builder.add_frame({b, link_name(closure.link_b), at(closure.p_b[0], closure.p_b[1], closure.p_b[2])});
  builder.add_constraint({"", PointConstraintSpec{a, b, {1, 0, 0}}});
  builder.add_constraint({"", PointConstraintSpec{a, b, {0, 0, 1}}});
}

Mechanism mechanism_of(const Problem& problem) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, -gravity};
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Link& link = problem.links[i];
    builder.add_body({link_name(i), {link.mass, vec3(link.centre), SymMat3<double>::diagonal(vec3(link.inertia))}});
    builder.add_joint(joint_of(link, i));
  }
  for (int i = 0; i < int(problem.closures.size()); ++i) add_closure(builder, problem.closures[i], i);
  return builder.build();
}

State start_state(const Mechanism& mechanism, const Problem& problem) {
  State state(mechanism);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Link& link = problem.links[i];
    const Joint& joint = mechanism.joints()[mechanism.body(link_name(i))];
    if (link.joint == JointKind::ball) {
      state.set_q(joint.first_q, std::cos(link.q / 2));      // w
      state.set_q(joint.first_q + 2, std::sin(link.q / 2));  // y
      state.set_u(joint.first_u + 2, link.turning);          // about z of the parent, which is the world's
    } else {
      state.set_q(joint.first_q, link.q);
    }
  }
  return state;
}

/// The targets are stated for a Newton tolerance of 1e-10.
study::SimulateOptions options_for(const std::string& method, const Problem& problem) {
  study::SimulateOptions options{.method = method, .dt = problem.dt};
  if (method == "tree-variational") options.tolerance = 1e-10;
  return options;
}

class PolhodeStep final : public StepSubject {
 public:
  PolhodeStep(const Problem& problem, const std::string& method)
      : problem_(problem),
        mechanism_(mechanism_of(problem)),
        stepper_(study::make_stepper(mechanism_, options_for(method, problem))),
        state_(start_state(mechanism_, problem)),
        workspace_(mechanism_) {
    for (int i = 0; i < int(problem.links.size()); ++i) bodies_.push_back(mechanism_.body(link_name(i)));
    stepper_->set(state_);
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) {
      const double t_next = double(++done_) * problem_.dt;
      while (stepper_->time() < t_next) {
        const StepReport report = stepper_->step(t_next);
        if (!report.ok()) throw std::runtime_error(stepper_->explain(report));
      }
    }
  }

  void observe(std::vector<BodyState>& bodies) override {
    stepper_->get(state_);
    tree::realize(state_, workspace_, Stage::velocity);
    for (int i = 0; i < int(bodies_.size()); ++i) {
      const Transform<double>& X_WB = state_.pose(bodies_[i]);
      const Motion<double>& V_WB = state_.velocity(bodies_[i]);
      const Vec3<double> p_BC_W = X_WB.R * vec3(problem_.links[i].centre);
      bodies[i].centre = triple(X_WB.p + p_BC_W);
      bodies[i].velocity = triple(V_WB.linear + cross(V_WB.angular, p_BC_W));
      bodies[i].omega = triple(V_WB.angular);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) bodies[i].R[3 * row + column] = X_WB.R(row, column);
      }
    }
  }

  StepCounters counters() const override {
    const StepStatistics& statistics = stepper_->statistics();
    return {statistics.steps, statistics.newton_iterations, statistics.halved};
  }

 private:
  Problem problem_;
  Mechanism mechanism_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  tree::Workspace workspace_;
  std::vector<int> bodies_;  // of the links
  long done_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_polhode_step(const Problem& problem, const std::string& method) {
  return std::make_unique<PolhodeStep>(problem, method);
}

std::string polhode_version() { return fmt::format("Polhode {}", version); }

}  // namespace polhode::bench
