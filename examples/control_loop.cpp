// A controller that samples every millisecond. It swings a pendulum of 1 kg and 1 m up with a motor that is too weak to lift it
// at once (5 N m; it takes 9.81 N m), by adding energy while there is too little; near the top it balances. The motor's input
// changes with every sample; the method goes on as it is, and nothing is allocated.
//
//   $ build/examples/control_loop
//   upright after 20 s: off by 0.0000 rad; the motor's work 19.6195 J, the energy gained 19.6195 J
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "polhode/polhode.h"

int main() {
  using namespace polhode;
  const Mechanism mechanism = format::read_model(R"((system (ry "pin" (tz -1 (mass 1)))
    (motor "drive" "pin" (force -5 5)) (initial ("pin" 0.01))))",
                                                 "pendulum.pol")
                                  .mechanism;
  const auto stepper = study::make_stepper(mechanism, {.dt = 1e-3});
  State state = tree::initial_state(mechanism);
  stepper->set(state);

  std::vector<double> inputs(mechanism.inputs().size());
  const std::size_t drive = std::size_t(mechanism.input("drive"));
  const double top = std::acos(-1), start = -9.81 * std::cos(0.01);
  double work = 0;
  for (int k = 0; k < 20000; ++k) {
    stepper->get(state);
    const double q = state.q()[0], u = state.u()[0];
    const double off = std::remainder(q - top, 2 * top);               // from upright [rad]
    const double missing = 9.81 - (0.5 * u * u - 9.81 * std::cos(q));  // energy [J]
    inputs[drive] = std::abs(off) < 0.2 ? -40 * off - 12 * u : std::copysign(std::min(5.0, 2 * std::abs(missing)), missing * u);
    stepper->set_inputs(inputs);
    if (const StepReport report = stepper->step(1e9); !report.ok()) return std::puts(stepper->explain(report).c_str()), 1;
    stepper->get(state);
    work += std::clamp(inputs[drive], -5.0, 5.0) * (state.q()[0] - q);
  }
  const double off = std::remainder(state.q()[0] - top, 2 * top);
  const double gained = 0.5 * state.u()[0] * state.u()[0] - 9.81 * std::cos(state.q()[0]) - start;
  std::printf("upright after 20 s: off by %.4f rad; the motor's work %.4f J, the energy gained %.4f J\n", std::abs(off), work,
              gained);
  return std::abs(off) < 1e-4 && std::abs(work - gained) < 1e-3 ? 0 : 1;
}
