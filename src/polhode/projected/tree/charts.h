#pragma once
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::projected {

/// The joints' own coordinates theta around a configuration q0, in which integrators work (Munthe-Kaas): adding rates of
/// quaternions would leave the unit sphere, adding rotation vectors without dexp^-1 would fall to order two.
/// Most joints are flat: q = q0 + theta and d(theta)/dt = u. They are handled in runs of plain additions; only the others are
/// asked one by one.
class Charts {
 public:
  explicit Charts(const Mechanism& mechanism);

  /// q = q0 (+) theta.
  void retract(const double* q0, const double* theta, double* q) const;
  /// d(theta)/dt at q = q0 (+) theta when the speeds are u.
  void rates(const double* q, const double* theta, const double* u, double* theta_dot) const;
  /// The same for joints that are not flat only.
  void curved_rates(const double* q, const double* theta, const double* u, double* theta_dot) const;
  /// Brings coordinates that are redundant (quaternions) back to where they belong, q (+) 0.
  void normalize(double* q) const;
  bool all_flat() const { return curved_.empty(); }

  struct Curved {
    int joint, first_q, nq, first_chart, nchart, first_u, nu;
  };
  const std::vector<Curved>& curved() const { return curved_; }

 private:
  struct Run {
    int first_q, first_chart, first_u, size;
  };
  Mechanism mechanism_;
  std::vector<Run> flat_;
  std::vector<Curved> curved_;
};

}  // namespace polhode::projected
