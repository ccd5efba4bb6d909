#include "polhode/study/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>
#include <numeric>
#include <stdexcept>

#include "polhode/mechanism/problem.h"
#include "polhode/study/plan.h"

namespace polhode::study {
namespace {

constexpr int sobol_bits = 20;  // of a sample's number
static_assert(most_runs < (1L << sobol_bits));

/// Owen's nested scrambling of a binary fraction: whether a digit is flipped depends on all digits before it, and on nothing
/// else of the number. That keeps the net a net, and makes each point uniform.
std::uint32_t scrambled(std::uint32_t digits, const RandomStream& stream) {
  std::uint32_t flips = 0;
  for (std::uint32_t k = 0; k < 32; ++k) {
    const std::uint32_t before = k == 0 ? 0 : digits >> (32 - k);
    if (stream.uniform(before, k + 1) < 0.5) flips |= 0x80000000u >> k;
  }
  return digits ^ flips;
}

}  // namespace

const std::vector<std::string>& sampling_names() {
  static const std::vector<std::string> names{"random", "latin-hypercube", "sobol"};
  return names;
}

Sampling sampling_named(const std::string& name) {
  const auto found = std::find(sampling_names().begin(), sampling_names().end(), name);
  if (found == sampling_names().end())
    throw std::invalid_argument(
        fmt::format("there is no sampling \"{}\"{}", name, suggestion(name, sampling_names(), "there are")));
  return Sampling(found - sampling_names().begin());
}

std::string name_of(Sampling sampling) { return sampling_names()[std::size_t(sampling)]; }

UnitSamples::UnitSamples(Sampling sampling, std::vector<std::string> variables, long samples, std::uint64_t seed)
    : sampling_(sampling), samples_(samples) {
  for (const std::string& name : variables) streams_.emplace_back(seed, name);
  if (sampling == Sampling::latin_hypercube)
    for (const std::string& name : variables) strata_.push_back(shuffled(std::uint32_t(samples), {seed, name + " strata"}));
  if (sampling == Sampling::sobol) find_directions();
}

/// The direction numbers of Joe and Kuo (2008), as Boost has them. Its engine goes through the points in Gray code order,
/// x_n = XOR of v_b over the bits b of n XOR n/2, so that v_j = x_(2^j) XOR v_(j-1); with them any point is at hand.
void UnitSamples::find_directions() {
  const std::size_t n = streams_.size();
  if (n > most_sobol_variables)
    throw std::invalid_argument(
        fmt::format("{} variables are too many for Sobol points, which are there for {}; sample with random or latin-hypercube",
                    n, most_sobol_variables));
  if (n == 0) return;
  boost::random::sobol_engine<std::uint32_t, 32> engine(n);
  directions_.resize(n * sobol_bits);
  for (int j = 0; j < sobol_bits; ++j) {
    engine.seed((1u << j) - 1);  // what comes next is x_(2^j)
    for (std::size_t k = 0; k < n; ++k)
      directions_[k * sobol_bits + std::size_t(j)] = engine() ^ (j > 0 ? directions_[k * sobol_bits + std::size_t(j) - 1] : 0u);
  }
}

double UnitSamples::latin(std::size_t variable, std::uint32_t sample) const {
  return (strata_[variable][sample] + streams_[variable].uniform(sample)) / double(samples_);
}

double UnitSamples::sobol(std::size_t variable, std::uint32_t sample) const {
  std::uint32_t digits = 0;
  for (int j = 0; j < sobol_bits; ++j)
    if (sample >> j & 1u) digits ^= directions_[variable * sobol_bits + std::size_t(j)];
  // What lies beyond the digits is random: it is never an end of the interval.
  return (scrambled(digits, streams_[variable]) + streams_[variable].uniform(sample)) * 0x1p-32;
}

double UnitSamples::uniform(std::size_t variable, long sample) const {
  const auto number = std::uint32_t(sample);
  switch (sampling_) {
    case Sampling::random: break;
    case Sampling::latin_hypercube: return latin(variable, number);
    case Sampling::sobol: return sobol(variable, number);
  }
  return streams_[variable].uniform(number);
}

double UnitSamples::normal(std::size_t variable, long sample) const {
  return sampling_ == Sampling::random ? streams_[variable].normal(std::uint32_t(sample))
                                       : normal_quantile(uniform(variable, sample));
}

double normal_quantile(double p) { return -1.4142135623730951 * boost::math::erfc_inv(2 * p); }

}  // namespace polhode::study
