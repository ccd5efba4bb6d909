#include "start.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "polhode/study/inspect.h"
#include "polhode/tree/constraints.h"

namespace polhode::cli {
namespace {

/// Assembling finds contradictions in positions and velocities; those in accelerations would be shared out in silence.
void refuse_contradictions(const std::string& model, const State& start) {
  const tree::Constraints constraints(start.mechanism(), start.enabled());
  if (constraints.num_rows(RowLevel::acceleration) == 0) return;
  for (const study::ConstraintConflict& c : study::inspect(start).conflicts)
    throw std::invalid_argument(fmt::format(
        "{}: {} contradicts {}: {:.3g} of it cannot be met; `polhode check` lists all contradictions", model, c.owner,
        c.others.empty() ? "what can move" : fmt::format("{}", fmt::join(c.others, ", ")), std::abs(c.left)));
}

}  // namespace

tree::Assembly assemble_start(const std::string& model, State& start) {
  tree::Assembly assembly = tree::assemble(start, tree::given_by_model(start.mechanism()));
  if (!assembly.assembled)
    throw std::invalid_argument(fmt::format(
        "{}: the start cannot meet its constraints: {} is still off by {:.3g} (from {:.3g}). Give initial values nearer to a "
        "configuration that meets them; `polhode assemble` lists all that cannot be met",
        model, assembly.worst, assembly.error_after, assembly.error_before));

  refuse_contradictions(model, start);
  return assembly;
}

}  // namespace polhode::cli
