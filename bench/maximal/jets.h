#pragma once
/// The three mechanisms of Tuomela, Arponen & Normi by maximal-projected.

#include <string>
#include <vector>

namespace polhode::bench {

struct JetRun {
  std::string model;  // its file in models/
  double accuracy;
  bool finished = false;
  std::string reason{};  // why it did not finish
  double seconds = 0;    // for ten seconds of motion; the least of the rounds
  long steps = 0, rejected = 0, evaluations = 0;
  double energy_span = 0;  // [J]; the torques that drive two of the mechanisms feed energy
  double constraint_error = 0;
};

/// Nothing if this version does not have the method.
std::vector<JetRun> run_jets(int rounds);

}  // namespace polhode::bench
