#pragma once
#include <algorithm>

#include "polhode/state/stepper.h"

namespace polhode::stepping {

/// What the next step is to be.
struct NextStep {
  double h = 0;       ///< [s]
  bool last = false;  ///< it ends at the limit
};

/// A step of about h from t. One that would stop short of the limit by rounding only is stretched to it, one that overshoots is
/// cut.
inline NextStep toward(double t_limit, double t, double h) {
  const double left = t_limit - t;
  const bool last = h >= left * (1 - 1e-9);
  return {last ? left : h, last};
}

/// Times of steps of one size.
class StepClock {
 public:
  /// Steps are counted from t on.
  void start(double t) {
    start_ = t;
    whole_steps_ = 0;
  }
  /// The next step from t, of size `whole` unless the limit is nearer; stretched and cut as by toward().
  static NextStep next(double t_limit, double t, double whole) {
    const double left = t_limit - t;
    const bool last = left < (1 + 1e-9) * whole;
    return {last ? left : whole, last};
  }
  /// Where that step ends, once it is taken. Times are multiples of the step, not sums of it: a million sums would drift.
  double pass(NextStep step, double t_limit, double whole) {
    if (!step.last) return start_ + double(++whole_steps_) * whole;
    start(t_limit);
    return t_limit;
  }

 private:
  double start_ = 0;
  long whole_steps_ = 0;
};

/// A limit that no step can end at: in the past, or not a number.
inline bool is_passed(double t_limit, double t) { return !(t_limit >= t); }
inline StepReport limit_passed(double t) { return {StepReport::Status::limit_passed, t, 0, 0, -1}; }

/// Sizes of accepted steps.
inline void note_size(double h, StepStatistics& statistics) {
  const bool first = statistics.largest_step == 0;
  statistics.smallest_step = first ? h : std::min(statistics.smallest_step, h);
  statistics.largest_step = std::max(statistics.largest_step, h);
}

}  // namespace polhode::stepping
