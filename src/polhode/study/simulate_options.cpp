#include "polhode/study/simulate_options.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace polhode::study {
namespace {

// Beyond this a run would not end in a lifetime, and times would no longer differ from step to step.
constexpr double most_steps = 1e11;

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

std::string objection_to_reports(const SimulateOptions& o) {
  if (!is_positive(o.time)) return fmt::format("time {} s must be a positive number", o.time);
  if (o.every < 1) return fmt::format("every {} must be at least 1", o.every);
  if (o.interval && !is_positive(*o.interval)) return fmt::format("interval {} s must be a positive number", *o.interval);
  for (std::size_t i = 0; i < o.times.size(); ++i)
    if (!std::isfinite(o.times[i]) || (i > 0 && !(o.times[i - 1] < o.times[i])))
      return "times to report at must be finite and increase";
  if (o.interval && o.time / *o.interval > most_steps)
    return fmt::format("interval {} s would give {:.3g} reports in {} s; at most {:g} are allowed", *o.interval,
                       o.time / *o.interval, o.time, most_steps);
  return {};
}

/// Options that the method does not have.
std::string objection_to_names(const MethodEntry& method, const OptionValues& given) {
  for (const auto& [name, value] : given) {
    if (method.option(name)) continue;
    const std::vector<std::string> owners = methods_taking(name);
    if (owners.empty())
      return fmt::format("there is no option \"{}\"{}", name, suggestion(name, option_names(), "options of methods"));
    return fmt::format("{} is an option of method{} {}, not of {}", name, owners.size() > 1 ? "s" : "",
                       fmt::join(owners, " and "), method.name);
  }
  return {};
}

std::string objection_to_number_of_steps(const SimulateOptions& o) {
  if (const auto dt = fixed_step(o)) {
    if (o.time / *dt <= most_steps) return {};
    return fmt::format("dt {} s would take {:.3g} steps for {} s; at most {:g} are allowed", *dt, o.time / *dt, o.time,
                       most_steps);
  }
  const auto largest = number_in_force(o, "largest step");
  if (!largest || o.time / *largest <= most_steps) return {};
  return fmt::format("time {} s would take at least {:.3g} steps of {} s or less; at most {:g} are allowed", o.time,
                     o.time / *largest, *largest, most_steps);
}

}  // namespace

OptionValues given_values(const SimulateOptions& options) {
  OptionValues values = options.options;
  if (options.dt) values.set("dt", *options.dt);
  return values;
}

std::optional<double> number_in_force(const SimulateOptions& options, std::string_view name) {
  return method_named(options.method).number(given_values(options), name);
}

std::optional<double> fixed_step(const SimulateOptions& options) {
  const OptionValues given = given_values(options);
  if (given.has("accuracy") && !given.has("dt")) return std::nullopt;  // also where a step has a standard size
  return number_in_force(options, "dt");
}

std::string objection(const Mechanism& mechanism, const SimulateOptions& o) {
  if (std::string why = objection_to_reports(o); !why.empty()) return why;
  if (std::string why = objection_to_method(o.method); !why.empty()) return why;
  const MethodEntry& method = method_named(o.method);
  const OptionValues given = given_values(o);
  if (std::string why = objection_to_names(method, given); !why.empty()) return why;
  if (std::string why = method.objection(mechanism, given); !why.empty()) return why;
  if (std::string why = objection(mechanism, o.inputs); !why.empty()) return why;
  if (o.inputs.between == InputTable::Between::linear && !fixed_step(o))
    return "inputs that are linear between rows are held within a step, as in its middle; give a fixed step (dt)";
  return objection_to_number_of_steps(o);
}

std::string objection_to_times(double start, const SimulateOptions& o) {
  const double t_end = start + o.time;
  if (!std::isfinite(t_end)) return fmt::format("time {} s from a start at {} s has no end", o.time, start);
  // Times that cannot be told apart would be stepped through, or reported at, for ever.
  const double least = std::numeric_limits<double>::epsilon() * std::abs(t_end);
  const auto too_small = [&](const char* what, double given) {
    return given >= least ? std::string()
                          : fmt::format("{} {} s is too small: times near {} s cannot be told apart below {:.2g} s", what,
                                        given, t_end, least);
  };
  if (std::string why = too_small("time", o.time); !why.empty()) return why;
  if (std::string why = too_small("interval", o.interval.value_or(o.time)); !why.empty()) return why;
  return too_small("step", given_values(o).number("dt").value_or(o.time));
}

}  // namespace polhode::study
