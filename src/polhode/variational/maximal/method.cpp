#include "polhode/variational/maximal/method.h"

#include "polhode/maximal/unheld_joints.h"
#include "polhode/variational/maximal/maximal_variational.h"

namespace polhode::variational {

const MethodEntry& maximal_variational_method() {
  static const MethodEntry entry{
      .name = std::string(MaximalVariational::method_name),
      .features = MaximalVariational::features,
      .options = maximal_variational_options().fields(),
      .unsupported =
          [](const Mechanism& mechanism) {
            return maximal::unsupported_in_maximal(mechanism, MaximalVariational::features, MaximalVariational::method_name);
          },
      .objection = [](const Mechanism&, const OptionValues& values) { return objection_to_maximal_variational(values); },
      .make = [](const Mechanism& mechanism, const OptionValues& values) -> std::unique_ptr<Stepper> {
        return std::make_unique<MaximalVariational>(mechanism, maximal_variational_options().read(values));
      }};
  return entry;
}

}  // namespace polhode::variational
