#include "polhode/projected/tree/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "polhode/mechanism/problem.h"

namespace polhode::projected {
namespace {

constexpr std::array<std::string_view, 9> names = {
    "rk5", "rk8", "rk3", "rk2", "merson", "verlet", "euler", "semi-explicit-euler", "cvode"};

/// Relative to numbers of size one, with a few roundings in each.
constexpr double finest_accuracy = 1e-15;

}  // namespace

std::span<const std::string_view> integrator_names() { return names; }

void validate(const Options& o) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (std::find(names.begin(), names.end(), o.integrator) == names.end())
    throw std::invalid_argument(
        fmt::format("integrator \"{}\" is not known{}", o.integrator,
                    suggestion(o.integrator, std::vector<std::string>(names.begin(), names.end()), "integrators")));
  if (o.fixed_step && !positive(*o.fixed_step))
    throw std::invalid_argument(fmt::format("step {} s must be a positive number", *o.fixed_step));
  if (!positive(o.accuracy) || o.accuracy > 1)
    throw std::invalid_argument(fmt::format("accuracy {} must be between 0 and 1, e.g. 1e-6", o.accuracy));
  if (o.accuracy < finest_accuracy)
    throw std::invalid_argument(
        fmt::format("accuracy {} is below the rounding of numbers; the finest is {}", o.accuracy, finest_accuracy));
  if (!positive(o.largest_step))
    throw std::invalid_argument(fmt::format("largest step {} s must be a positive number", o.largest_step));
  if (o.tolerance && (!positive(*o.tolerance) || *o.tolerance > 1))
    throw std::invalid_argument(fmt::format("constraint tolerance {} must be between 0 and 1, e.g. 1e-7", *o.tolerance));
  if (!positive(o.scaling.characteristic_time))
    throw std::invalid_argument(
        fmt::format("characteristic time {} s must be a positive number", o.scaling.characteristic_time));
  for (const auto* units : {&o.scaling.unit_changes, &o.scaling.unit_changes_z, &o.scaling.unit_errors})
    for (const double unit : *units)
      if (!positive(unit)) throw std::invalid_argument(fmt::format("unit {} must be a positive number", unit));
  if (o.fixed_step && o.integrator == "cvode")
    throw std::invalid_argument(
        "integrator cvode chooses its steps and its order itself, so a fixed step cannot be given; give an accuracy, or a "
        "largest step");
}

}  // namespace polhode::projected
