#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/autocorrelation.h"
#include "polhode/study/simulate.h"

/// States as a heat bath leaves them: Monte Carlo in the sense of the Simbody theory manual, 1.2.
namespace polhode::study {

/// How to go from one state to the next.
enum class Proposal {
  hybrid,     ///< along a motion with speeds drawn anew (Duane, Kennedy, Pendleton, Roweth 1987)
  metropolis  ///< by a random displacement of all coordinates (Metropolis and others 1953)
};

/// How many states, and how the chains go.
struct CanonicalOptions {
  double temperature = 1;                 ///< k T [J]
  Proposal proposal = Proposal::hybrid;   ///< of every step of a chain
  long samples = 4000;                    ///< states to keep, of all chains together
  int chains = 4;                         ///< that begin at the same state with other random numbers
  long discard = 500;                     ///< proposals of each chain before the first state that is kept
  long every = 1;                         ///< proposals from one kept state to the next
  std::optional<double> step{};           ///< [s]; without one, each chain finds its own while it discards
  int most_steps = 20;                    ///< of a proposed motion; how many is drawn for each, from 1 to this
  std::uint64_t seed = 1;                 ///< of all random numbers
  int threads = 0;                        ///< 0: as many as there are cores
  std::vector<std::string> quantities{};  ///< further ones to keep, as Quantity takes them
  std::function<bool()> interrupted{};    ///< asked now and then, by all threads
};

/// One kept state.
struct CanonicalSample {
  int chain = 0;                      ///< which one it is of, from 0
  std::vector<double> q, u;           ///< coordinates and speeds
  double kinetic = 0, potential = 0;  ///< [J]
  std::vector<double> quantities;     ///< those asked for
};

/// The states, and what they say.
struct CanonicalResult {
  std::vector<CanonicalSample> samples;  ///< chain after chain
  int freedoms = 0;                      ///< speeds less independent constraint equations
  double accepted = 0;                   ///< part of the proposals after the discarded ones
  double failed = 0;          ///< part of them whose motion could not be computed, or not back again; they are rejected
  std::vector<double> steps;  ///< by chain [s]
  ChainStatistics kinetic, potential;       ///< of the energies [J]
  std::vector<ChainStatistics> quantities;  ///< in the order asked for
  std::vector<std::string> warnings;        ///< chains that are too short or do not agree, steps that are too long
  bool interrupted = false;                 ///< the chains were asked to end
  double wall_time = 0;                     ///< [s]
};

/// Everything in the mechanism that has no canonical distribution, or that these chains cannot follow.
std::vector<Problem> not_canonical(const Mechanism& mechanism);

/// Draws (q, u) with the density exp(-H/kT) over coordinates and momenta, H being the exact energy, where constraints hold over
/// the positions and speeds that they allow. Motions are steps of tree-variational, which keep volume and can be reversed, so
/// that accepting by H leaves no error of their size. The state is assembled first. Throws ModelError with what not_canonical
/// finds, std::invalid_argument for options that make no sense.
CanonicalResult sample_canonical(const State& start, const CanonicalOptions& options, const Progress& progress = {});

}  // namespace polhode::study
