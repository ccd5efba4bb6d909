#include "polhode/stepping/piecewise_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/stepping/signal_breaks.h"
#include "polhode/stepping/step_clock.h"

namespace polhode::stepping {

PiecewiseStepper::PiecewiseStepper(const Mechanism& mechanism) : breaks_(signal_breaks(mechanism)) {}

void PiecewiseStepper::start_pieces(double t) {
  t0_ = t1_ = t;
  jump_ = -1;
}

StepReport PiecewiseStepper::step(double t_limit) {
  if (is_passed(t_limit, t1_)) return limit_passed(t1_);
  if (jump_ >= 0) return refuse_jump(jump_);
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), t1_);
  const bool to_break = next != breaks_.end() && *next <= t_limit;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  t_most_ = to_break ? std::nextafter(*next, -infinity) : infinity;
  try {
    const StepReport report = advance(to_break ? *next : t_limit);
    if (!report.ok()) {
      t0_ = t1_;
      restart();
    } else if (to_break && t1_ == *next) {
      restart();
      jump_ = find_jump();
    }
    return report;
  } catch (...) {
    // A user's element threw in the middle of a step, of which nothing has been accepted yet.
    t0_ = t1_;
    restart();
    throw;
  }
}

void PiecewiseStepper::count_step(double h) {
  ++statistics_.steps;
  note_size(h, statistics_);
}

}  // namespace polhode::stepping
