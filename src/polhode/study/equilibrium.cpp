#include "polhode/study/equilibrium.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "polhode/study/statics.h"
#include "polhode/tree/chart_move.h"

namespace polhode::study {
namespace {

constexpr double noise = 1e-8;  // of second derivatives by differences, relative to the largest and to the forces

class Search {
 public:
  Search(const State& state, const EquilibriumOptions& o) : o_(o), statics_(state, o.locked) {}

  Equilibrium run(std::vector<double>& q) {
    const std::vector<double> start = q;
    out_.method = statics_.has_potential() && !o_.any ? "least potential energy" : "balance of forces";
    bool found = o_.any ? balance(q) : descend(q);
    if (!found && !gone_ && (o_.any || !statics_.has_potential())) found = (!o_.any && balance(q)) || restart(start, q);
    out_.found = found;
    report(q);
    if (!found) out_.failure = why_not();
    return out_;
  }

 private:
  double allowed(const StaticPoint& p) {
    force_scale_ = std::max({force_scale_, p.f.size() == 0 ? 0.0 : p.f.lpNorm<Eigen::Infinity>(), 1.0});
    return o_.tolerance * force_scale_;
  }

  /// The minimiser of g.z + z.H z / 2 within the radius, from H = S diag(d) S^T; a maximum or saddle is left along the lowest
  /// direction.
  Eigen::VectorXd trust_region_step(const Eigen::VectorXd& d, const Eigen::MatrixXd& S, const Eigen::VectorXd& g,
                                    double radius) const {
    const Eigen::VectorXd c = S.transpose() * g;
    const double size = d.cwiseAbs().maxCoeff();
    const double least = 1e-9 * std::max(size, 1e-12 * force_scale_);  // so that directions without stiffness stay still
    const auto step = [&](double shift) { return Eigen::VectorXd(-c.array() / (d.array() + shift)); };
    double low = std::max(0.0, least - d.minCoeff());
    Eigen::VectorXd z = step(low);
    if (z.norm() <= radius) {
      if (d.minCoeff() < -noise * size && z.norm() < 0.5 * radius) z[0] += c[0] > 0 ? -0.5 * radius : 0.5 * radius;
      return S * z;
    }
    double high = low + c.norm() / radius;
    for (int i = 0; i < 60 && high - low > 1e-3 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (step(middle).norm() > radius ? low : high) = middle;
    }
    return S * step(high);
  }

  bool descend(std::vector<double>& q) {
    double radius = 0.3 * std::min(1.0, statics_.extent());
    StaticPoint p = statics_.at(q);
    double energy = statics_.has_potential() ? statics_.energy(q) : 0;
    const double start_reach = statics_.extent();
    std::vector<double> next;
    for (int iteration = 0; iteration < o_.iterations; ++iteration, ++out_.iterations) {
      const bool balanced = p.residual() <= allowed(p);
      if (p.Z.cols() == 0) return balanced;
      const Eigen::MatrixXd K = statics_.stiffness(p);
      if (!K.allFinite()) return false;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (K + K.transpose()));
      const Eigen::VectorXd& d = eigen.eigenvalues();
      if (balanced && d[0] >= -noise * std::max(d.cwiseAbs().maxCoeff(), force_scale_)) return true;
      const Eigen::VectorXd z = trust_region_step(d, eigen.eigenvectors(), p.gradient, radius);
      const double expected = p.gradient.dot(z) + 0.5 * z.dot(K * z);
      double change = INFINITY;
      StaticPoint there;
      if (statics_.move(p, z, next)) {
        there = statics_.at(next);
        change = statics_.has_potential() ? statics_.energy(next) - energy : -0.5 * (p.left + there.left).dot(p.Z * z);
        if (!there.f.allFinite()) change = INFINITY;
      }
      const double ratio = change / expected;
      // Near the end energies no longer tell; what is left of the forces does.
      const bool tiny = std::abs(expected) < 1e-10 * std::max(std::abs(energy), force_scale_);
      const bool better = tiny && std::isfinite(change) ? there.residual() < p.residual() : ratio > 0.05 && change < 0;
      if (better) {
        p = there, q = next;
        if (statics_.has_potential()) energy = statics_.energy(q);
        if (ratio > 0.7 && z.norm() > 0.8 * radius) radius *= 2;
      } else {
        if (tiny && balanced) return true;  // as good as numbers allow
        radius = 0.25 * std::min(radius, z.norm());
      }
      if (radius < 1e-14) return p.residual() <= allowed(p);
      if (radius > 1e6 * start_reach) {
        gone_ = true;
        return false;
      }
    }
    return false;
  }

