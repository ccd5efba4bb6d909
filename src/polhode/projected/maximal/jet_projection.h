#pragma once
#include <optional>
#include <vector>

#include "polhode/projected/maximal/jet_invariants.h"
#include "polhode/projected/maximal/jet_orthogonal.h"
#include "polhode/projected/maximal/jet_system.h"

namespace polhode::projected {

/// What came of bringing a point of the jet space onto the manifolds.
enum class JetOutcome { done, not_finite, no_convergence };

/// Projections onto Mtheta, Mhc and Minv (Tuomela, Arponen & Normi, section 5.2).
///
/// Quasi-orthogonal, algorithms 5.3 to 5.5: y goes to the nearest point of Mg (5.3), then y1 to the nearest tangent vector
/// there (5.4). Newton's iterates stay on Mtheta: their directions are tangent to it, so Mtheta and Mg are met together and
/// need no turns. Invariants are restored along their gradients, made tangent to Mtheta and Mhc first, which ends the slow
/// convergence of algorithm 5.5 that the paper's conclusion names.
///
/// Orthogonal: the nearest point (y, y1) of all three at once, (5.1), (5.2) and (5.5) together (jet_orthogonal.h).
///
/// After either the system is placed and linearized at the point reached.
class JetProjection {
 public:
  enum class Kind { quasi, orthogonal };

  JetProjection(JetSystem& system, JetInvariants& invariants, Kind kind, double tolerance);

  /// Onto Mtheta and Mhc, to this tolerance.
  JetOutcome onto_constraints(double t, double* y, double* y1, double tolerance, JetCounters& counters);
  JetOutcome onto_constraints(double t, double* y, double* y1, JetCounters& counters) {
    return onto_constraints(t, y, y1, tolerance_, counters);
  }
  /// Onto Mtheta, Mhc and Minv, work being W_ext there. Where restoring the invariants would move a number x of the point by
  /// more than most_change (1 + |x|), or is not possible at all, as where a mechanism comes to rest, they are left as they are.
  /// Near the point of the last onto_all(), very near, its matrices and directions serve again.
  enum class Point { elsewhere, near_last };
  JetOutcome onto_all(double t, double* y, double* y1, double work, double most_change, JetCounters& counters,
                      Point point = Point::elsewhere);
  /// Whether the last onto_all() has met the invariants.
  bool restored() const { return restored_; }
  /// Whether the last projection that did not converge came as near to the rows as numbers of six digits let them be met, and
  /// no nearer.
  bool ended_at_gaps() const { return ended_at_gaps_; }

 private:
  // What the metric's matrix was last factorised for, near the point: positions, where velocity rows have no say, or
  // velocities. Without velocity rows it is the same.
  enum class Factored { nothing, positions, velocities };

  JetOutcome constraints(double t, double* y, double* y1, double tolerance, JetCounters& counters);
  JetOutcome positions(double t, double* y, double* y1, double tolerance, JetCounters& counters);
  JetOutcome velocities(double t, double* y, double* y1, double tolerance);
  JetOutcome invariants(double t, double* y, double* y1, double work, double most_change, JetCounters& counters);
  bool restore(int m, double t, double* y, double* y1, double work, double most_change, JetCounters& counters);
  bool directions(JetCounters& counters);
  bool is_factored_for(Factored wanted) const {
    return factored_ == wanted || (factored_ != Factored::nothing && !system_.rows().any_velocity_rows());
  }
  bool factor_for(Factored wanted);
  double beyond_gaps(JetSystem::Level level, double error) const;
  double largest_change(const double* y, const double* y1) const;

  JetSystem& system_;
  JetInvariants& invariants_;
  Kind kind_;
  double tolerance_;
  std::optional<JetOrthogonal> orthogonal_;
  Factored factored_ = Factored::nothing;
  bool have_directions_ = false;
  bool restored_ = true, ended_at_gaps_ = false;
  long iterations_ = 0;
  std::vector<double> a_, y0_, y10_, before_, before1_, x_, shift_;
  // By invariant: gradients and directions of positions and velocities, one after another.
  std::vector<double> gradients_, directions_, slopes_, matrix_, f_, f_new_, c_, dc_;
};

}  // namespace polhode::projected
