#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polhode/study/sampling.h"

/// What a sweep varies: every combination of some values, each with samples of some random variables.
namespace polhode::study {

inline constexpr long most_runs = 1'000'000;  ///< of one sweep: beyond it the table would not fit people's machines

/// Equally spaced values from first to last, or a list of them.
struct Range {
  std::string name;
  double first = 0, last = 0;
  long count = 0;
  std::vector<double> list{};  ///< instead, if it is not empty

  long size() const { return list.empty() ? count : long(list.size()); }
  double operator[](long i) const;
};

struct Distribution {
  enum class Kind { normal, uniform };
  std::string name;
  Kind kind = Kind::normal;
  double a = 0, b = 1;  ///< mean and standard deviation, or the ends of the interval
};

/// Throws std::invalid_argument for a distribution that is none.
void check(const Distribution& distribution);
/// By distribution: its sample of that number.
std::vector<double> draw(const std::vector<Distribution>& distributions, const UnitSamples& samples, long sample);

class Plan {
 public:
  /// Without distributions there is one run for each combination of the ranges' values, the last range changing fastest. With
  /// them there are so many samples for each combination, the same ones for all. Throws std::invalid_argument for plans that
  /// are empty, too long, or name a variable twice.
  Plan(std::vector<Range> ranges, std::vector<Distribution> distributions, long samples, std::uint64_t seed,
       Sampling sampling = Sampling::random);

  long size() const { return size_; }
  long samples() const { return samples_; }
  std::uint64_t seed() const { return seed_; }
  bool is_random() const { return !distributions_.empty(); }
  Sampling sampling() const { return sampling_; }
  /// Of the variables: ranges first, then distributions.
  const std::vector<std::string>& names() const { return names_; }
  /// The variables' values in run i, from 0. They depend on nothing but the plan and i.
  std::vector<double> values(long i) const;

 private:
  std::vector<Range> ranges_;
  std::vector<Distribution> distributions_;
  long samples_, size_ = 1;
  std::uint64_t seed_;
  Sampling sampling_;
  std::vector<std::string> names_;
  UnitSamples unit_;
};

}  // namespace polhode::study
