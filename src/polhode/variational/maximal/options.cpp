#include "polhode/variational/maximal/options.h"

#include <fmt/format.h>

namespace polhode::variational {

const OptionTable<MaximalVariationalOptions>& maximal_variational_options() {
  using O = MaximalVariationalOptions;
  static const OptionTable<O> table{
      {&O::step, {.name = "dt", .kind = OptionField::positive(), .unit = "s", .help = "fixed step"}},
      {&O::accuracy,
       {.name = "accuracy",
        .kind = OptionField::Real{1e-15, 0.01},
        .help = "relative error of the rate at which a motion swings, for which steps are chosen",
        .hint = "try 1e-4",
        .standard_text = "steps are of one size; 0.0001 with a largest step",
        .not_with = "dt"}},
      {&O::largest_step,
       {.name = "largest step",
        .kind = OptionField::positive(),
        .unit = "s",
        .help = "longest step that may be chosen",
        .standard_text = "0.1 s with an accuracy",
        .flag = "max-step",
        .not_with = "dt"}},
      {&O::order, {.name = "order", .kind = OptionField::Whole{{1, 2, 4, 6}}, .help = "order of the method"}},
      {&O::tolerance,
       {.name = "tolerance",
        .kind = OptionField::positive_up_to(1e-3),
        .unit = "rad, m",
        .help = "error that Newton's iteration may leave"}}};
  return table;
}

std::string objection(const MaximalVariationalOptions& o) {
  if (std::string why = maximal_variational_options().objection(o); !why.empty()) return why;
  if (o.choose_steps() && o.order == 1)
    return "steps that are chosen (accuracy, largest step) must be symmetric, which those of order 1 are not; give order 2, 4 "
           "or 6";
  return {};
}

std::string objection_to_maximal_variational(const OptionValues& given) {
  if (std::string why = maximal_variational_options().objection(given); !why.empty()) return why;
  for (const char* chosen : {"accuracy", "largest step"})
    if (given.has(chosen) && given.has("dt"))
      return fmt::format("{} is for steps that are chosen, and dt for steps of one size; give one of the two", chosen);
  return objection(maximal_variational_options().read(given));
}

}  // namespace polhode::variational
