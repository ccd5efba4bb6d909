#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include "polhode/study/parallel.h"
#include "polhode/study/sensitivity.h"

namespace polhode::study {
namespace {

/// Measures of one sample: at a point of the first set, of the second, and at points of the first with one variable of the
/// second.
struct Row {
  double a = 0, b = 0;
  std::vector<double> mixed;  // by variable
};

struct Indices {
  std::vector<double> first, total;
};

/// With numbers that are small beside the deviation: the mean is taken off before.
Indices indices(const std::vector<Row>& rows, const std::vector<std::uint32_t>& which) {
  const std::size_t n = rows[0].mixed.size();
  double mean = 0, square = 0;
  for (const std::uint32_t i : which) mean += rows[i].a + rows[i].b;
  mean /= 2 * double(which.size());
  for (const std::uint32_t i : which) square += std::pow(rows[i].a - mean, 2) + std::pow(rows[i].b - mean, 2);
  const double variance = square / (2 * double(which.size()));
  Indices result{std::vector<double>(n), std::vector<double>(n)};
  if (!(variance > 0)) return result;
  for (std::size_t k = 0; k < n; ++k) {
    for (const std::uint32_t i : which) {
      const Row& r = rows[i];
      result.first[k] += (r.b - mean) * (r.mixed[k] - r.a);
      result.total[k] += 0.5 * (r.a - r.mixed[k]) * (r.a - r.mixed[k]);
    }
    result.first[k] /= variance * double(which.size());
    result.total[k] /= variance * double(which.size());
  }
  return result;
}

double quantile(std::vector<double>& numbers, double p) {
  const auto place = std::size_t(std::lround(p * double(numbers.size() - 1)));
  std::nth_element(numbers.begin(), numbers.begin() + std::ptrdiff_t(place), numbers.end());
  return numbers[place];
}

/// The indices, and how they vary when samples are drawn again from those that there are (Efron's bootstrap).
std::vector<GlobalSensitivity> estimate(const std::vector<Row>& rows, const GlobalOptions& options) {
  std::vector<std::uint32_t> which(rows.size());
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = std::uint32_t(i);
  const Indices whole = indices(rows, which);
  const std::size_t n = whole.first.size();
  std::vector<Indices> resampled(static_cast<std::size_t>(options.resamples));
  const RandomStream random(options.seed, "bootstrap");
  for_each_index(resampled.size(), options.threads, [&](std::size_t r) {
    std::vector<std::uint32_t> drawn(rows.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
      drawn[i] = std::uint32_t(random.uniform(std::uint32_t(i), std::uint32_t(r)) * double(rows.size()));
    resampled[r] = indices(rows, drawn);
  });
  const auto interval = [&](double value, const auto& of) {
    std::vector<double> numbers;
    for (const Indices& i : resampled) numbers.push_back(of(i));
    const double low = quantile(numbers, 0.025);
    return Estimate{value, low, quantile(numbers, 0.975)};
  };
  std::vector<GlobalSensitivity> result;
  for (std::size_t k = 0; k < n; ++k)
    result.push_back({interval(whole.first[k], [k](const Indices& i) { return i.first[k]; }),
                      interval(whole.total[k], [k](const Indices& i) { return i.total[k]; })});
  return result;
}

void check_all(const std::vector<Distribution>& variables, std::size_t measures, const GlobalOptions& o) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  if (variables.empty()) refuse("nothing is random; give --random \"NAME=normal(mean,deviation)\"");
  if (measures == 0) refuse("there is nothing to measure; name at least one measure");
  for (const Distribution& d : variables) check(d);
  for (auto v = variables.begin(); v != variables.end(); ++v)
    if (std::any_of(variables.begin(), v, [&](const Distribution& other) { return other.name == v->name; }))
      refuse(fmt::format("\"{}\" is varied twice; keep one", v->name));
  if (o.samples < 8) refuse(fmt::format("{} samples were requested; give at least 8", o.samples));
  if (double(o.samples) * double(variables.size() + 2) > double(most_runs))
    refuse(fmt::format("{} samples of {} variables take {:.10g} runs; at most {} are allowed", o.samples, variables.size(),
                       double(o.samples) * double(variables.size() + 2), most_runs));
  if (o.resamples < 1) refuse(fmt::format("{} resamples were requested; give at least 1", o.resamples));
}

/// Two independent sets of points: halves of points of twice as many variables.
class Points {
 public:
  Points(const std::vector<Distribution>& variables, const GlobalOptions& o)
      : variables_(variables), samples_(o.sampling, names(variables), o.samples, o.seed) {
    twice_ = variables;
    twice_.insert(twice_.end(), variables.begin(), variables.end());
  }
  /// 0: of the first set, 1: of the second, 2 + k: of the first with variable k of the second.
  std::vector<double> point(long sample, std::size_t kind) const {
    const std::vector<double> both = draw(twice_, samples_, sample);
    const auto n = std::ptrdiff_t(variables_.size());
    if (kind == 1) return {both.begin() + n, both.end()};
    std::vector<double> values(both.begin(), both.begin() + n);
    if (kind >= 2) values[kind - 2] = both[kind - 2 + variables_.size()];
    return values;
  }

