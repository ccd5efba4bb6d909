// Polhode.  Methods: those of study::method_names(); fixed steps of the problem's dt.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "polhode/variational/maximal_variational.h"
#include "polhode/version.h"
#include "subject.h"

namespace polhode::bench {
namespace {

Vec3<double> vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

std::string link_name(int i) { return i == world ? ground_name : fmt::format("link{}", i); }

std::string joint_name(int i) { return fmt::format("joint{}", i); }
std::string closure_name(int i) { return fmt::format("closure{}", i); }

JointSpec joint_of(const Link& link, int i) {
  JointSpec joint{.name = joint_name(i), .parent = link_name(link.parent), .child = link_name(i)};
  Vec3<double> axis = vec3(link.axis);
  switch (link.joint) {
    case JointKind::hinge: joint.model = Revolute{}; break;
    case JointKind::slide: joint.model = Prismatic{}; break;
    case JointKind::ball:
      joint.model = Ball{};
      axis = {0, 0, 1};
      break;
    default: throw std::runtime_error("joints of this kind come from models only");
  }
  const Mat3<double> axes = rotation_with_z(axis);
  joint.placement = LocalPlacement{{axes, vec3(link.joint_at)}, {axes, {}}};
  return joint;
}

/// A pin, or seed 000's way to close a planar loop: one point constraint along x, one along z.
void add_closure(MechanismBuilder& builder, const Closure& closure, int i) {
  if (closure.kind == Closure::Kind::pin) {
    const Mat3<double> axes = rotation_with_z(Vec3<double>{0, 1, 0});
    builder.add_joint({.name = closure_name(i),
                       .parent = link_name(closure.link_a),
                       .child = link_name(closure.link_b),
                       .placement = LocalPlacement{{axes, vec3(closure.p_a)}, {axes, vec3(closure.p_b)}}});
    return;
  }
  const std::string a = fmt::format("closure{}a", i), b = fmt::format("closure{}b", i);
  builder.add_frame({a, link_name(closure.link_a), at(closure.p_a[0], closure.p_a[1], closure.p_a[2])});
  builder.add_frame({b, link_name(closure.link_b), at(closure.p_b[0], closure.p_b[1], closure.p_b[2])});
  builder.add_constraint({"", PointConstraintSpec{a, b, {1, 0, 0}}});
  builder.add_constraint({"", PointConstraintSpec{a, b, {0, 0, 1}}});
}

Mechanism mechanism_of(const Problem& problem) {
  MechanismBuilder builder;
  builder.gravity = vec3(problem.gravity);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Link& link = problem.links[i];
    builder.add_body({link_name(i), {link.mass, vec3(link.centre), SymMat3<double>::diagonal(vec3(link.inertia))}});
    builder.add_joint(joint_of(link, i));
  }
  for (int i = 0; i < int(problem.closures.size()); ++i) add_closure(builder, problem.closures[i], i);
  return builder.build();
}

/// The joint of that name, or nothing if it is one that closes a loop and so has no coordinates.
const Joint* joint_in_tree(const Mechanism& mechanism, const std::string& name) {
  const auto& closing = mechanism.loop_joints();
  if (std::any_of(closing.begin(), closing.end(), [&](const LoopJoint& joint) { return joint.name == name; })) return nullptr;
  return &mechanism.joints()[mechanism.joint(name)];
}

/// Which of the joints of a loop is in the tree is the library's choice; the angle of a pin follows from the picture.
State start_state(const Mechanism& mechanism, const Problem& problem) {
  State state(mechanism);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const Link& link = problem.links[i];
    const Joint* joint = joint_in_tree(mechanism, joint_name(i));
    if (!joint) continue;
    if (link.joint == JointKind::ball) {
      for (int k = 0; k < 4; ++k) state.set_q(joint->first_q + k, link.turn[std::size_t(k)]);
      for (int k = 0; k < 3; ++k) state.set_u(joint->first_u + k, link.omega[std::size_t(k)]);
    } else {
      state.set_q(joint->first_q, link.q[0]);
      state.set_u(joint->first_u, link.u[0]);
    }
  }
  // Of a planar mechanism: about y.
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  const auto angle = [&](int link) { return link == world ? 0 : std::atan2(frames[link].R[2], frames[link].R[0]); };
  for (int i = 0; i < int(problem.closures.size()); ++i) {
    const Closure& closure = problem.closures[i];
    const Joint* joint = closure.kind == Closure::Kind::pin ? joint_in_tree(mechanism, closure_name(i)) : nullptr;
    if (joint) state.set_q(joint->first_q, angle(closure.link_b) - angle(closure.link_a));
  }
  return state;
}

/// The targets are stated for a Newton tolerance of 1e-10.
study::SimulateOptions options_for(const std::string& method, const Problem& problem) {
  study::SimulateOptions options{.method = method, .dt = problem.dt};
  if (method == "tree-variational" || method == "maximal-variational") options.tolerance = 1e-10;
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
    maximal_ = dynamic_cast<const variational::MaximalVariational*>(stepper_.get());
    if (maximal_) equations_.emplace(mechanism_);
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

  double constraint_error() override {
    if (!maximal_) return 0;
    errors_.resize(std::size_t(equations_->num_rows()));
    equations_->errors(maximal_->time(), maximal_->bodies(), mechanism_.initial_q(), errors_);
    double largest = 0;
    for (const double error : errors_) largest = std::max(largest, std::abs(error));
    return largest;
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
  std::vector<int> bodies_;                                   // of the links
  const variational::MaximalVariational* maximal_ = nullptr;  // the stepper, if it is one
  std::optional<maximal::Constraints> equations_;             // its
  std::vector<double> errors_;
  long done_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_polhode_step(const Problem& problem, const std::string& method) {
  return std::make_unique<PolhodeStep>(problem, method);
}

std::string polhode_version() { return fmt::format("Polhode {}", version); }

}  // namespace polhode::bench
