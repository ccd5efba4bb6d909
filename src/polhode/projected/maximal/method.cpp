#include "polhode/projected/maximal/method.h"

#include "polhode/maximal/unheld_joints.h"
#include "polhode/projected/maximal/maximal_projected.h"

namespace polhode::projected {

const MethodEntry& maximal_projected_method() {
  static const MethodEntry entry{
      .name = std::string(MaximalProjected::method_name),
      .features = MaximalProjected::features,
      .options = maximal_projected_options().fields(),
      .unsupported =
          [](const Mechanism& mechanism) {
            return maximal::unsupported_in_maximal(mechanism, MaximalProjected::features, MaximalProjected::method_name);
          },
      .objection =
          [](const Mechanism&, const OptionValues& values) {
            const std::string why = maximal_projected_options().objection(values);
            return why.empty() ? objection(maximal_projected_options().read(values)) : why;
          },
      .make = [](const Mechanism& mechanism, const OptionValues& values) -> std::unique_ptr<Stepper> {
        return std::make_unique<MaximalProjected>(mechanism, maximal_projected_options().read(values));
      }};
  return entry;
}

}  // namespace polhode::projected
