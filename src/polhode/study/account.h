#pragma once
#include <vector>

#include "polhode/study/simulate.h"
#include "polhode/tree/symmetry.h"
#include "polhode/tree/workspace.h"

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

/// The components of the total momentum that a symmetry keeps, unless forces from outside are applied to this state.
std::vector<tree::KeptMomentum> kept_momenta_of(const State& state);

/// Keeps a summary's account of the states that are reported.
class Account {
 public:
  /// Called with each state before it is reported; false when it cannot be, which the summary then says.
  using Preparer = std::function<bool(State&)>;

  /// Keeps references to the summary and to the reporter.
  Account(const State& start, SimulateSummary& summary, const Reporter& report, Preparer prepare = {});

  /// Not once more what was reported last. A state whose energy is no number is a failure and is not reported.
  void add(State& state);
  /// The two halves of add(): for runs whose account is kept at steps and whose reports come at other times.
  void measure(State& state);
  void report(State& state);
  /// Events have changed the state: what it had of energy and momentum changes with it, and that is no error.
  void jump(State& before, State& after);
  /// The account so far, that in the summary too, to be kept or given back.
  void remember(Memory& memory);

 private:
  /// Realizes velocities; the workspace then has the state's kinematics.
  bool is_finite(State& state);
  /// A mechanism that keeps its energy and has many times what was ever there is a failure.
  void watch_energy(const State& state, double own);
  void note_momentum(const Wrench<double>& momentum);
  void note_velocity_errors(const State& state);

  tree::Workspace workspace_;
  std::vector<tree::KeptMomentum> kept_;
  std::vector<double> kept_at_start_;
  LineFit energies_;
  SimulateSummary& summary_;
  const Reporter& report_;
  Preparer prepare_;
  bool measured_ = false, conservative_;
  double energy_seen_;  ///< the most that was kinetic or potential [J]
  double last_measured_ = 0, last_reported_ = 0;
};

}  // namespace polhode::study