 private:
  static std::vector<std::string> names(const std::vector<Distribution>& variables) {
    std::vector<std::string> all;
    for (const char* set : {"", " once more"})
      for (const Distribution& d : variables) all.push_back(d.name + set);
    return all;
  }
  const std::vector<Distribution>& variables_;
  std::vector<Distribution> twice_;
  UnitSamples samples_;
};

}  // namespace

GlobalResult global_sensitivity(const std::vector<Distribution>& variables, std::size_t measures, const MeasuredModel& model,
                                const GlobalOptions& options, const Progress& progress) {
  check_all(variables, measures, options);
  const Points points(variables, options);
  const std::size_t kinds = variables.size() + 2, n = std::size_t(options.samples);
  std::vector<Measurement> all(n * kinds);
  std::atomic<std::size_t> done = 0;
  std::mutex showing;
  for_each_index(all.size(), options.threads, [&](std::size_t i) {
    all[i] = model(points.point(long(i / kinds), i % kinds));
    const std::size_t now = ++done;
    if (const std::unique_lock lock(showing, std::try_to_lock); progress && lock && now % 64 == 0)
      progress(double(now) / double(all.size()));
  });

  GlobalResult result;
  result.runs = long(all.size());
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < n; ++i) {
    bool good = true;
    for (std::size_t k = 0; k < kinds; ++k) {
      const Measurement& m = all[i * kinds + k];
      good &= m.ok();
      result.interrupted |= m.interrupted;
      if (m.ok() || m.interrupted) continue;
      if (result.failures++ == 0) result.first_failure = m.failure;
    }
    if (good) used.push_back(i);
  }
  result.samples = long(used.size());
  if (result.interrupted) return result;
  if (used.size() < 8)
    throw std::runtime_error(fmt::format("only {} of {} samples have no run that fails, the first because {}", used.size(), n,
                                         result.first_failure));
  if (result.failures > 0)
    result.warnings.push_back(
        fmt::format("{} samples have a run that fails and were left out, the first because {}; what is "
                    "said holds for the others only",
                    n - used.size(), result.first_failure));
  for (std::size_t m = 0; m < measures; ++m) {
    std::vector<Row> rows;
    double mean = 0, squares = 0;
    for (const std::size_t i : used) {
      Row row{all[i * kinds].measures[m], all[i * kinds + 1].measures[m], {}};
      for (std::size_t k = 0; k < variables.size(); ++k) row.mixed.push_back(all[i * kinds + 2 + k].measures[m]);
      mean += 0.5 * (row.a + row.b) / double(used.size());
      rows.push_back(std::move(row));
    }
    for (const Row& row : rows) squares += std::pow(row.a - mean, 2) + std::pow(row.b - mean, 2);
    const double deviation = std::sqrt(squares / (2 * double(used.size()) - 1));
    result.mean.push_back(mean), result.deviation.push_back(deviation);
    result.of.push_back(deviation > 1e-12 * std::abs(mean) ? estimate(rows, options) : std::vector<GlobalSensitivity>{});
  }
  return result;
}

}  // namespace polhode::study
