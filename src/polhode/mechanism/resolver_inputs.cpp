#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "polhode/mechanism/resolver.h"

/// Numbers from outside: those that the model names, and those that motors bring along.
namespace polhode {

void MechanismResolver::make_inputs() {
  for (const InputSpec& spec : in_.inputs()) add_input(spec);
  std::unordered_map<std::string, Source> motors;
  for (const ForceSpec& force : in_.forces()) {
    const auto* motor = std::get_if<MotorSpec>(&force.model);
    if (motor == nullptr) continue;
    if (motor->name.empty()) {
      problem("a motor has no name; give it one", force.source);
    } else if (!motors.emplace(motor->name, force.source).second) {
      duplicate(fmt::format("motor \"{}\"", motor->name), force.source, motors[motor->name]);
    } else if (motor->input.empty()) {
      add_own_input(motor->name, force.source);
    }
  }
}

void MechanismResolver::add_input(const InputSpec& spec) {
  if (spec.name.empty()) return problem("an input has no name; give it one", spec.source);
  const std::string label = fmt::format("input \"{}\"", spec.name);
  if (const auto known = inputs_.find(spec.name); known != inputs_.end())
    return duplicate(label, spec.source, known->second.source);
  if (number(spec.initial, -std::numeric_limits<double>::infinity(), "start", label, spec.source) &&
      good_range(spec.limits, "limits", label, spec.source) && spec.limits.clipped(spec.initial) != spec.initial)
    problem(fmt::format("{} starts as {:g}, which is not within its limits, {:g} to {:g}", label, spec.initial, spec.limits.low,
                        spec.limits.high),
            spec.source);
  keep_input(spec);
}

void MechanismResolver::add_own_input(const std::string& motor, const Source& where) {
  const auto known = inputs_.find(motor);
  if (known == inputs_.end()) return keep_input({.name = motor, .source = where});
  problems_.push_back({fmt::format("motor \"{}\" would bring an input of its own name, which is already defined; name the one "
                                   "that commands it, as in (input \"{}\")",
                                   motor, motor),
                       where, known->second.source, "first defined"});
}

void MechanismResolver::keep_input(const InputSpec& spec) {
  inputs_[spec.name] = {int(out_->inputs.size()), spec.source};
  out_->inputs.push_back({spec.name, spec.initial, spec.limits});
  out_->initial_inputs.push_back(spec.initial);
}

bool MechanismResolver::good_range(const Range& range, const char* what, const std::string& of, const Source& where) {
  if (range.low <= range.high) return true;
  if (std::isnan(range.low) || std::isnan(range.high))
    problem(fmt::format("{}: {} must be numbers, not {} and {}", of, what, range.low, range.high), where);
  else
    problem(
        fmt::format("{}: {} {:g} and {:g} are the wrong way round; give the lower one first", of, what, range.low, range.high),
        where);
  return false;
}

bool MechanismResolver::place(const std::string& name, InputPlace& out, const FieldOf& field) {
  if (name.empty()) return false;  // of a motor without a name, which has been told
  if (const auto known = inputs_.find(name); known != inputs_.end()) {
    out.index = known->second.index;
    return true;
  }
  const auto names = [&] {
    std::vector<std::string> all;
    for (const Input& input : out_->inputs) all.push_back(input.name);
    return all;
  };
  problem(fmt::format("{}: input \"{}\" is not defined{}", field.label, name,
                      out_->inputs.empty() ? fmt::format("; add (input \"{}\")", name) : hint(name, names, "inputs")),
          field.where);
  return false;
}

bool MechanismResolver::place(const Range& range, Range& out, const FieldOf& field) {
  out = range;
  return good_range(range, field.name, field.label, field.where);
}

}  // namespace polhode
