#include "polhode/state/stepper.h"

#include <stdexcept>

namespace polhode {

void require_same(const Mechanism& mechanism, const State& state) {
  if (&state.mechanism().bodies() != &mechanism.bodies())
    throw std::invalid_argument("the state belongs to another mechanism than the stepper; make both from the same one");
}

}  // namespace polhode
