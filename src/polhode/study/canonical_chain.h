#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "polhode/study/canonical.h"
#include "polhode/study/random.h"
#include "polhode/variational/tree/midpoint_step.h"
#include "polhode/variational/tree/momentum_map.h"

namespace polhode::study {

/// One Markov chain over the states of a mechanism. Its random numbers depend on the seed, its own number and the proposal's.
class CanonicalChain {
 public:
  CanonicalChain(const State& start, const CanonicalOptions& options, int number);

  /// One proposal, accepted or not.
  void propose();
  /// The same, after which the step is made longer or shorter.
  void propose_and_tune();
  /// Keeps the step from now on, and counts anew.
  void settle();

  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& u() const { return u_; }
  double kinetic() const { return kinetic_; }
  double potential() const { return potential_; }
  double step() const { return step_; }
  long proposals() const { return proposals_; }
  long accepted() const { return accepted_; }
  long failed() const { return failed_; }

 private:
  using Numbers = std::vector<double>;
  struct Energies {
    double kinetic = 0, potential = 0;
    double total() const { return kinetic + potential; }
  };

  void draw_momenta();
  /// From (q, p) by so many steps of h; false where one cannot be computed or is not resolved.
  bool move(double h, int steps, Numbers& q, Numbers& p);
  bool returns(double h, int steps);
  bool displace();
  void keep_in_tangent(const Numbers& q, Numbers& p, Numbers& u);
  Energies energies(const Numbers& q, const Numbers& u);
  bool turns_too_much(double h) const;

  Mechanism mechanism_;
  CanonicalOptions options_;
  variational::MidpointStep midpoint_;
  variational::MomentumMap map_;
  tree::Workspace workspace_;
  std::vector<RandomStream> speeds_, shifts_;  // by speed
  RandomStream verdicts_, lengths_;
  Numbers applied_, shift_scale_;
  std::vector<char> turning_;  // by speed: of a joint that does not only slide

  double step_;
  double log_step_ = 0, later_steps_ = 0;  // logarithms: of the step while it is tuned, and the sum of the later ones
  long later_ = 0;
  std::uint32_t number_ = 0;  // of the proposal, over the chain's life
  long tuned_ = 0, proposals_ = 0, accepted_ = 0, failed_ = 0;
  double probability_ = 0;    // that the last proposal had to be accepted
  bool last_failed_ = false;  // its motion could not be computed, or not back again
  Numbers q_, u_;
  double kinetic_ = 0, potential_ = 0;
  // Work.
  Numbers p_, q1_, p1_, u1_, q_next_, p_next_, q_back_, p_back_, theta_, theta_before_, lambda_, shift_;
  Eigen::MatrixXd mass_;
  Eigen::VectorXd normal_;
};

}  // namespace polhode::study
