#include "polhode/stepping/halving_stepper.h"

namespace polhode::stepping {

void HalvingStepper::start_clock(double t) {
  clock_.start(t);
  halving_ = {};
}

bool HalvingStepper::advance(double t, double h, int halvings) {
  if (halvings >= halving_.level()) {
    if (halvings > 0) save(halvings);  // step() has kept the start
    if (attempt(t, h, halvings)) {
      halving_.succeeded(halvings);
      note_size(h, statistics_);
      return true;
    }
    go_back(halvings);
    if (halvings == max_halvings_) return false;
    halving_.failed(halvings, halving_lasts());
  }
  was_halved_ = true;
  return advance(t, 0.5 * h, halvings + 1) && advance(t + 0.5 * h, 0.5 * h, halvings + 1);
}

StepReport HalvingStepper::step(double t_limit) {
  const double t = time();
  if (is_passed(t_limit, t)) return limit_passed(t);
  NextStep next;
  std::optional<double> chosen;
  save(0);
  was_halved_ = false;
  halving_.begin_step();
  try {
    chosen = choose_step();
    next = chosen ? toward(t_limit, t, *chosen) : StepClock::next(t_limit, t, whole_);
    if (!advance(t, next.h, 0)) {
      go_back(0);
      return failed(next.h);
    }
  } catch (...) {
    go_back(0);
    throw;
  }
  if (chosen)
    arrive(next.last ? t_limit : t + next.h);
  else
    arrive(clock_.pass(next, t_limit, whole_));
  ++statistics_.steps;
  statistics_.halved += was_halved_;
  return {StepReport::Status::done, time(), next.h, 0, -1};
}

}  // namespace polhode::stepping
