#include "polhode/stepping/signal_breaks.h"

#include <algorithm>

namespace polhode::stepping {

std::vector<double> signal_breaks(const Mechanism& mechanism) {
  std::vector<double> times;
  for (const DrivenSpeed& driven : mechanism.driven()) driven.signal.add_breaks(times);
  for (const DrivenOrientation& driven : mechanism.orientations()) driven.orientation.add_breaks(times);
  mechanism.forces().for_each([&](const auto& force) { force.add_breaks(times); });
  for (const Constraint& constraint : mechanism.constraints())
    std::visit(
        [&](const auto& model) {
          if constexpr (LinearConstraint<std::remove_cvref_t<decltype(model)>>) model.equation().signal.add_breaks(times);
        },
        constraint.model);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace polhode::stepping
