#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/study/random.h"

/// Points that fill a cube, one number between 0 and 1 for each variable.
namespace polhode::study {

/// How the samples of several variables are spread.
enum class Sampling {
  random,           ///< each by itself
  latin_hypercube,  ///< of N samples of a variable, one lies in each of N equal parts (McKay, Beckman, Conover 1979)
  sobol             ///< a net in all variables together (Sobol' 1967), scrambled as Owen (1995) does
};

inline constexpr int most_sobol_variables = 1000;  ///< the library has directions for 3667

/// The words for it: random, latin-hypercube, sobol.
const std::vector<std::string>& sampling_names();
/// Throws std::invalid_argument that lists them.
Sampling sampling_named(const std::string& name);
std::string name_of(Sampling sampling);

/// The samples of some variables. They are functions of the seed, the variable's name and the sample's number; with Latin
/// hypercubes also of how many samples there are, with Sobol points also of the variable's place among the others.
class UnitSamples {
 public:
  /// Throws std::invalid_argument for more variables than there are directions for.
  UnitSamples(Sampling sampling, std::vector<std::string> variables, long samples, std::uint64_t seed);

  /// Between 0 and 1, both excluded.
  double uniform(std::size_t variable, long sample) const;
  /// Normal with mean 0 and standard deviation 1.
  double normal(std::size_t variable, long sample) const;

 private:
  void find_directions();
  double latin(std::size_t variable, std::uint32_t sample) const;
  double sobol(std::size_t variable, std::uint32_t sample) const;

  Sampling sampling_;
  long samples_;
  std::vector<RandomStream> streams_;               // by variable
  std::vector<std::vector<std::uint32_t>> strata_;  // of Latin hypercubes, by variable and sample
  std::vector<std::uint32_t> directions_;           // of Sobol points: so many for each variable
};

/// The number below which a part p of all normal variables lies, p between 0 and 1.
double normal_quantile(double p);

}  // namespace polhode::study
