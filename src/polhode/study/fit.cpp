#include "polhode/study/fit.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "polhode/study/least_squares.h"
#include "polhode/study/parallel.h"

namespace polhode::study {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void check(const std::vector<FitVariable>& variables, const FitData& data) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  if (variables.empty()) refuse("there is nothing to fit; name at least one parameter");
  if (data.columns.empty()) refuse("the data have no column to compare with");
  for (auto v = variables.begin(); v != variables.end(); ++v) {
    if (std::any_of(variables.begin(), v, [&](const FitVariable& other) { return other.name == v->name; }))
      refuse(fmt::format("\"{}\" is fitted twice; keep one", v->name));
    if (!(v->lower < v->upper))
      refuse(fmt::format("the bounds of \"{}\", {} and {}, leave no room", v->name, v->lower, v->upper));
    if (!(v->lower <= v->start && v->start <= v->upper))
      refuse(
          fmt::format("\"{}\" starts at {}, which is not between its bounds {} and {}", v->name, v->start, v->lower, v->upper));
  }
  for (const FitColumn& column : data.columns) {
    if (column.values.size() != data.times.size())
      refuse(fmt::format("column \"{}\" has {} values for {} times", column.quantity, column.values.size(), data.times.size()));
    if (!(std::isfinite(column.deviation) && column.deviation > 0))
      refuse(fmt::format("the noise of column \"{}\" is {}; it must be above 0", column.quantity, column.deviation));
  }
  if (data.times.size() * data.columns.size() < variables.size())
    refuse(fmt::format("{} measured numbers cannot determine {} values", data.times.size() * data.columns.size(),
                       variables.size()));
}

/// The residuals of one run; empty, with the reason, when it fails.
std::vector<double> compare(const std::vector<double>& x, const FitData& data, const StartMaker& make_start,
                            const SimulateOptions& options, std::string& failure) try {
  const State start = make_start(x);
  const std::size_t rows = data.times.size();
  if (data.times.front() < start.time())
    throw std::invalid_argument(
        fmt::format("the data begin at {} s, before the model's start at {} s", data.times.front(), start.time()));
  std::vector<Quantity> quantities;
  for (const FitColumn& column : data.columns) quantities.emplace_back(start.mechanism(), column.quantity);
  std::vector<double> residuals(rows * quantities.size());
  std::size_t next = 0;
  const auto report = [&](const State& state) {
    if (next == rows || state.time() < data.times[next] - 1e-12 * options.time) return;
    for (std::size_t c = 0; c < quantities.size(); ++c)
      residuals[c * rows + next] = (quantities[c](state) - data.columns[c].values[next]) / data.columns[c].deviation;
    ++next;
  };
  SimulateOptions simulation = options;
  for (const Quantity& quantity : quantities)
    if (quantity.must_be_recorded()) simulation.record.push_back(quantity.name());
  const SimulateSummary summary = simulate(start, simulation, report);
  failure = summary.failure;
  return summary.completed && next == rows ? residuals : std::vector<double>{};
} catch (const std::exception& error) {
  failure = error.what();
  return {};
}

/// What the Jacobian at the solution says about how well the data determine the values.
class Identifiability {
 public:
  Identifiability(const LeastSquaresResult& solution, const std::vector<double>& scale, double noise)
      : rows_(Eigen::Index(solution.residuals.size())), n_(Eigen::Index(scale.size())) {
    const MatrixXd J = Eigen::Map<const MatrixXd>(solution.jacobian.data(), rows_, n_);
    norms_ = J.colwise().norm();
    VectorXd per_scale(n_);
    for (Eigen::Index k = 0; k < n_; ++k) per_scale[k] = norms_[k] * scale[std::size_t(k)];
    const double strongest = per_scale.maxCoeff();
    weak_.assign(std::size_t(n_), false);
    MatrixXd unit = J;
    for (Eigen::Index k = 0; k < n_; ++k) {
      weak_[std::size_t(k)] = !(per_scale[k] > noise * strongest);
      if (weak_[std::size_t(k)])
        unit.col(k).setZero();
      else
        unit.col(k) /= norms_[k];
    }
    svd_.compute(unit, Eigen::ComputeThinU | Eigen::ComputeThinV);
    noise_ = noise;
  }

