#include "polhode/projected/maximal/options.h"

#include <fmt/format.h>

#include <cmath>

namespace polhode::projected {

const OptionTable<MaximalProjectedOptions>& maximal_projected_options() {
  using O = MaximalProjectedOptions;
  static const OptionTable<O> table{
      {&O::fixed_step,
       {.name = "dt",
        .kind = OptionField::positive(),
        .unit = "s",
        .help = "fixed step",
        .standard_text = "the error is controlled instead"}},
      {&O::accuracy,
       {.name = "accuracy",
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
      {&O::projection,
       {.name = "projection", .help = "how points are brought onto the manifolds"},
       std::vector<std::pair<std::string, JetProjection::Kind>>{{"quasi", JetProjection::Kind::quasi},
                                                                {"orthogonal", JetProjection::Kind::orthogonal}}},
      {&O::energy,
       {.name = "invariant", .help = "invariant that steps keep exactly"},
       std::vector<std::pair<std::string, bool>>{{"energy", true}, {"none", false}}},
      {&O::planar,
       {.name = "planar", .help = "planar formulation where the mechanism allows it", .quiet = true},
       std::vector<std::pair<std::string, bool>>{{"auto", true}, {"off", false}}},
      {&O::tolerance,
       {.name = "constraint tolerance",
        .kind = OptionField::positive_up_to(1),
        .unit = "rad, m",
        .help = "constraint error allowed after a step",
        .hint = "try 1e-10"}}};
  return table;
}

std::string objection(const MaximalProjectedOptions& o) {
  if (std::string why = maximal_projected_options().objection(o); !why.empty()) return why;
  if (!(std::isfinite(o.initial_step) && o.initial_step > 0))
    return fmt::format("initial step {} s must be a positive number", o.initial_step);
  constexpr int most = JetInvariants::most - 7;  // energy and momenta
  if (int(o.invariants.size()) > most)
    return fmt::format("{} invariants were given; at most {} can be kept", o.invariants.size(), most);
  for (const Invariant& invariant : o.invariants)
    if (!invariant.value) return fmt::format("invariant \"{}\" has no value", invariant.name);
  return {};
}

}  // namespace polhode::projected
