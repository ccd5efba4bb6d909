#include "acceleration_level.h"

#include <fmt/format.h>

#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/realize.h"

namespace polhode::experiments {
namespace {

using bench::BodyState;
using bench::Problem;
using bench::Triple;

std::string link_name(int i) { return i == bench::world ? std::string(ground_name) : fmt::format("link{}", i); }
Vec3<double> vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

Mechanism mechanism_of(const Problem& problem) {
  MechanismBuilder builder;
  builder.gravity = vec3(problem.gravity);
  const Mat3<double> axes = rotation_with_z(Vec3<double>{0, 1, 0});
  for (int i = 0; i < int(problem.links.size()); ++i) {
    const bench::Link& link = problem.links[std::size_t(i)];
    if (link.joint != bench::JointKind::hinge) throw std::runtime_error("hinges only");
    builder.add_body({link_name(i), {link.mass, vec3(link.centre), SymMat3<double>::diagonal(vec3(link.inertia))}});
    builder.add_joint({.name = fmt::format("joint{}", i),
                       .parent = link_name(link.parent),
                       .child = link_name(i),
                       .placement = LocalPlacement{{axes, vec3(link.joint_at)}, {axes, {}}}});
  }
  for (int i = 0; i < int(problem.closures.size()); ++i) {
    const bench::Closure& closure = problem.closures[std::size_t(i)];
    const std::string a = fmt::format("closure{}a", i), b = fmt::format("closure{}b", i);
    builder.add_frame({a, link_name(closure.link_a), at(closure.p_a[0], closure.p_a[1], closure.p_a[2])});
    builder.add_frame({b, link_name(closure.link_b), at(closure.p_b[0], closure.p_b[1], closure.p_b[2])});
    builder.add_constraint({"", PointConstraintSpec{a, b, {1, 0, 0}}});
    builder.add_constraint({"", PointConstraintSpec{a, b, {0, 0, 1}}});
  }
  return builder.build();
}

State start_of(const Mechanism& mechanism, const Problem& problem) {
  State state(mechanism);
  for (int i = 0; i < int(problem.links.size()); ++i) {
    state.set_q(mechanism.joints()[std::size_t(mechanism.joint(fmt::format("joint{}", i)))].first_q,
                problem.links[std::size_t(i)].q[0]);
  }
  return state;
}

class AccelerationLevel final : public bench::StepSubject {
 public:
  explicit AccelerationLevel(const Problem& problem)
      : problem_(problem),
        mechanism_(mechanism_of(problem)),
        state_(start_of(mechanism_, problem)),
        workspace_(mechanism_),
        dynamics_(state_) {
    y_.assign(state_.q().begin(), state_.q().end());
    y_.insert(y_.end(), state_.u().begin(), state_.u().end());
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i, ++done_) step(problem_.dt);
  }

  void observe(std::vector<BodyState>& bodies) override {
    const auto half = y_.begin() + long(y_.size() / 2);
    state_.set_q(std::vector<double>(y_.begin(), half));
    state_.set_u(std::vector<double>(half, y_.end()));
    tree::realize(state_, workspace_, Stage::velocity);
    for (int i = 0; i < int(bodies.size()); ++i) {
      BodyState& body = bodies[std::size_t(i)];
      const int index = mechanism_.body(link_name(i));
      const Transform<double>& X = state_.pose(index);
      const Motion<double>& V = state_.velocity(index);
      const Vec3<double> arm = X.R * vec3(problem_.links[std::size_t(i)].centre);
      body = {triple(X.p + arm), triple(V.linear + cross(V.angular, arm)), triple(V.angular), {}};
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) body.R[std::size_t(3 * row + column)] = X.R(row, column);
      }
    }
  }

  bench::StepCounters counters() const override { return {done_, 0, 0}; }

 private:
  using Numbers = std::vector<double>;

  /// Coordinates are angles, so their rates are the speeds.
  Numbers rates(const Numbers& y) {
    const std::size_t n = y.size() / 2;
    const std::span<const double> q(y.data(), n), u(y.data() + n, n);
    Numbers result(u.begin(), u.end());
    result.resize(2 * n);
    if (!dynamics_.evaluate(workspace_, 0, q, u, {}, std::span(result).subspan(n), {}))
      throw std::runtime_error("no finite accelerations");
    return result;
  }

  static Numbers moved(const Numbers& y, double h, const Numbers& rate) {
    Numbers result = y;
    for (std::size_t i = 0; i < y.size(); ++i) result[i] += h * rate[i];
    return result;
  }

  void step(double h) {
    const Numbers k1 = rates(y_), k2 = rates(moved(y_, h / 2, k1)), k3 = rates(moved(y_, h / 2, k2)),
                  k4 = rates(moved(y_, h, k3));
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }

  Problem problem_;
  Mechanism mechanism_;
  State state_;
  tree::Workspace workspace_;
  tree::ConstrainedDynamics dynamics_;
  Numbers y_;  // q, then u
  long done_ = 0;
};

}  // namespace

std::unique_ptr<bench::StepSubject> make_acceleration_level(const bench::Problem& problem, const std::string&) {
  return std::make_unique<AccelerationLevel>(problem);
}

}  // namespace polhode::experiments
