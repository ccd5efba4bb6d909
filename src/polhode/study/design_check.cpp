#include "polhode/study/design_check.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace polhode::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_for_curvature = 12;  // variables: the runs it takes grow with the square

class Neighbourhood {
 public:
  Neighbourhood(const ScaledProblem& problem, DesignResult& result) : problem_(problem), result_(result) {
    for (const DesignResult::Value& v : result.values) values_.push_back(v.value);
    y_ = problem.scaled(values_);
    measures_.push_back(result.measure);
    for (const DesignResult::Limit& limit : result.limits) measures_.push_back(limit.measured);
    for (std::size_t i = 0; i < result.limits.size(); ++i)
      if (result.limits[i].active) active_.push_back(i);
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (!result.values[k].at_lower && !result.values[k].at_upper) free_.push_back(Index(k));
  }

  void check() {
    if (!differentiate()) {
      result_.warnings.emplace_back("runs near the best values fail, so its neighbourhood says nothing of them");
      return;
    }
    find_multipliers();
    if (active_.empty() && !free_.empty() && free_.size() <= most_for_curvature) find_curvatures();
  }

 private:
  std::vector<Scored> scores(const std::vector<std::vector<double>>& places) {
    std::vector<std::vector<double>> values;
    for (const auto& place : places) values.push_back(problem_.values(place));
    std::vector<Scored> all;
    for (const Measurement& m : measure_all(problem_.problem().model, values, problem_.options().threads)) {
      result_.interrupted |= m.interrupted;
      result_.failures += m.ok() ? 0 : 1;
      all.push_back(problem_.score(m.measures));
    }
    result_.runs += long(places.size());
    return all;
  }

  std::vector<double> moved(std::size_t k, double change) const {
    std::vector<double> place = y_;
    place[k] += change;
    return place;
  }

  /// Derivatives of order two: central ones, or from one side at a bound.
  bool differentiate() {
    const double h = 0.1 * problem_.options().difference;
    std::vector<std::vector<double>> places;
    std::vector<std::array<double, 3>> weights;  // of here, and of the two places
    for (std::size_t k = 0; k < y_.size(); ++k) {
      const double room_below = y_[k] - problem_.lower()[k], room_above = problem_.upper()[k] - y_[k];
      const bool central = room_below >= h && room_above >= h;
      const double side = central ? 1 : room_above >= room_below ? 1 : -1;
      places.push_back(moved(k, side * h));
      places.push_back(moved(k, central ? -h : 2 * side * h));
      if (central)
        weights.push_back({0, 0.5 / h, -0.5 / h});
      else
        weights.push_back({-1.5 * side / h, 2 * side / h, -0.5 * side / h});
    }
    const std::vector<Scored> ends = scores(places);
    const Scored here = problem_.score(measures_);
    gradient_.resize(Index(y_.size()));
    limits_.resize(Index(y_.size()), Index(active_.size()));
    for (std::size_t k = 0; k < y_.size(); ++k) {
      const Scored &a = ends[2 * k], &b = ends[2 * k + 1];
      if (!a.ok || !b.ok) return false;
      const auto& w = weights[k];
      gradient_[Index(k)] = w[0] * here.objective + w[1] * a.objective + w[2] * b.objective;
      for (std::size_t i = 0; i < active_.size(); ++i)
        limits_(Index(k), Index(i)) =
            w[0] * here.limits[active_[i]] + w[1] * a.limits[active_[i]] + w[2] * b.limits[active_[i]];
    }
    return true;
  }

  /// grad f + sum of multipliers times grad g = 0 over the free variables, in the least-squares sense; inequalities push one
  /// way.
  void find_multipliers() {
    std::vector<Index> pushing;
    for (std::size_t i = 0; i < active_.size(); ++i) pushing.push_back(Index(i));
    VectorXd multipliers;
    for (bool dropped = true; dropped;) {
      dropped = false;
      const MatrixXd columns = limits_(free_, pushing);
      multipliers = pushing.empty() || free_.empty()
                        ? VectorXd::Zero(Index(pushing.size())).eval()
                        : columns.completeOrthogonalDecomposition().solve(-gradient_(free_)).eval();
      for (std::size_t i = 0; i < pushing.size() && !dropped; ++i)
        if (multipliers[Index(i)] < 0 && sense(pushing[i]) != DesignLimit::Sense::equal) {
          pushing.erase(pushing.begin() + std::ptrdiff_t(i));
          dropped = true;
        }
    }
    VectorXd left = gradient_;
    for (std::size_t i = 0; i < pushing.size(); ++i) left += limits_.col(pushing[i]) * multipliers[Index(i)];
    tell_worths(pushing, multipliers, left);
    double slope = 0;
    for (const Index k : free_) slope = std::max(slope, std::abs(left[k]));
    result_.slope_left = slope * problem_.objective_size();
  }

