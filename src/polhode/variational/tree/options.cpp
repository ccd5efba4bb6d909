#include "polhode/variational/tree/options.h"

#include <fmt/format.h>

namespace polhode::variational {

const OptionTable<TreeVariationalOptions>& tree_variational_options() {
  using O = TreeVariationalOptions;
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
      {&O::alpha, {.name = "alpha", .kind = OptionField::Real{0, 1}, .help = "where in the step the Lagrangian is taken"}},
      {&O::order, {.name = "order", .kind = OptionField::Whole{{2, 4, 6}}, .help = "order of the method"}},
      {&O::tolerance,
       {.name = "tolerance",
        .kind = OptionField::positive_up_to(1e-3),
        .unit = "rad, m",
        .help = "error that Newton's iteration may leave"}}};
  return table;
}

std::string objection(const TreeVariationalOptions& o) {
  if (std::string why = tree_variational_options().objection(o); !why.empty()) return why;
  if (o.order != 2 && o.alpha != 0.5)
    return fmt::format("order {} is made of symmetric steps, so alpha must be 0.5, not {}", o.order, o.alpha);
  if (o.choose_steps() && o.alpha != 0.5)
    return fmt::format("steps that are chosen (accuracy, largest step) must be symmetric, so alpha must be 0.5, not {}",
                       o.alpha);
  return {};
}

std::string objection_to_tree_variational(const OptionValues& given) {
  if (std::string why = tree_variational_options().objection(given); !why.empty()) return why;
  for (const char* chosen : {"accuracy", "largest step"})
    if (given.has(chosen) && given.has("dt"))
      return fmt::format("{} is for steps that are chosen, and dt for steps of one size; give one of the two", chosen);
  return objection(tree_variational_options().read(given));
}

}  // namespace polhode::variational
