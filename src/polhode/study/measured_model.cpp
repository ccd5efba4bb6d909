#include "polhode/study/measured_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/study/parallel.h"

namespace polhode::study {

MeasuredModel measured_model(StartMaker start, SweepOptions options, const std::vector<double>& values) {
  require_possible(start, options, values);
  return [start = std::move(start), options = std::move(options)](std::span<const double> v) -> Measurement {
    if (options.interrupted && options.interrupted()) return {.measures = {}, .failure = "interrupted", .interrupted = true};
    SweepRun run = run_once(start, options, {v.begin(), v.end()});
    for (std::size_t i = 0; i < run.measures.size(); ++i)
      if (!std::isfinite(run.measures[i]))
        return {.measures = {}, .failure = fmt::format("{} is {}", options.measures[i].name(), run.measures[i])};
    return {std::move(run.measures), std::move(run.failure), run.interrupted};
  };
}

std::vector<Measurement> measure_all(const MeasuredModel& model, const std::vector<std::vector<double>>& places, int threads) {
  std::vector<Measurement> all(places.size());
  for_each_index(places.size(), threads, [&](std::size_t i) { all[i] = model(places[i]); });
  return all;
}

double difference_step(const SimulateOptions& options) {
  return fixed_step(options) ? 1e-3 : std::cbrt(number_in_force(options, "accuracy").value_or(1e-6));
}

}  // namespace polhode::study
