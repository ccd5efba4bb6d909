#pragma once
#include <vector>

#include "polhode/state/stepper.h"

namespace polhode::stepping {

/// What methods of high order share: where a signal breaks, a step ends and the next one starts afresh, for their formulas hold
/// on smooth pieces only. A failure, too, starts the next step afresh.
class PiecewiseStepper : public Stepper {
 public:
  double time() const final { return t1_; }
  StepReport step(double t_limit) final;
  const StepStatistics& statistics() const final { return statistics_; }

 protected:
  explicit PiecewiseStepper(const Mechanism& mechanism);

  /// After set(): the last step went from t to t.
  void start_pieces(double t);
  /// One step from t1 that ends at or before t_limit. Nothing of the state may change before the step is accepted.
  virtual StepReport advance(double t_limit) = 0;
  /// Nothing of former steps may be used.
  virtual void restart() = 0;
  /// What a signal makes jump at t1, or -1: an impulse, of which these equations know nothing.
  virtual int find_jump() = 0;
  virtual StepReport refuse_jump(int jump) = 0;

  void count_step(double h);
  void remember_pieces(Memory& memory) { memory(statistics_, t0_, t1_, jump_); }

  double t0_ = 0, t1_ = 0;             // the last step went from t0 to t1
  double t_most_ = 0;                  // the step's signals are looked at no later: at a break they are those of the next piece
  mutable StepStatistics statistics_;  // mutable: interpolants may evaluate, and count

 private:
  std::vector<double> breaks_;
  int jump_ = -1;
};

}  // namespace polhode::stepping
