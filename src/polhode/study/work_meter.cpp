#include "polhode/study/work_meter.h"

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/realize.h"

namespace polhode::study {

WorkMeter::WorkMeter(const Mechanism& mechanism, const Stepper& stepper)
    : stepper_(stepper), workspace_(mechanism), between_(mechanism) {}

void WorkMeter::powers_of(State& state, std::vector<double>& powers) {
  tree::realize(state, workspace_, Stage::acceleration);
  const std::span<const double> of_elements = tree::element_powers(state, workspace_);
  powers.assign(of_elements.begin(), of_elements.end());
  for (std::size_t u = 0; u < state.u().size(); ++u) powers.push_back(state.motion_forces()[u] * state.u()[u]);
}

void WorkMeter::go_on_from(State& state) {
  time_ = state.time();
  powers_of(state, from_);
  sums_.resize(from_.size(), 0.0);
  state.keep_result(RequestedNumber::work, sums_);
}

void WorkMeter::integrate_to(State& state) {
  const double h = state.time() - time_;
  if (h == 0) {
    until_ = sums_;
    to_ = from_;
    return;
  }
  between_ = state;  // for what steps do not change
  stepper_.interpolate(time_ + 0.5 * h, between_);
  powers_of(between_, middle_);
  powers_of(state, to_);
  until_.resize(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) until_[i] = sums_[i] + h / 6 * (from_[i] + 4 * middle_[i] + to_[i]);
}

void WorkMeter::tell(State& state) {
  integrate_to(state);
  state.keep_result(RequestedNumber::work, until_);
}

void WorkMeter::advance(State& state) {
  tell(state);
  time_ = state.time();
  sums_.swap(until_);
  from_.swap(to_);
}

void WorkMeter::remember(Memory& memory) { memory(time_, sums_, from_); }

}  // namespace polhode::study
