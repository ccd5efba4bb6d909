#include "polhode/tree/assemble.h"

#include <Eigen/Dense>
#include <algorithm>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {
namespace {

class Assembler {
 public:
  explicit Assembler(State& state)
      : state_(state),
        m_(state.mechanism()),
        constraints_(m_, state.enabled()),
        w_(m_),
        q_(state.q().begin(), state.q().end()),
        held_(m_.num_u()) {
    h_.resize(constraints_.num_rows());
    values_.resize(constraints_.num_entries());
    evaluate(q_);
  }

  /// Speeds (and the coordinates they move) that stay as they are; kinematic ones always do.
  void hold(const std::vector<char>& given) {
    for (int u = 0; u < m_.num_u(); ++u) held_[u] = m_.is_kinematic(u) || (!given.empty() && given[u] != 0);
  }

  Assembly run() {
    Assembly out;
    q_.assign(state_.q().begin(), state_.q().end());
    evaluate(q_);
    out.error_before = largest();
    const std::vector<double> start = q_;
    constexpr double tolerance = 1e-13;
    double damping = 0;
    for (int iteration = 0; iteration < 200 && largest() > tolerance; ++iteration) {
      const double before = squared();
      const std::vector<double> from = q_, h = h_, values = values_;
      const Eigen::VectorXd step = least_step(damping);
      const double size = step.lpNorm<Eigen::Infinity>();
      move(from, (size > 1 ? 1 / size : 1) * step);
      evaluate(q_);
      if (squared() < before) {
        damping = damping < 1e-8 ? 0 : 0.1 * damping;
        continue;
      }
      q_ = from, h_ = h, values_ = values;
      if (largest() < 1e-11) break;  // round-off
      damping = std::max(10 * damping, 1e-6);
      if (damping > 1e6) break;
    }
    out.error_after = largest();
    out.assembled = out.error_after <= 1e-9;
    for (std::size_t i = 0; i < q_.size(); ++i) out.moved = std::max(out.moved, std::abs(q_[i] - start[i]));
    for (int row = 0; row < constraints_.num_rows(); ++row)
      if (!out.assembled && std::abs(h_[row]) == out.error_after) out.worst = constraints_.row_name(row);
    return out;
  }

  const std::vector<double>& q() const { return q_; }

  /// M u' = M u + G^T nu with G u' = -h_t, in the speeds that are not held. Gives the largest rate that is left in a
  /// constraint.
  double project_speeds(std::vector<double>& result) {
    evaluate(q_);
    const int m = constraints_.num_rows(), n = m_.num_u();
    std::vector<double> M_entries(std::size_t(n) * n);
    mass_matrix(w_, q_, M_entries);
    Eigen::MatrixXd M =
        Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(M_entries.data(), n, n);
    for (int u = 0; u < n; ++u)
      if (held_[u]) M.row(u).setZero(), M.col(u).setZero(), M(u, u) = 1;
    const Eigen::MatrixXd G = dense_rows(), Y = M.ldlt().solve(G.transpose());
    std::vector<double> h_t(m);
    constraints_.rates(w_, state_.time(), q_, h_t);
    const Eigen::Map<const Eigen::VectorXd> u(state_.u().data(), n);
    const auto rates = [&](const Eigen::VectorXd& speeds) {
      Eigen::VectorXd sum = Eigen::Map<Eigen::VectorXd>(h_t.data(), m);
      for (int row = 0; row < m; ++row)
        for (std::size_t k = 0; k < constraints_.columns(row).size(); ++k)
          sum[row] += values_[constraints_.row_starts()[row] + k] * speeds[constraints_.columns(row)[k]];
      return sum;
    };
    const Eigen::VectorXd wrong = rates(u);
    Eigen::VectorXd better = u;
    if (wrong.lpNorm<Eigen::Infinity>() > 1e-14) better -= Y * (G * Y).completeOrthogonalDecomposition().solve(wrong);
    result.assign(better.data(), better.data() + n);
    return rates(better).lpNorm<Eigen::Infinity>();
  }

