#include "polhode/tree/assemble.h"

#include <Eigen/Dense>

#include "polhode/tree/constraints.h"

namespace polhode::tree {
namespace {

class Assembler {
 public:
  explicit Assembler(State& state)
      : state_(state), m_(state.mechanism()), constraints_(m_), w_(m_), q_(state.q().begin(), state.q().end()) {
    h_.resize(constraints_.num_rows());
    values_.resize(constraints_.num_entries());
    evaluate(q_);
  }

  Assembly run() {
    Assembly out;
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
    if (out.error_before > tolerance) state_.set_q(q_);
    return out;
  }

  /// M u' = M u + G^T nu with G u' = -h_t.
  void project_speeds() {
    positions(w_, q_);
    evaluate(q_);
    factor_mass(w_);
    const int m = constraints_.num_rows(), n = m_.num_u();
    const Eigen::MatrixXd G = dense_rows();
    Eigen::MatrixXd Y(n, m);
    std::vector<double> column(n);
    for (int row = 0; row < m; ++row) {
      for (int u = 0; u < n; ++u) column[u] = G(row, u);
      solve_mass(w_, column, column);
      for (int u = 0; u < n; ++u) Y(u, row) = m_.is_kinematic(u) ? 0 : column[u];
    }
    std::vector<double> h_t(m);
    constraints_.rates(w_, state_.time(), q_, h_t);
    Eigen::Map<const Eigen::VectorXd> u(state_.u().data(), n);
    // The kinematic speeds are given; they count as a rate of the constraints.
    Eigen::VectorXd wrong = Eigen::Map<Eigen::VectorXd>(h_t.data(), m);
    for (int row = 0; row < m; ++row)
      for (std::size_t k = 0; k < constraints_.columns(row).size(); ++k)
        wrong[row] += values_[constraints_.row_starts()[row] + k] * u[constraints_.columns(row)[k]];
    if (wrong.lpNorm<Eigen::Infinity>() <= 1e-14) return;
    const Eigen::VectorXd nu = (G * Y).completeOrthogonalDecomposition().solve(-wrong);
    const Eigen::VectorXd better = u + Y * nu;
    state_.set_u(std::span<const double>(better.data(), std::size_t(n)));
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
  /// G without the columns of kinematic speeds, which give way to nothing.
  Eigen::MatrixXd dense_rows() const {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(constraints_.num_rows(), m_.num_u());
    for (int row = 0; row < constraints_.num_rows(); ++row)
      for (std::size_t k = 0; k < constraints_.columns(row).size(); ++k)
        if (const int u = constraints_.columns(row)[k]; !m_.is_kinematic(u))
          G(row, u) = values_[constraints_.row_starts()[row] + k];
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
};

}  // namespace

Assembly assemble(State& state) {
  const Mechanism& m = state.mechanism();
  if (m.loop_joints().empty() && m.constraints().empty()) return {};
  Assembler assembler(state);
  const Assembly result = assembler.run();
  if (result.assembled) assembler.project_speeds();
  return result;
}

}  // namespace polhode::tree
