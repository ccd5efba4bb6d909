#include "polhode/study/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::study {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void check(const Range& range) {
  for (const double x : range.list)
    if (!std::isfinite(x)) refuse(fmt::format("\"{}\" cannot be {}; give finite numbers", range.name, x));
  if (!range.list.empty()) return;
  if (!std::isfinite(range.first) || !std::isfinite(range.last))
    refuse(fmt::format("the range of \"{}\", {} to {}, must have finite ends", range.name, range.first, range.last));
  if (range.count < 1) refuse(fmt::format("the range of \"{}\" has {} points; give at least 1", range.name, range.count));
  if (range.count == 1 && range.first != range.last)
    refuse(fmt::format("the range of \"{}\" has two different ends but one point; give at least 2", range.name));
  if (range.count > 1 && range.first == range.last)
    refuse(fmt::format("the range of \"{}\" is empty: both ends are {}", range.name, range.first));
}

/// Those that are to be drawn; for a plan that is refused anyway, none.
UnitSamples samples_of(const std::vector<Distribution>& distributions, long samples, std::uint64_t seed, Sampling sampling) {
  std::vector<std::string> names;
  for (const Distribution& d : distributions) names.push_back(d.name);
  if (samples < 1 || samples > most_runs) return {Sampling::random, std::move(names), 0, seed};
  return {sampling, std::move(names), samples, seed};
}

}  // namespace

void check(const Distribution& d) {
  if (!std::isfinite(d.a) || !std::isfinite(d.b))
    refuse(fmt::format("the distribution of \"{}\" must have finite numbers", d.name));
  if (d.kind == Distribution::Kind::normal && !(d.b > 0))
    refuse(fmt::format("the standard deviation of \"{}\" is {}; it must be above 0", d.name, d.b));
  if (d.kind == Distribution::Kind::uniform && !(d.a < d.b))
    refuse(fmt::format("the interval of \"{}\" from {} to {} is empty", d.name, d.a, d.b));
}

std::vector<double> draw(const std::vector<Distribution>& distributions, const UnitSamples& samples, long sample) {
  std::vector<double> values;
  for (std::size_t k = 0; k < distributions.size(); ++k) {
    const Distribution& d = distributions[k];
    const bool normal = d.kind == Distribution::Kind::normal;
    values.push_back(normal ? d.a + d.b * samples.normal(k, sample) : d.a + (d.b - d.a) * samples.uniform(k, sample));
  }
  return values;
}

double Range::operator[](long i) const {
  if (!list.empty()) return list[std::size_t(i)];
  if (count == 1) return first;
  // More digits than a double has, so that 0.4 to 1.8 by 0.2 passes through 0.8; both ends come out exactly.
  using Long = long double;
  return double((Long(count - 1 - i) * Long(first) + Long(i) * Long(last)) / Long(count - 1));
}

Plan::Plan(std::vector<Range> ranges, std::vector<Distribution> distributions, long samples, std::uint64_t seed,
           Sampling sampling)
    : ranges_(std::move(ranges)),
      distributions_(std::move(distributions)),
      samples_(samples),
      seed_(seed),
      sampling_(sampling),
      unit_(samples_of(distributions_, samples, seed, sampling)) {
  if (ranges_.empty() && distributions_.empty()) refuse("nothing is varied");
  for (const Range& range : ranges_) check(range), names_.push_back(range.name);
  for (const Distribution& d : distributions_) check(d), names_.push_back(d.name);
  for (auto name = names_.begin(); name != names_.end(); ++name)
    if (std::find(names_.begin(), name, *name) != name) refuse(fmt::format("\"{}\" is varied twice; keep one", *name));
  if (distributions_.empty()) samples_ = 1;
  if (samples_ < 1) refuse(fmt::format("{} samples were requested; give at least 1", samples_));

  double size = double(samples_);
  for (const Range& range : ranges_) size *= double(range.size());
  if (size > double(most_runs))
    refuse(fmt::format("the sweep would have {:.10g} runs; at most {} are allowed", size, most_runs));
  size_ = long(size);
}

std::vector<double> Plan::values(long i) const {
  std::vector<double> result(names_.size());
  const long sample = i % samples_;
  long combination = i / samples_;
  for (std::size_t k = ranges_.size(); k-- > 0;) {
    result[k] = ranges_[k][combination % ranges_[k].size()];
    combination /= ranges_[k].size();
  }
  const std::vector<double> drawn = draw(distributions_, unit_, sample);
  std::copy(drawn.begin(), drawn.end(), result.begin() + std::ptrdiff_t(ranges_.size()));
  return result;
}

}  // namespace polhode::study
