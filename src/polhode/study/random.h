#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// Random numbers that are functions of what they are for, not of what was drawn before: the i-th sample of a variable is
/// the same on every machine, however many threads there are and whatever else is varied.
namespace polhode::study {

/// The counter-based generator Philox 4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers, SC 2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The samples of one variable.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view variable);

  /// Uniform between 0 and 1, both excluded.
  double uniform(std::uint32_t sample) const { return pair(sample, 0)[0]; }
  /// The same for those who need more than one for a sample: `part` tells them apart.
  double uniform(std::uint32_t sample, std::uint32_t part) const { return pair(sample, part)[0]; }
  /// Normal with mean 0 and standard deviation 1.
  double normal(std::uint32_t sample) const;

 private:
  std::array<double, 2> pair(std::uint32_t sample, std::uint32_t attempt) const;

  std::uint64_t seed_, stream_;
};

/// 0 to n - 1 in an order that the stream decides (Fisher and Yates).
std::vector<std::uint32_t> shuffled(std::uint32_t n, const RandomStream& random);

}  // namespace polhode::study
