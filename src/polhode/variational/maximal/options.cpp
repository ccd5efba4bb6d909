#include "polhode/variational/maximal/options.h"

namespace polhode::variational {

const OptionTable<MaximalVariationalOptions>& maximal_variational_options() {
  using O = MaximalVariationalOptions;
  static const OptionTable<O> table{
      {&O::step, {.name = "dt", .kind = OptionField::positive(), .unit = "s", .help = "fixed step"}},
      {&O::order, {.name = "order", .kind = OptionField::Whole{{1, 2, 4, 6}}, .help = "order of the method"}},
      {&O::tolerance,
       {.name = "tolerance",
        .kind = OptionField::positive_up_to(1e-3),
        .unit = "rad, m",
        .help = "error that Newton's iteration may leave"}}};
  return table;
}

std::string objection(const MaximalVariationalOptions& o) { return maximal_variational_options().objection(o); }

}  // namespace polhode::variational
