#include "polhode/variational/tree/options.h"

#include <fmt/format.h>

namespace polhode::variational {

const OptionTable<TreeVariationalOptions>& tree_variational_options() {
  using O = TreeVariationalOptions;
  static const OptionTable<O> table{
      {&O::step, {.name = "dt", .kind = OptionField::positive(), .unit = "s", .help = "fixed step"}},
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
  return {};
}

}  // namespace polhode::variational
