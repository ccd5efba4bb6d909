#pragma once
#include <vector>

#include "polhode/projected/flat_wheels.h"
#include "polhode/projected/maximal/jet_parts.h"
#include "polhode/projected/tableaux.h"

namespace polhode::projected {

/// What came of an attempt at a step, or of a step.
enum class JetStepOutcome { done, not_finite, no_inertia, off_constraints, jump, too_long, flat_wheel, let_go };

/// What is wanted of an attempt.
struct JetAttempt {
  enum class Solutions { one, both };            ///< of order 5; and of order 4, for the error
  enum class Doubts { none, about_invariants };  ///< where the error is too large, whether restoring invariants made it so
  Solutions solutions = Solutions::both;
  Doubts doubts = Doubts::none;
};

/// A step of Dormand and Prince's method of order 5 along the distribution (1, y1, y2) of Tuomela, Arponen & Normi's algorithm
/// 3.2, with W_ext. Every stage is projected onto Mtheta and Mhc, and both solutions onto Minv too, if that can be. A point is
/// x = (y, y1, z, W_ext) with the auxiliary states z, which no manifold holds. Does not allocate between restarts.
class JetStep {
 public:
  using Vector = std::vector<double>;
  using Outcome = JetStepOutcome;
  using Tableau = DormandPrince54;
  using Solutions = JetAttempt::Solutions;

  /// Where a step begins, in tree coordinates: angles are counted on from there.
  struct From {
    double t;       ///< [s]
    double t_most;  ///< signals are looked at no later
    std::span<const double> q, u;
    std::span<const double> u_dot;  ///< about, over the last step: a joint may gain full turns within a step
    const maximal::Bodies& bodies;
  };

  JetStep(const Mechanism& mechanism, const MaximalProjectedOptions& options);

  /// Points get their sizes; `end` is the first one.
  void restart(JetParts& parts, const State& state, const maximal::Bodies& bodies);
  /// Points of the last step.
  Vector& start() { return x0_; }
  const Vector& start() const { return x0_; }
  Vector& end() { return x1_; }
  const Vector& end() const { return x1_; }
  /// The last step's end, with its slope, becomes the next one's start.
  void go_on();
  /// Auxiliary states of a point.
  static std::span<const double> z_of(const JetParts& parts, const Vector& x) {
    return {x.data() + 2 * parts.n(), std::size_t(parts.system.num_z())};
  }
  /// The slope at the start.
  Outcome slope_at_start(JetParts& parts, double t, JetCounters& counters);

  Outcome attempt(JetParts& parts, const From& from, double h, const JetAttempt& wanted, JetCounters& counters);
  enum class Invariants { let_be, restored };
  /// The end of the step from the slopes of the last attempt.
  Outcome arrive(JetParts& parts, const From& from, double h, Solutions solutions, Invariants invariants,
                 JetCounters& counters);
  /// Whether the invariants were met where the last attempt ended.
  bool restored() const { return restored_; }
  /// In units of what is allowed.
  double error() const { return error_; }
  /// The attempt was the step.
  void accept() { x1_.swap(x_new_); }

  struct Times {
    double begin, end;  ///< [s]
  };
  /// The point of the last step at t, near some coordinates; in memory of this object's.
  const Vector& interpolate(JetParts& parts, const Times& step, double t, std::span<const double> near);
  /// Angles are counted on from where steady turning would have brought them `time` after `from`: a step may take more than
  /// half a turn. Near a gimbal's singular place no angle turns steadily.
  void predict(const From& from, double time, Vector& q) const;
  /// Whether the last attempt knows how many full turns joints have made in it.
  bool turns_are_counted(JetParts& parts, const From& from, double h);

  /// How far restoring invariants may move a point.
  double most_change() const;

  /// Of the wheel that lay flat, the last time.
  const std::string& wheel_name() const { return wheels_.name(); }
  void remember(Memory& memory) { memory(x0_, x1_, slopes_, restored_, error_); }

 private:
  Outcome slope(JetParts& parts, double t, const double* x, double* x_dot, JetCounters& counters);
  double* k(int i) { return slopes_.data() + std::size_t(i) * x0_.size(); }
  double error_norm(const JetParts& parts, const double* a, const double* b) const;
  double stage_tolerance() const;

  MaximalProjectedOptions options_;
  maximal::TreeMap map_;
  FlatWheels wheels_;
  Vector x0_, x1_, slopes_, x_, x_new_, x_hat_, q_, u_;
  maximal::Bodies bodies_;
  bool restored_ = true;
  double error_ = 0;
};

}  // namespace polhode::projected
