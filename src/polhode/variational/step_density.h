#pragma once
#include <optional>

#include "polhode/state/memory.h"
#include "polhode/state/stepper.h"
#include "polhode/tree/constrained_dynamics.h"

namespace polhode::variational {

/// Steps whose sizes follow the motion and yet are the same on the way back: the step density rho of Hairer & Soderlind, h =
/// eps/rho, goes from step to step by
///   rho_(n+1/2) = rho_(n-1/2) + eps G(q_n, u_n),     G = d(log Q)/dt along the motion,
/// which reads the same backwards, since G changes its sign with the velocities. So a symmetric method stays symmetric and
/// reversible, and rho follows Q, a function of the state: the rate at which the motion swings there [1/s].
///
/// Q^2 = x is the positive root of  V x^3 + A x^2 = J x + S,  with V, A, J, S the squares of the velocity and its first three
/// derivatives as the mass matrix measures them. It is exactly the square of the frequency of a single oscillator, in every
/// phase and at every amplitude, finite wherever something moves, and smooth.
///
/// The accuracy is the relative error that the midpoint rule makes in an oscillator's frequency, (h Q)^2/12; RATTLE makes half
/// of it. So eps = (12 accuracy)^(1/order).
class StepDensity {
 public:
  using Numbers = std::span<const double>;

  struct Wanted {
    double accuracy;
    int order;
    double largest_step;  ///< [s]
  };
  static constexpr double usual_accuracy = 1e-4, usual_largest_step = 0.1;
  static Wanted wanted(std::optional<double> accuracy, std::optional<double> largest_step, int order) {
    return {accuracy.value_or(usual_accuracy), order, largest_step.value_or(usual_largest_step)};
  }
  /// Follows the mechanism of the state, with what is enabled and what acts there.
  StepDensity(const State& state, const Wanted& wanted);

  const Wanted& in_force() const { return wanted_; }

  /// The motion starts anew, here.
  void set(const State& state);
  /// The same where only the motion has jumped.
  void restart() { known_ = false; }
  /// What acts from outside from now on.
  void change(const Outside& outside) { dynamics_.set(outside); }

  /// [s] Of the step that starts here. The same again until it was taken. Allocates nothing.
  double propose(double t, Numbers q, Numbers u, Numbers z);
  /// The step that was proposed has been taken, or only a part of it.
  void took(double h);

  /// How often rho was set to Q anew, since it had gone too far from it: what that breaks is reversibility.
  long resets() const { return resets_; }
  static Counter resets_counter(long resets) {
    return {"step densities set anew", resets, "how often steps had gone too far from what the motion asks for"};
  }
  /// Of the last propose(): Q [1/s].
  double rate() const { return rate_; }

  void remember(Memory& memory, const Outside& outside) {
    memory(known_, density_, proposed_, taken_, weakest_, resets_);
    if (memory.restores()) dynamics_.set(outside);
  }

 private:
  double rate_at(double t, Numbers q, Numbers u, double delta);
  double log_slope(double t, Numbers q, Numbers u, double delta);
  void accelerate(double t, Numbers q, Numbers u, std::vector<double>& a);
  /// q (+) (s u + s^2/2 a), u + s a.
  void advance(Numbers q, Numbers u, Numbers a, double s, std::vector<double>& q1, std::vector<double>& u1);
  double square(const std::vector<double>& x);
  double difference(double rate) const;
  void find_weakest(double t, Numbers q, Numbers u);

  tree::ConstrainedDynamics dynamics_;
  tree::Workspace workspace_;
  Wanted wanted_;
  double eps_, largest_step_;
  double weakest_ = 0;  // what squares of accelerations are rounding
  bool known_ = false;
  double density_ = 0, proposed_ = 0;  // of the last step and of the next one [1/s]
  double taken_ = 0;                   // of eps, by the last step
  double rate_ = 0;
  long resets_ = 0;
  struct Motion {
    std::vector<double> q, u;
  };
  Motion near_, nearer_;
  std::vector<double> z_, z_dot_;  // of auxiliary states, where the step starts: they count as at rest
  std::vector<double> step_, a_here_, a_, a_ahead_, a_behind_, momentum_, u_;
};

}  // namespace polhode::variational
