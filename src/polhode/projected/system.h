#pragma once
#include <vector>

#include "polhode/projected/charts.h"
#include "polhode/projected/options.h"
#include "polhode/state/state.h"
#include "polhode/tree/workspace.h"

namespace polhode::projected {

/// The equations of motion as integrators see them (seed 002, (10.15)-(10.17)): y = {q, u, z}, dy/dt = f(t, y), with what
/// must hold of y besides. Numbers are plain arrays of the mechanism's sizes; nothing here allocates but set().
class System {
 public:
  System(const Mechanism& mechanism, const Options& options);

  const Mechanism& mechanism() const { return mechanism_; }
  const Charts& charts() const { return charts_; }
  int num_q() const { return mechanism_.num_q(); }
  int num_chart() const { return mechanism_.num_chart(); }
  int num_u() const { return mechanism_.num_u(); }
  int num_z() const { return mechanism_.num_z(); }

  /// Takes from a state what does not change in a step: the applied forces.
  void set(const State& state);

  /// du/dt and dz/dt; false when one of them is not finite.
  bool derivatives(double t, const double* q, const double* u, const double* z, double* u_dot, double* z_dot);

  /// The largest of the norms of errors in q (as chart coordinates), u and z, in units of the accuracy (seed 002, 9.2):
  /// absolute for q, relative to max(1, |.|) of the two given values for u and z.
  double error_norm(const double* e_chart, const double* e_u, const double* e_z, const double* uz0, const double* uz1) const;

 private:
  double norm(const double* e, int n) const;
  double relative_norm(const double* e, const double* a, const double* b, int n) const;

  Mechanism mechanism_;
  Options options_;
  Charts charts_;
  tree::Workspace workspace_;
  std::vector<double> applied_;
};

}  // namespace polhode::projected
