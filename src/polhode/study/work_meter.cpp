#include "polhode/study/work_meter.h"

#include <algorithm>
#include <cmath>

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

void WorkMeter::powers_at(double t, std::vector<double>& powers) {
  stepper_.interpolate(t, between_);
  powers_of(between_, powers);
}

void WorkMeter::integrate_to(State& state) {
  until_ = sums_;
  const double h = state.time() - time_;
  if (h == 0) {
    to_ = from_;
    return;
  }
  powers_of(state, to_);
  between_ = state;  // for what steps do not change
  Piece& whole = pieces_.front();
  whole.t = time_;
  whole.h = h;
  whole.first = from_;
  whole.last = to_;
  powers_at(time_ + 0.5 * h, whole.middle);
  add_piece(0);
}

/// Simpson's rule on two halves is 16 times as good as on the whole, so what they differ by is 15 times their error.
void WorkMeter::add_piece(int halvings) {
  constexpr double wanted = 1e-8;  // of the largest work
  const Piece& piece = pieces_[std::size_t(halvings)];
  const double h = piece.h, t = piece.t;
  powers_at(t + 0.25 * h, left_middle_);
  powers_at(t + 0.75 * h, right_middle_);
  halves_.resize(until_.size());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < until_.size(); ++i) {
    const double ends = piece.first[i] + piece.last[i], quarters = left_middle_[i] + right_middle_[i];
    halves_[i] = h / 12 * (ends + 4 * quarters + 2 * piece.middle[i]);
    largest = std::max({largest, std::abs(until_[i]), std::abs(halves_[i])});
    difference = std::max(difference, std::abs(halves_[i] - h / 6 * (ends + 4 * piece.middle[i])));
  }
  if (halvings == most_halvings || difference <= 15 * wanted * largest) {
    for (std::size_t i = 0; i < until_.size(); ++i) until_[i] += halves_[i];
    return;
  }
  Piece& half = pieces_[std::size_t(halvings) + 1];
  half.t = t;
  half.h = 0.5 * h;
  half.first = piece.first;
  half.middle = left_middle_;
  half.last = piece.middle;
  add_piece(halvings + 1);
  half.t = t + 0.5 * h;
  half.first = piece.middle;
  powers_at(t + 0.75 * h, half.middle);
  half.last = piece.last;
  add_piece(halvings + 1);
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
