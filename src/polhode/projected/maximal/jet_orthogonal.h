#pragma once
#include <optional>
#include <vector>

#include "polhode/projected/maximal/jet_invariants.h"

namespace polhode::projected {

/// The nearest point (y, y1) of Mtheta, Mhc and Minv to a point (a, a1) of the jet space: Tuomela, Arponen & Normi (5.1), (5.2)
/// and (5.5) as one problem, least |y - a|^2 + |y1 - a1|^2 with
///
///   g = 0,   dg y1 + g_t = 0,   f_inv = 0.
///
/// Newton's method without the second derivatives that multipliers weigh, which vanish with the distance: where it has
/// converged, the first-order conditions hold as they are. The matrix has two nodes for each body and two for each element; the
/// new block is C = d2g(y1, .), the derivative of dg along y1, found by a central difference. Velocity rows that come from no
/// position row have no such C here: what they say of y is left out of the conditions.
class JetOrthogonal {
 public:
  JetOrthogonal(JetSystem& system, JetInvariants& invariants, double tolerance);

  /// work: W_ext when invariants are to hold too, or nothing. False when Newton does not converge.
  bool project(double t, double* y, double* y1, const double* work, JetCounters& counters, long& iterations);

 private:
  struct Links {
    double *gradient, *gradient_t;  // (velocity of the body, velocity rows)
    double *curved, *curved_t;      // (position of the body, velocity rows)
    double *position, *position_t;  // (position of the body, position rows); none where the node has none
  };

  static linear::BlockGraph graph_of(const JetSystem& system);
  bool factor();
  void hold_inactive_rows();
  /// C, by the same places as the Jacobian.
  void second_differential(double t, const double* y, const double* y1, JetCounters& counters);
  void right_hand_side(const double* y, const double* y1);
  /// Adds the multipliers of invariants to the solution; (5.5).
  bool meet_invariants(JetCounters& counters);

  int num_bodies() const { return system_.coordinates().num_bodies(); }
  int velocity_rows(int group) const { return 2 * num_bodies() + group; }

  JetSystem& system_;
  JetInvariants& invariants_;
  double tolerance_;
  linear::BlockLdu ldu_;
  std::vector<int> position_rows_;  // by group of the rows, which is a node by itself: the other node, or -1
  std::vector<Links> links_;        // by block of the rows
  std::size_t unknowns_;
  std::vector<double> a_, a1_, difference_, scratch_y1_, curved_, x_, borders_, gradients_, f_, matrix_, velocities_;
};

}  // namespace polhode::projected
