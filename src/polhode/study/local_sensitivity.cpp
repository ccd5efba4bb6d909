#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/study/sensitivity.h"

namespace polhode::study {
namespace {

constexpr int ends = 4;  // -h, -h/2, h/2, h

double step_of(const LocalVariable& v, double difference) { return difference * (v.value != 0 ? std::abs(v.value) : 1); }

/// From measures at the four ends, whose distances are those that doubles have.
LocalSensitivity extrapolated(const double* f, const double* x, double here, double value) {
  const double wide = (f[3] - f[0]) / (x[3] - x[0]), narrow = (f[2] - f[1]) / (x[2] - x[1]);
  const double derivative = (4 * narrow - wide) / 3;
  // Rounding: results have sixteen digits at best.
  const double rounding = 4e-16 * std::max(std::abs(f[1]), std::abs(f[2])) / std::abs(x[2] - x[1]);
  LocalSensitivity s{derivative, std::abs(derivative - narrow) + rounding, {}};
  if (here != 0 && value != 0) s.elasticity = derivative * value / here;
  return s;
}

}  // namespace

LocalResult local_sensitivity(const std::vector<LocalVariable>& variables, std::size_t measures, const MeasuredModel& model,
                              double difference, int threads) {
  if (variables.empty()) throw std::invalid_argument("there is nothing to change; name at least one parameter");
  if (measures == 0) throw std::invalid_argument("there is nothing to measure; name at least one measure");
  std::vector<double> base;
  for (const LocalVariable& v : variables) base.push_back(v.value);
  std::vector<std::vector<double>> places{base};
  for (std::size_t k = 0; k < variables.size(); ++k)
    for (const double part : {-1.0, -0.5, 0.5, 1.0}) {
      places.push_back(base);
      places.back()[k] += part * step_of(variables[k], difference);
    }
  const std::vector<Measurement> all = measure_all(model, places, threads);
  LocalResult result;
  result.runs = long(all.size());
  for (const Measurement& m : all) {
    result.interrupted |= m.interrupted;
    result.failures += m.ok() ? 0 : 1;
  }
  if (!all[0].ok() && !result.interrupted)
    throw std::runtime_error(fmt::format("the model does not run with these values: {}", all[0].failure));
  result.of.assign(measures, std::vector<LocalSensitivity>(variables.size()));
  if (result.interrupted) return result;
  result.measures = all[0].measures;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Measurement* const at = &all[1 + ends * k];
    const auto failed = std::find_if(at, at + ends, [](const Measurement& m) { return !m.ok(); });
    if (failed != at + ends) {
      result.warnings.push_back(fmt::format("runs near this value of \"{}\" fail, so there is no derivative: {}",
                                            variables[k].name, failed->failure));
      continue;
    }
    for (std::size_t m = 0; m < measures; ++m) {
      double f[ends], x[ends];
      for (int i = 0; i < ends; ++i) f[i] = at[i].measures[m], x[i] = places[1 + ends * k + std::size_t(i)][k];
      result.of[m][k] = extrapolated(f, x, result.measures[m], variables[k].value);
    }
  }
  return result;
}

}  // namespace polhode::study
