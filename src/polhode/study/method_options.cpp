#include "polhode/study/method_options.h"

#include <fmt/format.h>

#include <functional>

namespace polhode::study {
namespace {

/// An option that some methods take and others refuse: whether it is given, how it goes from one set of options to another, and
/// a value that nobody who takes it could object to.
struct MethodOption {
  const char* name;
  std::function<bool(const SimulateOptions&)> is_given;
  std::function<void(const SimulateOptions&, SimulateOptions&)> copy;
  std::function<void(const Mechanism&, SimulateOptions&)> set_harmless;
};

template <class T>
MethodOption option(const char* name, std::optional<T> SimulateOptions::*member, T harmless) {
  return {name, [member](const SimulateOptions& o) { return (o.*member).has_value(); },
          [member](const SimulateOptions& from, SimulateOptions& to) { to.*member = from.*member; },
          [member, harmless](const Mechanism&, SimulateOptions& o) { o.*member = harmless; }};
}

const std::vector<MethodOption>& method_options() {
  using O = SimulateOptions;
  static const std::vector<MethodOption> all{option("integrator", &O::integrator, integrator_names().front()),
                                             option("accuracy", &O::accuracy, 1e-6),
                                             option("largest step", &O::largest_step, 0.1),
                                             option("constraint tolerance", &O::constraint_tolerance, 1e-7),
                                             option("norm", &O::norm, std::string("rms")),
                                             option("characteristic time", &O::characteristic_time, 0.1),
                                             {"unit", [](const O& o) { return !o.unit_changes.empty(); },
                                              [](const O& from, O& to) { to.unit_changes = from.unit_changes; },
                                              [](const Mechanism& m, O& o) {
                                                if (m.num_u() > 0) o.unit_changes = {{m.speed_names().front(), 1.0}};
                                              }},
                                             option("tolerance", &O::tolerance, 1e-9),
                                             option("alpha", &O::alpha, 0.5),
                                             option("order", &O::order, 2),
                                             option("projection", &O::projection, std::string("quasi")),
                                             option("invariant", &O::invariant, std::string("energy")),
                                             option("planar", &O::planar, std::string("auto"))};
  return all;
}

/// What make_stepper() has against the options, in words; empty when nothing.
std::string objection(const Mechanism& mechanism, const SimulateOptions& options) {
  try {
    make_stepper(mechanism, options);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

bool takes(const Mechanism& mechanism, const SimulateOptions& plain, const MethodOption& option) {
  SimulateOptions tried = plain;
  option.set_harmless(mechanism, tried);
  return objection(mechanism, tried).empty();
}

/// The method with the run's time and nothing else; finds what it cannot do at all.
MethodOptions plain(const State& start, const std::string& method, const SimulateOptions& given) {
  MethodOptions result;
  result.options.method = method;
  result.options.time = given.time;
  try {
    make_stepper(start.mechanism(), result.options)->set(start);
  } catch (const ModelError& error) {
    result.problems = error.problems();
    result.refused = error.what();
  }
  return result;
}

/// One option to those who take it.
void hand_out(const Mechanism& mechanism, const MethodOption& option, const SimulateOptions& given,
              const std::vector<SimulateOptions>& bare, std::vector<MethodOptions>& to) {
  std::vector<std::string> asked;
  std::string first_objection;
  bool accepted = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!to[i].problems.empty()) continue;
    asked.push_back(bare[i].method);
    if (!takes(mechanism, bare[i], option)) continue;
    SimulateOptions alone = bare[i];
    option.copy(given, alone);
    const std::string wrong = objection(mechanism, alone);
    if (first_objection.empty()) first_objection = wrong;
    if (wrong.empty()) {
      accepted = true;
      option.copy(given, to[i].options);
    } else if (to[i].refused.empty()) {
      to[i].refused = wrong;
    }
  }
  if (accepted || asked.empty()) return;
  if (!first_objection.empty()) throw std::invalid_argument(first_objection);
  throw std::invalid_argument(
      fmt::format("{} is an option that {} not take; leave it out, or compare other methods (there are {})", option.name,
                  asked.size() == 1 ? fmt::format("method {} does", asked.front())
                                    : fmt::format("the methods {} do", fmt::join(asked, ", ")),
                  fmt::join(method_names(), ", ")));
}

}  // namespace

std::vector<MethodOptions> hand_out(const State& start, const std::vector<std::string>& methods, const SimulateOptions& given) {
  const Mechanism& mechanism = start.mechanism();
  const auto accuracy = option("accuracy", &SimulateOptions::accuracy, 1e-6);
  std::vector<MethodOptions> result;
  std::vector<SimulateOptions> bare;
  bool anyone_steps = false;
  for (const std::string& method : methods) {
    MethodOptions& m = result.emplace_back(plain(start, method, given));
    bare.push_back(m.options);
    if (!m.problems.empty()) continue;
    m.controls_error = takes(mechanism, m.options, accuracy);
    anyone_steps = anyone_steps || !m.controls_error;
  }
  for (const MethodOption& option : method_options())
    if (option.is_given(given)) hand_out(mechanism, option, given, bare, result);
  // Where every method controls its error, a fixed step must be meant for them.
  if (given.dt)
    for (MethodOptions& m : result)
      if (m.problems.empty() && (!m.controls_error || (!anyone_steps && !given.accuracy))) m.options.dt = given.dt;
  std::string about_step;
  bool step_accepted = !given.dt;
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
