#include "polhode/projected/tree/method.h"

#include "polhode/projected/tree/integrator.h"
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/projected/tree/units.h"

namespace polhode::projected {

const MethodEntry& tree_projected_method() {
  static const MethodEntry entry{
      .name = std::string(Integrator::method_name),
      .features = Integrator::features,
      .options = tree_projected_options().fields(),
      .unsupported =
          [](const Mechanism& mechanism) { return unsupported(mechanism, Integrator::features, Integrator::method_name); },
      .objection =
          [](const Mechanism& mechanism, const OptionValues& values) {
            std::string why = tree_projected_options().objection(values);
            if (!why.empty()) return why;
            const Options options = tree_projected_options().read(values);
            why = objection(options);
            return why.empty() ? objection_to_units(mechanism, options) : why;
          },
      .make = [](const Mechanism& mechanism,
                 const OptionValues& values) { return make_integrator(mechanism, tree_projected_options().read(values)); }};
  return entry;
}

}  // namespace polhode::projected