 private:
  void evaluate(const std::vector<double>& q) {
    positions(w_, q);
    constraints_.errors_and_jacobian(w_, state_.time(), q, h_, values_);
  }
  double largest() const {
    double worst = 0;
    for (const double h : h_) worst = std::max(worst, std::abs(h));
    return worst;
  }
  double squared() const {
    double sum = 0;
    for (const double h : h_) sum += h * h;
    return sum;
  }
  /// G without the columns of speeds that are held.
  Eigen::MatrixXd dense_rows() const {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(constraints_.num_rows(), m_.num_u());
    for (int row = 0; row < constraints_.num_rows(); ++row)
      for (std::size_t k = 0; k < constraints_.columns(row).size(); ++k)
        if (const int u = constraints_.columns(row)[k]; !held_[u]) G(row, u) = values_[constraints_.row_starts()[row] + k];
    return G;
  }
  /// The shortest step to where the linearised rows vanish: -G^T (G G^T + damping)^+ h.
  Eigen::VectorXd least_step(double damping) const {
    const Eigen::MatrixXd G = dense_rows();
    Eigen::Map<const Eigen::VectorXd> h(h_.data(), Eigen::Index(h_.size()));
    if (damping == 0) return -G.completeOrthogonalDecomposition().solve(h);
    Eigen::MatrixXd A = G * G.transpose();
    A.diagonal().array() += damping;
    return -G.transpose() * A.ldlt().solve(h);
  }
  void move(const std::vector<double>& from, const Eigen::VectorXd& speeds) {
    const double zero[CustomJoint::max_coordinates] = {};
    double theta[CustomJoint::max_coordinates];
    for (const Joint& joint : m_.joints())
      std::visit(
          [&](const auto& model) {
            model.rate_of_chart(from.data() + joint.first_q, zero, speeds.data() + joint.first_u, theta);
            model.retract(from.data() + joint.first_q, theta, q_.data() + joint.first_q);
          },
          joint.model);
  }

  State& state_;
  const Mechanism m_;
  Constraints constraints_;
  Workspace w_;
  std::vector<double> q_, h_, values_;
  std::vector<char> held_;  // by speed
};

}  // namespace

Given given_by_model(const Mechanism& mechanism) {
  Given given{std::vector<char>(mechanism.num_u()), std::vector<char>(mechanism.num_u())};
  const auto index_in = [](const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : int(found - names.begin());
  };
  for (const InitialValue& initial : mechanism.description().initial_values()) {
    int u = index_in(mechanism.speed_names(), initial.coordinate);  // a speed by its own name
    const int q = index_in(mechanism.coordinate_names(), initial.coordinate);
    for (const Joint& joint : mechanism.joints())
      if (joint.nq == joint.nu && q >= joint.first_q && q < joint.first_q + joint.nq) u = joint.first_u + q - joint.first_q;
    if (u < 0) continue;  // part of a quaternion
    if (q >= 0 && initial.value) given.coordinate[u] = 1;
    if (initial.speed) given.speed[u] = 1;
  }
  return given;
}

Assembly assemble(State& state, const Given& given) {
  const Mechanism& m = state.mechanism();
  if (m.loop_joints().empty() && m.constraints().empty()) return {};
  Assembler assembler(state);
  assembler.hold(given.coordinate);
  Assembly result = assembler.run();
  if (!result.assembled) {
    assembler.hold({});
    result = assembler.run();
    result.given_kept = given.coordinate.empty();
  }
  if (!result.assembled) return result;
  if (result.moved > 0) state.set_q(assembler.q());

  std::vector<double> u;
  assembler.hold(given.speed);
  if (assembler.project_speeds(u) > 1e-9) {
    assembler.hold({});
    assembler.project_speeds(u);
    result.given_kept &= given.speed.empty();
  }
  for (std::size_t i = 0; i < u.size(); ++i)
    result.speed_changed = std::max(result.speed_changed, std::abs(u[i] - state.u()[i]));
  if (result.speed_changed > 0) state.set_u(u);
  return result;
}

}  // namespace polhode::tree
