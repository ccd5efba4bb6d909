#pragma once
#include <optional>

#include "polhode/stepping/step_clock.h"

namespace polhode::stepping {

/// How often steps are halved from the outset: as the last ones had to be, and less when they have gone well for a while.
class HalvingLevel {
 public:
  int level() const { return level_; }
  /// Before each whole step.
  void begin_step() {
    if (level_ == 0 || ++calm_ < patience_) return;
    --level_;
    calm_ = 0;
  }
  void succeeded(int halvings) { level_ = std::min(level_, halvings); }
  /// A step that was halved so often already has failed. The longer size is tried again after a while, the later the more often
  /// that was in vain; at once where that is not wanted to last.
  void failed(int halvings, bool lasts) {
    patience_ = calm_ == 0 ? std::min(2 * patience_, 64) : 1;
    calm_ = 0;
    if (lasts) level_ = halvings + 1;
  }

 private:
  int level_ = 0;
  int calm_ = 0, patience_ = 1;  // steps since then, and after how many a longer one is tried
};

/// What methods share that do not judge a step by its error: one that fails is taken as two of half the size, and these again.
/// Steps are of one size, or of one that is chosen before each of them.
class HalvingStepper : public Stepper {
 public:
  StepReport step(double t_limit) final;
  const StepStatistics& statistics() const final { return statistics_; }

 protected:
  HalvingStepper(double step, int max_halvings) : whole_(step), max_halvings_(max_halvings) {}

  /// After set(): steps are counted from here.
  void start_clock(double t);

  /// Keeps the state, by how often the step at hand was halved; 0 is the start of the whole step.
  virtual void save(int halvings) = 0;
  virtual void go_back(int halvings) = 0;
  /// From the state at t over h, without halving. False leaves rubble in the state.
  virtual bool attempt(double t, double h, int halvings) = 0;
  /// A whole step has ended at t.
  virtual void arrive(double t) = 0;
  /// [s] Where steps are not of one size: of the one that starts at time(). Nothing otherwise.
  virtual std::optional<double> choose_step() { return std::nullopt; }
  /// Whether the steps after one that had to be halved are halved from the outset.
  virtual bool halving_lasts() const { return true; }
  /// Of a step that could not be taken in any way; the state is the one before it.
  virtual StepReport failed(double h) const = 0;

  int max_halvings() const { return max_halvings_; }
  void remember_steps(Memory& memory) { memory(statistics_, clock_, halving_); }

  StepStatistics statistics_;

 private:
  bool advance(double t, double h, int halvings);

  double whole_;
  int max_halvings_;
  StepClock clock_;
  HalvingLevel halving_;
  bool was_halved_ = false;
};

}  // namespace polhode::stepping
