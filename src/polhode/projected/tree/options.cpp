#include "polhode/projected/tree/options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace polhode::projected {
namespace {

constexpr std::array<std::string_view, 9> names = {
    "rk5", "rk8", "rk3", "rk2", "merson", "verlet", "euler", "semi-explicit-euler", "cvode"};

}  // namespace

std::span<const std::string_view> integrator_names() { return names; }

const OptionTable<Options>& tree_projected_options() {
  using O = Options;
  using Norm = tree::Scaling::Norm;
  static const OptionTable<O> table{{&O::integrator,
                                     {.name = "integrator",
                                      .kind = OptionField::Choice{std::vector<std::string>(names.begin(), names.end())},
                                      .help = "which integrator"}},
                                    {&O::fixed_step,
                                     {.name = "dt",
                                      .kind = OptionField::positive(),
                                      .unit = "s",
                                      .help = "fixed step",
                                      .standard_text = "the error is controlled instead"}},
                                    {&O::accuracy,
                                     {.name = "accuracy",
                                      // Relative to numbers of size one, with a few roundings in each.
                                      .kind = OptionField::Real{1e-15, 1},
                                      .help = "local error allowed in a step",
                                      .hint = "try 1e-6; below 1e-15 is the rounding of numbers",
                                      .not_with = "dt"}},
                                    {&O::largest_step,
                                     {.name = "largest step",
                                      .kind = OptionField::positive(),
                                      .unit = "s",
                                      .help = "longest step that error control may take",
                                      .flag = "max-step",
                                      .not_with = "dt"}},
                                    {&O::tolerance,
                                     {.name = "constraint tolerance",
                                      .kind = OptionField::positive_up_to(1),
                                      .help = "constraint error allowed after a step",
                                      .hint = "try 1e-7",
                                      .standard_text = "a tenth of the accuracy"}},
                                    {[](auto& o) -> auto& {return o.scaling.norm;
}
, {.name = "norm", .help = "norm in which errors are taken together", .quiet = true},
    std::vector<std::pair<std::string, Norm>> {
  {"rms", Norm::rms}, { "infinity", Norm::infinity }
}
}  // namespace polhode::projected
, {[](auto& o) -> auto& {return o.scaling.characteristic_time;
}
, {
  .name = "characteristic time", .kind = OptionField::positive(), .unit = "s",
  .help = "time in which a velocity error grows to a position error", .quiet = true
}
}
, {
  &O::units, {
    .name = "unit", .kind = OptionField::Named{},
    .help = "size of one unit of a coordinate or speed, of which the accuracy is a fraction", .standard_text = "1"
  }
}
}
;
return table;
}

std::string objection(const Options& o) {
  if (std::string why = tree_projected_options().objection(o); !why.empty()) return why;
  for (const auto* units : {&o.scaling.unit_changes, &o.scaling.unit_changes_z, &o.scaling.unit_errors})
    for (const double unit : *units)
      if (!(std::isfinite(unit) && unit > 0)) return fmt::format("unit {} must be a positive number", unit);
  if (o.fixed_step && o.integrator == "cvode")
    return "integrator cvode chooses its steps and its order itself, so a fixed step cannot be given; give an accuracy, or a "
           "largest step";
  return {};
}

void validate(const Options& options) { require_no_objection(objection(options)); }

}  // namespace polhode::projected
