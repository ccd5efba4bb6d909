#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/state/outside.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/dynamics.h"

namespace polhode::tree {

struct RelaxationOptions {
  double tolerance = 1e-10;  ///< on the last correction of each coordinate [rad] or [m], relative to 1 + |q|
  int max_iterations = 60;
};

struct RelaxationReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< largest generalized force on a fast coordinate that is left [N], [N m]
  int coordinate = -1;  ///< the one on which it is, or -1 when there are none
};

/// Puts fast coordinates where the forces on them balance, with everything else as it is (Simbody theory manual (8.89)
/// and 10.4.2):
///   tau_k(t, q, u, z) + gravity_k(q) = 0  for every fast speed k, with u_k = 0; inertia forces do not count.
/// Newton with a Jacobian by central differences. Where the stiffness -d(tau)/dq is not positive definite it is made so by a
/// multiple of its scale, which turns the step downhill: it ends at equilibria that are stable. Starts from the q it is given.
///
/// Which coordinates are fast, and what acts from outside, are those of the State that was set. Constraints on
/// what fast coordinates move are refused by ModelError. Beside that nothing allocates or throws after construction.
class Relaxation {
 public:
  explicit Relaxation(const State& state, const RelaxationOptions& options = {});
  /// For another state of the mechanism: when locks or applied forces have changed.
  void set(const State& state);

  bool any() const { return !fast_.empty(); }
  /// What acts from outside from now on.
  void set(const Outside& outside) { outside_ = outside; }
  /// Changes the fast coordinates and sets their speeds to 0. After a failure q is the best that was found.
  RelaxationReport relax(Workspace& w, double t, NumbersOut q, NumbersOut u, Numbers z = {});
  /// The outcome in words: what is left, and where.
  std::string explain(double t, const RelaxationReport& report) const;

 private:
  struct Axis {
    int q, u;
  };
  void refuse_constraints() const;
  void evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, std::vector<double>& r);
  void differentiate(Workspace& w, double t, NumbersOut q, Numbers u, Numbers z);
  /// Solves (K + shift) step = r with the least shift that makes its symmetric part positive definite; false if none does.
  bool find_step(bool& shifted);
  bool is_positive_definite(double shift);
  bool solve(double shift);

  Mechanism mechanism_;
  RelaxationOptions options_;
  std::optional<Constraints> constraints_;  // all of the mechanism's, where it has fast coordinates
  std::vector<Axis> fast_;
  Outside outside_;
  std::vector<double> tau_, bias_, rest_;
  std::vector<double> r_, r_plus_, r_minus_, rounding_, step_, before_, scale_, K_, work_;
};

}  // namespace polhode::tree
