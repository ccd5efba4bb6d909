#include "polhode/mechanism/resolver_inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace polhode {

void InputMaker::make_inputs() {
  for (const InputSpec& spec : in_.inputs()) add_input(spec);
  for (const ForceSpec& force : in_.forces()) {
    if (const auto* motor = std::get_if<MotorSpec>(&force.model)) add_motor(motor->name, motor->input, force.source);
    if (const auto* motor = std::get_if<LawMotorSpec>(&force.model)) add_motor(motor->name, motor->input, force.source);
  }
}

void InputMaker::add_motor(const std::string& name, const std::string& input, const Source& where) {
  if (name.empty()) {
    problem("a motor has no name; give it one", where);
  } else if (!motors_.emplace(name, where).second) {
    problems_.duplicate(fmt::format("motor \"{}\"", name), where, motors_[name]);
  } else if (input.empty()) {
    add_own_input(name, where);
  }
}

void InputMaker::add_input(const InputSpec& spec) {
  if (spec.name.empty()) return problem("an input has no name; give it one", spec.source);
  const std::string label = fmt::format("input \"{}\"", spec.name);
  if (const auto known = inputs_.find(spec.name); known != inputs_.end())
    return problems_.duplicate(label, spec.source, known->second.source);
  if (names_.number(spec.initial, -std::numeric_limits<double>::infinity(), "start", label, spec.source) &&
      good_range(spec.limits, "limits", label, spec.source) && spec.limits.clipped(spec.initial) != spec.initial)
    problem(fmt::format("{} starts as {:g}, which is not within its limits, {:g} to {:g}", label, spec.initial, spec.limits.low,
                        spec.limits.high),
            spec.source);
  keep_input(spec);
}

void InputMaker::add_own_input(const std::string& motor, const Source& where) {
  const auto known = inputs_.find(motor);
  if (known == inputs_.end()) return keep_input({.name = motor, .source = where});
  problems_.note({fmt::format("motor \"{}\" would bring an input of its own name, which is already defined; name the one "
                              "that commands it, as in (input \"{}\")",
                              motor, motor),
                  where, known->second.source, "first defined"});
}

void InputMaker::keep_input(const InputSpec& spec) {
  inputs_[spec.name] = {int(out_.inputs.size()), spec.source};
  out_.inputs.push_back({spec.name, spec.initial, spec.limits});
  out_.initial_inputs.push_back(spec.initial);
}

bool InputMaker::good_range(const Range& range, const char* what, const std::string& of, const Source& where) {
  if (range.low <= range.high) return true;
  if (std::isnan(range.low) || std::isnan(range.high))
    problem(fmt::format("{}: {} must be numbers, not {} and {}", of, what, range.low, range.high), where);
  else
    problem(
        fmt::format("{}: {} {:g} and {:g} are the wrong way round; give the lower one first", of, what, range.low, range.high),
        where);
  return false;
}

std::optional<int> InputMaker::find(const std::string& name) const {
  const auto known = inputs_.find(name);
  return known == inputs_.end() ? std::nullopt : std::optional(known->second.index);
}

std::optional<int> InputMaker::input_of(const std::string& name, const std::string& label, const Source& where) {
  if (name.empty()) return std::nullopt;  // of a motor without a name, which has been told
  if (const auto known = find(name)) return known;
  const auto names = [&] {
    std::vector<std::string> all;
    for (const Input& input : out_.inputs) all.push_back(input.name);
    return all;
  };
  problem(fmt::format("{}: input \"{}\" is not defined{}", label, name,
                      out_.inputs.empty() ? fmt::format("; add (input \"{}\")", name) : problems_.hint(name, names, "inputs")),
          where);
  return std::nullopt;
}

}  // namespace polhode