  /// Levenberg-Marquardt on Z^T f = 0.
  bool balance(std::vector<double>& q) {
    StaticPoint p = statics_.at(q);
    double damping = 1e-6;
    std::vector<double> next;
    for (int iteration = 0; iteration < o_.iterations; ++iteration, ++out_.iterations) {
      if (p.residual() <= allowed(p)) return true;
      if (p.Z.cols() == 0) return false;
      const Eigen::MatrixXd K = statics_.stiffness(p);
      if (!K.allFinite()) return false;
      const double unit = std::max(K.squaredNorm() / double(K.cols()), 1e-300);
      bool better = false;
      for (; !better && damping < 1e10; damping = better ? std::max(0.1 * damping, 1e-16) : 10 * damping) {
        Eigen::MatrixXd A = K.transpose() * K;
        A.diagonal().array() += damping * unit;
        Eigen::VectorXd z = -A.ldlt().solve(K.transpose() * p.gradient);
        const double most = std::min(1.0, statics_.extent());
        if (z.norm() > most) z *= most / z.norm();
        if (!z.allFinite() || !statics_.move(p, z, next)) continue;
        StaticPoint there = statics_.at(next);
        if (there.f.allFinite() && there.gradient.norm() < p.gradient.norm()) better = true, p = std::move(there), q = next;
      }
      if (!better) return false;
    }
    return false;
  }

  bool restart(const std::vector<double>& start, std::vector<double>& q) {
    std::vector<double> best = q;
    double least = statics_.at(q).residual();
    for (int turn = 0; turn < o_.restarts; ++turn) {
      if (!statics_.scatter(start, std::min(3.0, 0.05 * std::pow(1.5, turn)), turn, q)) continue;
      if (balance(q)) return true;
      if (const double left = statics_.at(q).residual(); left < least) least = left, best = q;
    }
    q = best;
    return false;
  }

  void report(const std::vector<double>& q) {
    const StaticPoint p = statics_.at(q);
    out_.freedoms = int(p.Z.cols());
    out_.residual = p.residual();
    out_.constraint_error = statics_.constraint_error(q);
    out_.potential_energy = statics_.energy(q);
    out_.multipliers.assign(p.lambda.data(), p.lambda.data() + p.lambda.size());
    worst_ = -1;
    for (int u = 0; u < statics_.mechanism().num_u(); ++u)
      if (worst_ < 0 || std::abs(p.left[u]) > std::abs(p.left[worst_])) worst_ = u;
    worst_force_ = worst_ < 0 ? 0 : p.left[worst_];
    holding_forces(p);
    if (p.Z.cols() == 0) return;
    const Eigen::MatrixXd K = statics_.stiffness(p), H = 0.5 * (K + K.transpose()), M = statics_.reduced_mass(p);
    if (!H.allFinite()) return;
    const Eigen::VectorXd d = H.selfadjointView<Eigen::Lower>().eigenvalues();
    const double uncertain = noise * std::max(d.cwiseAbs().maxCoeff(), force_scale_);
    out_.lowest_stiffness = d[0];
    out_.stability = d[0] > uncertain ? Stability::stable : d[0] < -uncertain ? Stability::unstable : Stability::neutral;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> inertia(M, Eigen::EigenvaluesOnly);
    if (inertia.eigenvalues()[0] > 1e-12 * inertia.eigenvalues().maxCoeff())
      out_.lowest_frequency_squared =
          Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(H, M, Eigen::EigenvaluesOnly).eigenvalues()[0];
  }

  /// What is missing to balance the speeds that stay.
  void holding_forces(const StaticPoint& p) {
    out_.holding_forces = statics_.unbalanced(p);
    for (std::size_t u = 0; u < out_.holding_forces.size(); ++u)
      out_.holding_forces[u] = statics_.held()[u] != 0 ? -out_.holding_forces[u] : 0;
  }

  std::string why_not() const {
    const Mechanism& m = statics_.mechanism();
    if (worst_ < 0) return "there is nothing that could move";
    const std::string who = fmt::format("{:.4g} {} on \"{}\"", worst_force_, "N or N m", m.speed_names()[worst_]);
    if (gone_)
      return fmt::format(
          "there is no equilibrium: the energy falls without end, and nothing balances {}; is a joint, a spring or "
          "a constraint missing that holds it?",
          who);
    return fmt::format(
        "no equilibrium was found in {} iterations: nothing balances {}; start nearer to one, or lock coordinates",
        out_.iterations, who);
  }

  const EquilibriumOptions& o_;
  Statics statics_;
  Equilibrium out_;
  double force_scale_ = 0, worst_force_ = 0;
  int worst_ = -1;
  bool gone_ = false;
};

}  // namespace

const char* name(Stability stability) {
  constexpr const char* names[] = {"stable", "neutral", "unstable"};
  return names[int(stability)];
}

Equilibrium find_equilibrium(State& state, const EquilibriumOptions& options) {
  std::vector<double> q(state.q().begin(), state.q().end());
  state.set_u(std::vector<double>(state.u().size()));
  Search search(state, options);
  const Equilibrium result = search.run(q);
  state.set_q(q);
  return result;
}

}  // namespace polhode::study