  DesignLimit::Sense sense(Index active) const { return problem_.problem().limits[active_[std::size_t(active)]].sense; }

  /// In the units of measures and values: the multipliers, and for bounds what is left of the slope.
  void tell_worths(const std::vector<Index>& pushing, const VectorXd& multipliers, const VectorXd& left) {
    const double size = (problem_.problem().maximize ? -1 : 1) * problem_.objective_size();
    for (const std::size_t i : active_) result_.limits[i].worth = 0.0;
    for (std::size_t i = 0; i < pushing.size(); ++i) {
      const std::size_t limit = active_[std::size_t(pushing[i])];
      const double sign = sense(pushing[i]) == DesignLimit::Sense::at_least ? 1 : -1;
      result_.limits[limit].worth = sign * size * multipliers[Index(i)] / problem_.limit_size(limit);
    }
    for (std::size_t k = 0; k < y_.size(); ++k)
      if (result_.values[k].at_lower || result_.values[k].at_upper)
        result_.values[k].worth = size * left[Index(k)] / problem_.scale(k);
  }

  /// Second differences over the free variables.
  void find_curvatures() {
    const double h = 0.3 * std::sqrt(problem_.options().difference);
    for (const Index k : free_)
      if (y_[std::size_t(k)] - h < problem_.lower()[std::size_t(k)] ||
          y_[std::size_t(k)] + h > problem_.upper()[std::size_t(k)])
        return;  // too near to a bound to say
    const Index n = Index(free_.size());
    std::vector<std::vector<double>> places;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j)
        for (const double a : {-h, h})
          for (const double b : {-h, h}) {
            if (i == j && a != b) continue;
            std::vector<double> place = moved(std::size_t(free_[std::size_t(i)]), a);
            if (i != j) place[std::size_t(free_[std::size_t(j)])] += b;
            places.push_back(std::move(place));
          }
    const std::vector<Scored> f = scores(places);
    if (std::any_of(f.begin(), f.end(), [](const Scored& s) { return !s.ok; })) return;
    const double here = problem_.score(measures_).objective;
    MatrixXd H(n, n);
    for (std::size_t at = 0, i = 0; i < std::size_t(n); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        if (i == j) {
          sum = f[at].objective - 2 * here + f[at + 1].objective;
          at += 2;
        } else {
          sum = 0.25 * (f[at].objective - f[at + 1].objective - f[at + 2].objective + f[at + 3].objective);
          at += 4;
        }
        H(Index(i), Index(j)) = H(Index(j), Index(i)) = sum / (h * h);
      }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(H);
    for (Index i = 0; i < n; ++i)
      result_.curvatures.push_back((problem_.problem().maximize ? -1 : 1) * problem_.objective_size() * eigen.eigenvalues()[i]);
    tell_flat_directions(eigen.eigenvalues(), eigen.eigenvectors());
  }

  void tell_flat_directions(const VectorXd& curvatures, const MatrixXd& directions) {
    constexpr double flat = 1e-5;
    const double most = curvatures.cwiseAbs().maxCoeff();
    for (Index i = 0; i < curvatures.size(); ++i) {
      if (curvatures[i] < -1e-3 * std::max(most, 1e-6)) {
        result_.warnings.emplace_back(
            "the measure curves the other way along some direction: this is no optimum, or there is a kink");
        continue;
      }
      if (curvatures[i] > flat * std::max(most, 1e-6)) continue;
      std::vector<std::string> names;
      for (Index k = 0; k < directions.rows(); ++k)
        if (std::abs(directions(k, i)) > 0.1)
          names.push_back(fmt::format("\"{}\"", result_.values[std::size_t(free_[std::size_t(k)])].name));
      result_.warnings.emplace_back(fmt::format(
          "the measure hardly changes with {}; keep all but one of them fixed, or ask for more", fmt::join(names, " and ")));
    }
  }

  const ScaledProblem& problem_;
  DesignResult& result_;
  std::vector<double> values_, y_, measures_;
  std::vector<std::size_t> active_;  // limits
  std::vector<Index> free_;          // variables that are at no bound
  VectorXd gradient_;
  MatrixXd limits_;  // gradients of the active limits, by columns
};

}  // namespace

void check_neighbourhood(const ScaledProblem& problem, DesignResult& result) { Neighbourhood(problem, result).check(); }

}  // namespace polhode::study
