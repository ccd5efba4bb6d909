#include "run_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "usage.h"

namespace polhode::cli {
namespace {

constexpr std::string_view unit_prefix = "unit ";

/// Every setting by its name, for both directions: visit(name, member).
template <class Options, class Visit>
void each_setting(Options& o, Visit visit) {
  visit("method", o.method);
  visit("time", o.time);
  visit("dt", o.dt);
  visit("every", o.every);
  visit("interval", o.interval);
  visit("integrator", o.integrator);
  visit("accuracy", o.accuracy);
  visit("max-step", o.largest_step);
  visit("constraint-tolerance", o.constraint_tolerance);
  visit("norm", o.norm);
  visit("characteristic-time", o.characteristic_time);
  visit("projection", o.projection);
  visit("invariant", o.invariant);
  visit("planar", o.planar);
  visit("tolerance", o.tolerance);
  visit("alpha", o.alpha);
  visit("order", o.order);
}

double number_of(const std::string& name, const std::string& text) {
  const double value = number(text);
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("its setting {} is \"{}\", which is not a number", name, text));
  return value;
}

void read(const std::string&, const std::string& text, std::string& to) { to = text; }
void read(const std::string& name, const std::string& text, double& to) { to = number_of(name, text); }
void read(const std::string& name, const std::string& text, int& to) {
  const double value = number_of(name, text);
  if (std::abs(value) > 2e9 || value != std::floor(value))
    throw std::invalid_argument(fmt::format("its setting {} is \"{}\", which is not a whole number", name, text));
  to = int(value);
}
template <class T>
void read(const std::string& name, const std::string& text, std::optional<T>& to) {
  read(name, text, to.emplace());
}

template <class T>
std::optional<std::string> text_of(const T& value) {
  return fmt::format("{}", value);
}
template <class T>
std::optional<std::string> text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : std::nullopt;
}

}  // namespace

format::RunRecord::Words words_of(const study::SimulateOptions& options) {
  format::RunRecord::Words words;
  each_setting(options, [&](const char* name, const auto& value) {
    if (const auto text = text_of(value)) words.emplace_back(name, *text);
  });
  for (const auto& [name, unit] : options.unit_changes)
    words.emplace_back(std::string(unit_prefix) + name, fmt::format("{}", unit));
  return words;
}

study::SimulateOptions options_of(const format::RunRecord::Words& words) {
  study::SimulateOptions options;
  for (const auto& word : words) {
    const std::string& name = word.first;
    bool known = false;
    each_setting(options, [&](const char* setting, auto& value) {
      if (name != setting) return;
      read(name, word.second, value);
      known = true;
    });
    if (name.starts_with(unit_prefix)) {
      options.unit_changes.emplace_back(name.substr(unit_prefix.size()), number_of(name, word.second));
      known = true;
    }
    if (!known) throw std::invalid_argument(fmt::format("its setting \"{}\" is not known to this version", name));
  }
  return options;
}

}  // namespace polhode::cli
