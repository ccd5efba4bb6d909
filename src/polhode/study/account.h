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

/// The largest constraint error of a state, of the constraints that it has enabled.
class ConstraintError {
 public:
  explicit ConstraintError(const State& start);
  int num_rows() const { return constraints_.num_rows(); }
  int num_velocity_rows() const { return constraints_.num_rows(RowLevel::velocity); }
  /// Leaves positions in the workspace. 0 where nothing is constrained.
  double operator()(tree::Workspace& workspace, const State& state);
  /// The same where the workspace has the state's kinematics() already. The state knows it from then on.
  double after_kinematics(tree::Workspace& workspace, State& state);
  /// Of the equations between velocities; needs the state's kinematics() in the workspace.
  struct Velocity {
    double error = 0;
    int row = -1;
  };
  Velocity of_velocities(tree::Workspace& workspace, const State& state);
  std::string row_name(int row) const { return constraints_.row_name(row); }

 private:
  void size_for_rows();
  void follow(const State& state);
  double largest(tree::Workspace& workspace, const State& state);

  tree::Constraints constraints_;
  std::vector<double> errors_;
  bool has_velocity_rows_ = false;
};

/// The components of the total momentum that a symmetry keeps, unless forces from outside are applied to this state.
std::vector<tree::KeptMomentum> kept_momenta_of(const State& state);

/// Keeps a summary's account of the states that are reported.
class Account {
 public:
  /// Keeps references to the summary and to the reporter.
  Account(const State& start, SimulateSummary& summary, const Reporter& report);

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

  tree::Workspace workspace_;
  ConstraintError constraint_error_;
  std::vector<tree::KeptMomentum> kept_;
  std::vector<double> kept_at_start_;
  LineFit energies_;
  SimulateSummary& summary_;
  const Reporter& report_;
  bool measured_ = false, conservative_;
  double energy_seen_;  ///< the most that was kinetic or potential [J]
  double last_measured_ = 0, last_reported_ = 0;
};

}  // namespace polhode::study