  void report(const std::vector<FitVariable>& variables, double mean_square, FitResult& result) const {
    for (Eigen::Index k = 0; k < n_; ++k)
      if (weak_[std::size_t(k)]) {
        undetermined_[std::size_t(k)] = true;
        result.warnings.push_back(
            fmt::format("\"{}\" has no effect on the data, so they do not determine it", variables[std::size_t(k)].name));
      }
    const VectorXd s = svd_.singularValues();
    for (Eigen::Index i = 0; i < n_; ++i) {
      const VectorXd v = svd_.matrixV().col(i);
      if (s[i] > noise_ * s[0]) continue;
      std::vector<std::string> names;
      for (Eigen::Index k = 0; k < n_; ++k)
        if (!weak_[std::size_t(k)] && std::abs(v[k]) > 0.1) {
          names.push_back(fmt::format("\"{}\"", variables[std::size_t(k)].name));
          undetermined_[std::size_t(k)] = true;
        }
      if (names.size() > 1)
        result.warnings.push_back(fmt::format("the data determine only a combination of {}; keep all but one of them fixed",
                                              fmt::join(names, " and ")));
    }
    // Covariance in the subspace that is determined.
    MatrixXd C = MatrixXd::Zero(n_, n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (s[i] > noise_ * s[0]) C += svd_.matrixV().col(i) * svd_.matrixV().col(i).transpose() / (s[i] * s[i]);
    for (Eigen::Index k = 0; k < n_; ++k)
      if (!undetermined_[std::size_t(k)])
        result.values[std::size_t(k)].standard_error = std::sqrt(mean_square * C(k, k)) / norms_[k];
    if (std::any_of(result.values.begin(), result.values.end(), [](const auto& v) { return !v.standard_error; })) return;
    for (Eigen::Index k = 0; k < n_; ++k)
      for (Eigen::Index l = 0; l < n_; ++l) {
        const double c = C(k, l) / std::sqrt(C(k, k) * C(l, l));
        result.correlations.push_back(k == l ? 1 : c);
        if (l > k && std::abs(c) > 0.99)
          result.warnings.push_back(fmt::format("\"{}\" and \"{}\" are hard to tell apart: their correlation is {:.4f}",
                                                variables[std::size_t(k)].name, variables[std::size_t(l)].name, c));
      }
  }

 private:
  Eigen::Index rows_, n_;
  Eigen::RowVectorXd norms_;
  std::vector<bool> weak_;
  mutable std::vector<bool> undetermined_ = std::vector<bool>(std::size_t(n_), false);
  Eigen::JacobiSVD<MatrixXd> svd_;
  double noise_ = 0;
};

}  // namespace

FitResult fit(const std::vector<FitVariable>& variables, const FitData& data, const StartMaker& start,
              const FitOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  if (data.times.empty()) throw std::invalid_argument("the data have no rows");
  check(variables, data);
  SimulateOptions run = options.simulate;
  run.interval.reset();
  run.every = 1;
  run.times = data.times;

  // Steps that adapt themselves make results jump a little when values change; differences must be larger than that.
  const bool smooth = fixed_step(run).has_value();
  LeastSquares problem;
  problem.relative_step = smooth ? 1e-5 : std::cbrt(number_in_force(run, "accuracy").value_or(1e-6));
  problem.most_iterations = options.most_iterations;
  for (const FitVariable& v : variables) {
    problem.start.push_back(v.start), problem.lower.push_back(v.lower), problem.upper.push_back(v.upper);
    const double width = v.upper - v.lower;
    problem.scale.push_back(v.start != 0 ? std::abs(v.start) : std::isfinite(width) ? 0.1 * width : 1);
  }
  std::string first_failure;
  problem.residuals = [&](const std::vector<std::vector<double>>& places) {
    std::vector<std::vector<double>> all(places.size());
    std::vector<std::string> failures(places.size());
    for_each_index(places.size(), options.threads,
                   [&](std::size_t i) { all[i] = compare(places[i], data, start, run, failures[i]); });
    for (const std::string& failure : failures)
      if (first_failure.empty()) first_failure = failure;
    return all;
  };

  // What the start and the data disagree about is found here, before it is called a failed run.
  const State first = start(problem.start);
  for (const FitColumn& column : data.columns) Quantity(first.mechanism(), column.quantity);
  if (data.times.front() < first.time())
    throw std::invalid_argument(
        fmt::format("the data begin at {} s, before the model does, at {} s", data.times.front(), first.time()));
  run.time = data.times.back() - first.time();
  if (!(run.time > 0)) throw std::invalid_argument("the data end where the model starts; there is nothing to compare");
  make_stepper(first.mechanism(), run);

  LeastSquaresResult solution;
  try {
    solution = minimise(problem);
  } catch (const std::runtime_error&) {
    throw std::runtime_error(fmt::format("the model does not run with the values that the fit starts from: {}", first_failure));
  }

  FitResult result;
  const auto points = solution.residuals.size();
  result.points = long(points);
  result.rms_before = std::sqrt(solution.cost_start / double(points));
  result.rms_after = std::sqrt(solution.cost / double(points));
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < data.times.size(); ++i) sum += std::pow(solution.residuals[c * data.times.size() + i], 2);
    result.column_rms.push_back(data.columns[c].deviation * std::sqrt(sum / double(data.times.size())));
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const double x = solution.x[k];
    result.values.push_back(
        {variables[k].name, variables[k].start, x, std::nullopt, x == variables[k].lower || x == variables[k].upper});
    if (result.values.back().at_bound)
      result.warnings.push_back(
          fmt::format("\"{}\" ended at its bound {}; the data ask for a value beyond it", variables[k].name, x));
  }
  result.iterations = solution.iterations, result.runs = solution.evaluations;
  result.converged = solution.converged, result.reason = solution.reason;
  if (!solution.jacobian.empty() && points > variables.size()) {
    const double mean_square = solution.cost / double(points - variables.size());
    Identifiability(solution, problem.scale, smooth ? 1e-6 : 1e-3).report(variables, mean_square, result);
  }
  result.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace polhode::study
