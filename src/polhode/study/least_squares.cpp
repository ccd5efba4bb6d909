#include "polhode/study/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::study {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd as_eigen(const std::vector<double>& v) { return Eigen::Map<const VectorXd>(v.data(), Eigen::Index(v.size())); }

class Minimiser {
 public:
  explicit Minimiser(const LeastSquares& problem) : p_(problem), n_(problem.start.size()) {}

  LeastSquaresResult run() {
    result_.x = p_.start;
    result_.residuals = one(result_.x);
    if (result_.residuals.empty()) throw std::runtime_error("there is nothing to compare with at the starting values");
    result_.cost_start = result_.cost = as_eigen(result_.residuals).squaredNorm();
    if (!std::isfinite(result_.cost))
      throw std::invalid_argument("the residuals at the start are too large for numbers; are the data in sensible units?");
    damping_ = 1e-3;
    while (result_.reason.empty()) {
      if (!differentiate()) {
        result_.reason = "derivatives could not be computed, as runs near the values fail";
        break;
      }
      iterate();
    }
    if (moved_since_jacobian_) differentiate();
    result_.jacobian.assign(J_.data(), J_.data() + J_.size());
    for (std::size_t k = 0; k < n_ && J_.cols() > 0; ++k)
      for (Eigen::Index i = 0; i < J_.rows(); ++i) result_.jacobian[k * std::size_t(J_.rows()) + std::size_t(i)] /= p_.scale[k];
    return std::move(result_);
  }

 private:
  std::vector<double> one(const std::vector<double>& x) {
    ++result_.evaluations;
    return std::move(p_.residuals({x})[0]);
  }

  /// The Jacobian in units of scale, from both sides where bounds and failures allow it.
  bool differentiate() {
    std::vector<std::vector<double>> places;
    for (std::size_t k = 0; k < n_; ++k) {
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> x = result_.x;
        x[k] = std::clamp(x[k] + sign * p_.relative_step * p_.scale[k], p_.lower[k], p_.upper[k]);
        places.push_back(std::move(x));
      }
    }
    result_.evaluations += long(places.size());
    const auto r = p_.residuals(places);
    const VectorXd here = as_eigen(result_.residuals);
    MatrixXd J(here.size(), Eigen::Index(n_));
    for (std::size_t k = 0; k < n_; ++k) {
      const bool has_low = !r[2 * k].empty(), has_high = !r[2 * k + 1].empty();
      const double low = has_low ? places[2 * k][k] : result_.x[k], high = has_high ? places[2 * k + 1][k] : result_.x[k];
      if (!(high > low)) return false;
      const VectorXd from = has_low ? as_eigen(r[2 * k]) : here, to = has_high ? as_eigen(r[2 * k + 1]) : here;
      J.col(Eigen::Index(k)) = (to - from) * (p_.scale[k] / (high - low));
    }
    if (!J.allFinite()) return false;
    J_ = std::move(J);
    moved_since_jacobian_ = false;
    return true;
  }

  /// Steps of ever larger damping until one makes the residuals smaller.
  void iterate() {
    if (++result_.iterations > p_.most_iterations) {
      result_.iterations = p_.most_iterations;
      result_.reason = "the limit of iterations was reached";
      return;
    }
    const VectorXd r = as_eigen(result_.residuals);
    const VectorXd g = J_.transpose() * r;
    const MatrixXd A = J_.transpose() * J_;
    if (result_.cost == 0) return stop("the residuals are zero");
    for (double growth = 2;; growth *= 2) {
      const VectorXd h = step(A, g);
      std::vector<double> x = result_.x;
      double length = 0;
      for (std::size_t k = 0; k < n_; ++k) {
        x[k] = std::clamp(x[k] + h[Eigen::Index(k)] * p_.scale[k], p_.lower[k], p_.upper[k]);
        length = std::max(length, std::abs(x[k] - result_.x[k]) / std::max(p_.scale[k], std::abs(x[k])));
      }
      if (length < 1e-12) return stop("the values no longer change");
      std::vector<double> residuals = one(x);
      const double cost = residuals.empty() ? result_.cost : as_eigen(residuals).squaredNorm();
      if (cost < result_.cost) {
        const double expected = std::abs(h.dot(2 * g + A * h));
        const double gain = (result_.cost - cost) / std::max(expected, 1e-300);
        const double fall = (result_.cost - cost) / result_.cost;
        result_.x = std::move(x), result_.residuals = std::move(residuals), result_.cost = cost;
        moved_since_jacobian_ = true;
        damping_ = std::max(1e-14, damping_ * std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3)));
        if (fall < 1e-12 && length < 1e-7) stop("the residuals no longer change");
        return;
      }
      damping_ *= growth;
      if (damping_ > 1e12) return stop("the residuals cannot be made smaller");
    }
  }

  void stop(const char* reason) { result_.converged = true, result_.reason = reason; }

  /// (A + damping D) h = -g over the variables that are free to move, D being the diagonal of A.
  VectorXd step(const MatrixXd& A, const VectorXd& g) const {
    std::vector<Eigen::Index> free;
    for (std::size_t k = 0; k < n_; ++k) {
      const bool held =
          (result_.x[k] <= p_.lower[k] && g[Eigen::Index(k)] > 0) || (result_.x[k] >= p_.upper[k] && g[Eigen::Index(k)] < 0);
      if (!held) free.push_back(Eigen::Index(k));
    }
    VectorXd h = VectorXd::Zero(Eigen::Index(n_));
    if (free.empty()) return h;
    MatrixXd B = A(free, free);
    const double least = 1e-12 * std::max(A.diagonal().maxCoeff(), 1e-300);
    B.diagonal() += damping_ * B.diagonal().cwiseMax(least);
    h(free) = -B.ldlt().solve(g(free));
    return h.allFinite() ? h : VectorXd::Zero(Eigen::Index(n_));
  }

  const LeastSquares& p_;
  std::size_t n_;
  LeastSquaresResult result_;
  MatrixXd J_;
  double damping_ = 1e-3;
  bool moved_since_jacobian_ = false;
};

}  // namespace

LeastSquaresResult minimise(const LeastSquares& problem) { return Minimiser(problem).run(); }

}  // namespace polhode::study
