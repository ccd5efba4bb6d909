#include "polhode/study/statics.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/chart_move.h"

namespace polhode::study {
namespace {

constexpr double rank_threshold = 1e-9;

std::vector<char> held_speeds(const State& state, const std::vector<char>& locked) {
  std::vector<char> held(state.mechanism().num_u());
  for (std::size_t u = 0; u < held.size(); ++u) {
    const Drive drive = state.drives()[u];
    held[u] = (drive != Drive::forces && drive != Drive::fast) || (!locked.empty() && locked[u] != 0);
  }
  return held;
}

tree::AssemblerOptions options_of(const std::vector<char>& held) { return {.locked = held, .tolerance = 1e-10, .restarts = 0}; }

}  // namespace

Statics::Statics(const State& state, const std::vector<char>& locked)
    : m_(state.mechanism()),
      state_(state),
      held_(held_speeds(state, locked)),
      assembler_(state, options_of(held_)),
      w_(m_),
      constraints_(assembler_.constraints()),
      no_speeds_(m_.num_u()),
      tau_(m_.num_u()),
      bias_(m_.num_u()),
      values_(constraints_.num_entries()) {
  has_potential_ = !m_.forces().any([](const auto& f) { return !f.has_potential && f.acts_at_rest; }) &&
                   std::all_of(state.applied_forces().begin(), state.applied_forces().end(), [](double f) { return f == 0; });
  tree::positions(w_, state.q());
  extent_ = tree::extent(w_);
}

Eigen::VectorXd Statics::forces(const std::vector<double>& q, const Eigen::VectorXd* lambda) {
  std::copy(state_.applied_forces().begin(), state_.applied_forces().end(), tau_.begin());
  tree::add_all_forces(w_, {state_.time(), state_.inputs(), state_.z(), state_.discrete()}, q, no_speeds_, tau_);
  tree::bias_forces(w_, q, no_speeds_, bias_);
  for (std::size_t i = 0; i < tau_.size(); ++i) tau_[i] -= bias_[i];
  if (lambda != nullptr && lambda->size() > 0) {
    tree::positions(w_, q);
    constraints_.jacobian(w_, state_.time(), q, values_);
    const Eigen::VectorXd minus = -*lambda;
    constraints_.add_transpose(values_, {minus.data(), std::size_t(minus.size())}, tau_);
  }
  Eigen::VectorXd f = Eigen::Map<Eigen::VectorXd>(tau_.data(), Eigen::Index(tau_.size()));
  return f;
}

/// G with the columns of held speeds left out.
void Statics::fill_G(const std::vector<double>& q) {
  tree::positions(w_, q);
  constraints_.jacobian(w_, state_.time(), q, values_);
  G_.setZero(constraints_.num_rows(), m_.num_u());
  for (int row = 0; row < constraints_.num_rows(); ++row)
    for (std::size_t k = 0; k < constraints_.columns(row).size(); ++k)
      if (const int u = constraints_.columns(row)[k]; held_[u] == 0) G_(row, u) = values_[constraints_.row_starts()[row] + k];
}

StaticPoint Statics::at(const std::vector<double>& q) {
  StaticPoint p{.q = q, .f = forces(q, nullptr), .lambda = {}, .Z = {}, .gradient = {}, .left = {}};
  fill_G(q);
  const Eigen::Index n = m_.num_u();
  Eigen::Index free = 0;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n);  // units of the speeds that may move
  for (Eigen::Index u = 0; u < n; ++u)
    if (held_[std::size_t(u)] == 0) E(u, free++) = 1;
  E.conservativeResize(n, free);
  const Eigen::MatrixXd GtE = E.transpose() * G_.transpose();  // free x rows
  Eigen::VectorXd left = E.transpose() * p.f;
  p.lambda = Eigen::VectorXd::Zero(G_.rows());
  p.Z = E;
  if (G_.rows() > 0 && free > 0) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(GtE);
    least.setThreshold(rank_threshold);
    p.lambda = least.solve(left);
    p.lambda += least.solve(left - GtE * p.lambda);  // what rounding left
    left -= GtE * p.lambda;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(GtE);
    qr.setThreshold(rank_threshold);
    const Eigen::MatrixXd Q = qr.householderQ();
    p.Z = E * Q.rightCols(free - qr.rank());
  }
  p.gradient = -p.Z.transpose() * p.f;
  p.left = E * left;
  return p;
}

double Statics::energy(const std::vector<double>& q) {
  tree::kinematics(w_, q, no_speeds_);
  tree::read_bodies(w_);
  return tree::potential_energy(w_, state_.time(), q);
}

Eigen::MatrixXd Statics::stiffness(const StaticPoint& p) {
  const Eigen::Index k = p.Z.cols();
  Eigen::MatrixXd K(k, k);
  const double delta = 1e-5 * std::min(1.0, extent_);
  std::vector<double> step(m_.num_u()), q(p.q.size());
  for (Eigen::Index j = 0; j < k; ++j) {
    Eigen::VectorXd difference = Eigen::VectorXd::Zero(m_.num_u());
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t u = 0; u < step.size(); ++u) step[u] = sign * delta * p.Z(Eigen::Index(u), j);
      tree::move_on_charts(m_, p.q, step, q);
      difference -= sign * forces(q, &p.lambda);
    }
    K.col(j) = p.Z.transpose() * difference / (2 * delta);
  }
  return K;
}

Eigen::MatrixXd Statics::reduced_mass(const StaticPoint& p) {
  const int n = m_.num_u();
  std::vector<double> M(std::size_t(n) * n);
  tree::mass_matrix(w_, p.q, M);
  return p.Z.transpose() * Eigen::Map<Eigen::MatrixXd>(M.data(), n, n) * p.Z;  // symmetric: the order does not matter
}

std::vector<double> Statics::unbalanced(const StaticPoint& p) {
  const Eigen::VectorXd all = forces(p.q, &p.lambda);
  return {all.data(), all.data() + all.size()};
}

bool Statics::move(const StaticPoint& p, const Eigen::VectorXd& z, std::vector<double>& q) {
  const Eigen::VectorXd step = p.Z * z;
  q.resize(p.q.size());
  tree::move_on_charts(m_, p.q, {step.data(), std::size_t(step.size())}, q);
  return assembler_.meet_constraints(q);
}

bool Statics::scatter(const std::vector<double>& from, double size, int turn, std::vector<double>& q) {
  const std::vector<double> scales = tree::motion_scales(m_, extent_);
  std::vector<double> step(m_.num_u());
  for (std::size_t u = 0; u < step.size(); ++u)  // the golden ratio's multiples are spread evenly, and never repeat
    step[u] =
        held_[u] != 0 ? 0 : size * scales[u] * (2 * std::fmod(0.6180339887498949 * double((u + 1) * (turn + 1)), 1.0) - 1);
  q.resize(from.size());
  tree::move_on_charts(m_, from, step, q);
  return assembler_.meet_constraints(q);
}

}  // namespace polhode::study
