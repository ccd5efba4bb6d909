#pragma once
#include <vector>

#include "polhode/study/simulate.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/symmetry.h"

namespace polhode::study {

/// The slope of the straight line that fits best, from running means.
class LineFit {
 public:
  void add(double x, double y);
  double slope() const { return xx_ > 0 ? xy_ / xx_ : 0; }

 private:
  long count_ = 0;
  double mean_x_ = 0, mean_y_ = 0, xx_ = 0, xy_ = 0;
};

/// Keeps a summary's account of the states that are reported.
class Account {
 public:
  /// Keeps references to the summary and to the reporter.
  Account(const State& start, SimulateSummary& summary, const Reporter& report);

  /// Not once more what was reported last. A state whose energy is no number is a failure and is not reported.
  void add(State& state);
  /// Events have changed the state: what it had of energy and momentum changes with it, and that is no error.
  void jump(State before, State after);

 private:
  void note_momentum(const Wrench<double>& momentum);
  void note_constraints(const State& state);

  tree::Workspace workspace_;
  tree::Constraints constraints_;
  std::vector<tree::KeptMomentum> kept_;
  std::vector<double> kept_at_start_, errors_;
  std::vector<char> enabled_;  ///< which constraints_ has
  LineFit energies_;
  SimulateSummary& summary_;
  const Reporter& report_;
  double last_time_ = 0;
};

}  // namespace polhode::study
