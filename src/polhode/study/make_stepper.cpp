#include <stdexcept>

#include "polhode/study/simulate.h"

namespace polhode::study {

std::unique_ptr<Stepper> make_stepper(const Mechanism& mechanism, const SimulateOptions& options) {
  if (const std::string why = objection(mechanism, options); !why.empty()) throw std::invalid_argument(why);
  const MethodEntry& method = method_named(options.method);
  require_supported(method, mechanism);
  return method.make(mechanism, given_values(options));
}

}  // namespace polhode::study
