#include "polhode/variational/maximal/energy_watch.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/acceptance.h"

namespace polhode::variational {

void EnergyWatch::restart(double kinetic) {
  steps_ = 0;
  largest_kinetic_ = kinetic;
}

void EnergyWatch::measure(double kinetic, double expected) {
  kinetic_ = kinetic;
  expected_ = expected;
  jump_ = std::abs(kinetic - expected);
}

bool EnergyWatch::is_credible(Jumps counting) const {
  if (!on_ || steps_ < acceptance::steps_to_learn) return true;
  const double any = counting == Jumps::small_ones_too ? acceptance::any_jump : acceptance::large_jump;
  // What was at rest is there to be moved: by as much as forces do work.
  const double usual = std::max(largest_kinetic_, std::min(kinetic_, expected_));
  return jump_ <= acceptance::times_usual * usual_jump_ || jump_ <= any * usual;
}

bool EnergyWatch::is_small() const { return on_ && jump_ <= acceptance::small_jump * largest_kinetic_; }

void EnergyWatch::learn(Step step) {
  if (!on_) return;
  if (step == Step::later) usual_jump_ = steps_ == 0 ? jump_ : std::max(jump_, acceptance::remembered * usual_jump_);
  ++steps_;
  largest_kinetic_ = std::max(largest_kinetic_, kinetic_);
}

}  // namespace polhode::variational
