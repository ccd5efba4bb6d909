#include "polhode/state/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

/// names: by index, a string or something that has a name.
template <class Names>
void require_numbers(std::span<const double> given, const char* what, const char* whats, const Names& names) {
  if (given.size() != names.size())
    throw std::invalid_argument(fmt::format("{} numbers given for {} {}", given.size(), names.size(), whats));
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::isfinite(given[i])) continue;
    const std::string* name;
    if constexpr (requires { names[i].name; }) {
      name = &names[i].name;
    } else {
      name = &names[i];
    }
    throw std::invalid_argument(fmt::format("{} \"{}\" must be a finite number, not {}", what, *name, given[i]));
  }
}

}  // namespace

Outside::Outside(const State& state)
    : inputs_(state.inputs().begin(), state.inputs().end()),
      applied_forces_(state.applied_forces().begin(), state.applied_forces().end()),
      discrete_(state.discrete().begin(), state.discrete().end()) {}

bool Outside::any_force() const {
  return std::any_of(applied_forces_.begin(), applied_forces_.end(), [](double f) { return f != 0; });
}

void Outside::set(const State& state) {
  std::copy(state.inputs().begin(), state.inputs().end(), inputs_.begin());
  std::copy(state.applied_forces().begin(), state.applied_forces().end(), applied_forces_.begin());
  std::copy(state.discrete().begin(), state.discrete().end(), discrete_.begin());
}

bool Outside::set_inputs(const Mechanism& mechanism, std::span<const double> inputs) {
  require_numbers(inputs, "input", "inputs", mechanism.inputs());
  bool changed = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double value = mechanism.inputs()[i].limits.clipped(inputs[i]);
    changed = changed || value != inputs_[i];
    inputs_[i] = value;
  }
  return changed;
}

bool Outside::set_applied_forces(const Mechanism& mechanism, std::span<const double> forces) {
  require_numbers(forces, "the force on speed", "forces by speed", mechanism.speed_names());
  const bool changed = !std::equal(forces.begin(), forces.end(), applied_forces_.begin());
  std::copy(forces.begin(), forces.end(), applied_forces_.begin());
  return changed;
}

void Outside::give(State& state) const {
  state.set_inputs(inputs_);
  state.set_applied_forces(applied_forces_);
  for (std::size_t i = 0; i < discrete_.size(); ++i) state.set_discrete(int(i), discrete_[i]);
}

}  // namespace polhode
