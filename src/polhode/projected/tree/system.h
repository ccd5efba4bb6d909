#pragma once
#include <string>
#include <vector>

#include "polhode/projected/tree/charts.h"
#include "polhode/projected/tree/options.h"
#include "polhode/state/state.h"
#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/projection.h"
#include "polhode/tree/relax.h"
#include "polhode/tree/require_met.h"
#include "polhode/tree/workspace.h"

namespace polhode::projected {

/// The equations of motion as integrators see them (Simbody theory manual (10.15)-(10.17)): y = {q, u, z}, dy/dt = f(t, y),
/// with what must hold of y besides: driven coordinates and speeds, constraints, fast variables in balance. Numbers are plain
/// arrays of the mechanism's sizes; nothing here allocates after it is made.
class System {
 public:
  System(const Mechanism& mechanism, const Options& options);

  const Mechanism& mechanism() const { return mechanism_; }
  const Charts& charts() const { return charts_; }
  int num_q() const { return mechanism_.num_q(); }
  int num_chart() const { return mechanism_.num_chart(); }
  int num_u() const { return mechanism_.num_u(); }
  int num_z() const { return mechanism_.num_z(); }

  /// Takes from a state what does not change in a step: enabled constraints, locks, discrete values, applied forces.
  void set(const State& state);
  /// What acts from outside from now on; nothing else changes, and nothing is allocated.
  void set(const Outside& outside);
  /// Throws std::invalid_argument where the state that was set misses its constraints.
  void require_met(const State& state);
  /// Whether states have to be projected or prescribed at all.
  bool is_free() const { return !moves_by_itself_ && num_rows() == 0; }
  bool has_fast() const { return relaxation_.any(); }
  int num_rows() const { return dynamics_.constraints().num_rows(); }

  /// du/dt and dz/dt; false when one of them is not finite.
  bool derivatives(double t, const double* q, const double* u, const double* z, double* u_dot, double* z_dot);
  /// By speed: the forces that the last derivatives() needs to move driven speeds; empty where none is driven.
  std::span<const double> motion_forces() const;

  /// Driven coordinates and speeds, then fast ones, for a stage in the middle of a step, which is not projected.
  bool prescribe(double t, double* q, double* u, const double* z);
  /// The speed that its signal makes jump at t, or -1: an impulse, of which these equations know nothing. Where all speeds are
  /// driven it does no harm.
  int jumping_speed(double t, const double* q);
  /// The same with projections, at the end of a step (10.4.1): prescribe q, project q, prescribe u, project u, relax.
  bool project(double t, double* q, double* u, const double* z);
  /// How far the last project() moved any coordinate to meet the constraints [rad], [m].
  double moved() const { return moved_; }
  /// Takes out of an error estimate what prescribing and projecting have done away with (10.12), (10.14). At the q of the last
  /// project(). The error of q is given in chart coordinates.
  void project_error(double* e_chart, double* e_u);
  /// The same with both errors along the speeds.
  void project_error_along_speeds(double* e_q, double* e_u);
  /// Why prescribe() or project() was false, in words.
  std::string explain(double t) const;

  /// The largest of the norms of errors in q (as chart coordinates), u and z, in units of the accuracy (Simbody theory
  /// manual 9.2): absolute for q, relative to max(unit, |.|) of the two given values for u and z.
  double error_norm(const double* e_chart, const double* e_u, const double* e_z, const double* uz0, const double* uz1) const;
  /// By chart coordinate, and by speed and then z: what counts as one unit.
  std::span<const double> unit_chart() const { return unit_chart_; }
  std::span<const double> unit_uz() const { return unit_uz_; }

 private:
  double norm(const double* e, int n) const;
  double relative_norm(const double* e, const double* a, const double* b, const double* unit, int n) const;
  bool relax(double t, double* q, double* u, const double* z);
  bool failed(const tree::Projection::Outcome& outcome, const char* what);

  Mechanism mechanism_;
  Options options_;
  Charts charts_;
  tree::Workspace workspace_;
  tree::ConstrainedDynamics dynamics_;
  tree::Projection projection_;
  tree::Relaxation relaxation_;
  bool moves_by_itself_ = false;
  std::vector<int> chart_of_speed_;
  std::vector<double> unit_chart_, unit_uz_, along_, before_;
  std::vector<double> q_before_;
  double moved_ = 0;
  std::vector<double> held_inertias_, free_inertias_;  // by speed
  std::vector<double> errors_, values_;                // of constraints, by row and by entry
  // Of the last failure.
  tree::Projection::Outcome failure_{};
  tree::RelaxationReport relaxed_{};
  const char* failed_level_ = nullptr;  // none: it was relaxation
};

}  // namespace polhode::projected
