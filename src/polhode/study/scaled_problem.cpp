#include <algorithm>
#include <cmath>

#include "polhode/study/design_search.h"

namespace polhode::study {
namespace {

double size_or_one(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return size > 0 && std::isfinite(size) ? size : 1;
}

}  // namespace

double DesignLimit::margin(double measured) const {
  switch (sense) {
    case Sense::at_most: return bound - measured;
    case Sense::at_least: return measured - bound;
    case Sense::equal: break;
  }
  return -std::abs(measured - bound);
}

ScaledProblem::ScaledProblem(const DesignProblem& problem, const DesignOptions& options,
                             const std::vector<double>& measures_at_start)
    : problem_(problem), options_(options), objective_size_(1) {
  for (const DesignVariable& v : problem.variables) {
    const double width = v.upper - v.lower;
    const double scale = std::isfinite(width) ? width : size_or_one(v.start, 0);
    origin_.push_back(v.start);
    scale_.push_back(scale);
    lower_.push_back((v.lower - v.start) / scale);
    upper_.push_back((v.upper - v.start) / scale);
  }
  const bool known = !measures_at_start.empty();
  if (known) objective_size_ = size_or_one(measures_at_start[0], 0);
  for (std::size_t i = 0; i < problem.limits.size(); ++i)
    limit_size_.push_back(size_or_one(problem.limits[i].bound, known ? measures_at_start[i + 1] : 0));
}

std::vector<double> ScaledProblem::scaled(std::span<const double> values) const {
  std::vector<double> y(size());
  for (std::size_t k = 0; k < size(); ++k) y[k] = std::clamp((values[k] - origin_[k]) / scale_[k], lower_[k], upper_[k]);
  return y;
}

std::vector<double> ScaledProblem::values(std::span<const double> y) const {
  std::vector<double> v(size());
  for (std::size_t k = 0; k < size(); ++k) {
    const DesignVariable& variable = problem_.variables[k];
    v[k] = y[k] <= lower_[k]   ? variable.lower
           : y[k] >= upper_[k] ? variable.upper
                               : std::clamp(origin_[k] + y[k] * scale_[k], variable.lower, variable.upper);
  }
  return v;
}

Scored ScaledProblem::score(const std::vector<double>& measures) const {
  if (measures.empty()) return {};
  Scored scored{.ok = true, .objective = (problem_.maximize ? -1 : 1) * measures[0] / objective_size_, .limits = {}};
  for (std::size_t i = 0; i < limit_size_.size(); ++i) {
    const DesignLimit& limit = problem_.limits[i];
    const double sign = limit.sense == DesignLimit::Sense::at_least ? -1 : 1;
    scored.limits.push_back(sign * (measures[i + 1] - limit.bound) / limit_size_[i]);
  }
  return scored;
}

double ScaledProblem::violation(const std::vector<double>& measures) const {
  double most = 0;
  for (std::size_t i = 0; i < limit_size_.size(); ++i) {
    const double missed = -problem_.limits[i].margin(measures[i + 1]) / limit_size_[i];
    if (missed > options_.tolerance) most = std::max(most, missed);
  }
  return most;
}

bool ScaledProblem::better(const std::vector<double>& a, const std::vector<double>& b) const {
  const double missed_a = violation(a), missed_b = violation(b);
  if (missed_a != missed_b) return missed_a < missed_b;
  return problem_.maximize ? a[0] > b[0] : a[0] < b[0];
}

}  // namespace polhode::study
