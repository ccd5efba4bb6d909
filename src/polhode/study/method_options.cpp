#include "polhode/study/method_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace polhode::study {
namespace {

/// The method with the run's time and nothing else, and what it cannot do at all.
MethodOptions plain(const State& start, const std::string& name, const SimulateOptions& given) {
  const MethodEntry& method = method_named(name);
  MethodOptions result;
  result.options.method = name;
  result.options.time = given.time;
  const OptionField* const accuracy = method.option("accuracy");
  result.controls_error = accuracy != nullptr && accuracy->standard.has_value();
  result.problems = unsupported_problems(method, start.mechanism());
  if (result.problems.empty()) result.problems = unsupported_problems(method, start);
  if (!result.problems.empty()) result.refused = ModelError(result.problems).what();
  return result;
}

[[noreturn]] void refuse_option_of_others(const std::string& option, const std::vector<std::string>& asked) {
  if (methods_taking(option).empty())
    throw std::invalid_argument(
        fmt::format("there is no option \"{}\"{}", option, suggestion(option, option_names(), "options of methods")));
  throw std::invalid_argument(
      fmt::format("{} is an option that {} not take; leave it out, or compare other methods (there are {})", option,
                  asked.size() == 1 ? fmt::format("method {} does", asked.front())
                                    : fmt::format("the methods {} do", fmt::join(asked, ", ")),
                  fmt::join(method_names(), ", ")));
}

/// One option to those who take it.
void hand_out(const Mechanism& mechanism, const OptionValues::Item& option, std::vector<MethodOptions>& to) {
  const bool anyone_controls =
      std::any_of(to.begin(), to.end(), [](const MethodOptions& m) { return m.problems.empty() && m.controls_error; });
  std::vector<std::string> asked;
  std::string first_objection;
  bool accepted = false;
  for (MethodOptions& m : to) {
    if (!m.problems.empty()) continue;
    asked.push_back(m.options.method);
    const MethodEntry& method = method_named(m.options.method);
    const OptionField* const field = method.option(option.name);
    if (!field || (field->not_with == "dt" && !m.controls_error && anyone_controls)) continue;
    const std::string wrong = field->objection(option.value).empty() && field->not_with == "dt"
                                  ? std::string()  // it may not do without others
                                  : method.objection(mechanism, {option});
    if (first_objection.empty()) first_objection = wrong;
    if (wrong.empty()) {
      accepted = true;
      m.options.options.set(option.name, option.value);
    } else if (m.refused.empty()) {
      m.refused = wrong;
    }
  }
  if (accepted || asked.empty()) return;
  if (!first_objection.empty()) throw std::invalid_argument(first_objection);
  refuse_option_of_others(option.name, asked);
}

/// Where every method controls its error, a fixed step must be meant for them.
void hand_out_step(double dt, bool accuracy_given, std::vector<MethodOptions>& to) {
  bool anyone_steps = false;
  for (const MethodOptions& m : to) anyone_steps = anyone_steps || (m.problems.empty() && !m.controls_error);
  for (MethodOptions& m : to)
    if (m.problems.empty() && (!m.controls_error || (!anyone_steps && !accuracy_given))) m.options.dt = dt;
}

}  // namespace

std::vector<MethodOptions> hand_out(const State& start, const std::vector<std::string>& methods, const SimulateOptions& given) {
  const Mechanism& mechanism = start.mechanism();
  std::vector<MethodOptions> result;
  for (const std::string& method : methods) result.push_back(plain(start, method, given));
  OptionValues values = given_values(given);
  const auto dt = values.number("dt");
  values.erase("dt");
  for (const OptionValues::Item& option : values) hand_out(mechanism, option, result);
  if (dt) hand_out_step(*dt, values.has("accuracy"), result);

  std::string about_step;
  bool step_accepted = !dt;
  for (MethodOptions& m : result) {
    if (m.refused.empty()) m.refused = objection(mechanism, m.options);
    if (!m.options.dt || !m.problems.empty()) continue;
    step_accepted = step_accepted || m.refused.empty();
    if (about_step.empty()) about_step = m.refused;
  }
  if (!step_accepted && !about_step.empty()) throw std::invalid_argument(about_step);
  return result;
}

}  // namespace polhode::study
