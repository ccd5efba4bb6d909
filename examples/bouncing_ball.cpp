// Events in code. A ball falls from 1 m and bounces, keeping 0.8 of its speed: an event watches its height, and its handler
// turns the speed round. Bounces must come when the closed form says: the first after T = sqrt(2 H / g), then 2 T e^n apart.
// The eighth bounce stops the run.
//
//   $ build/examples/bouncing_ball
//   8 bounces, the last at 3.306182 s; the closed form says 3.306182 s
//   event "bounce" at t = 3.3061818 s: eight are enough
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

int main() {
  using namespace polhode;
  const double g = 9.81, height = 1, e = 0.8;
  const Mechanism mechanism = format::read_model("(system (tz \"z\" (mass 0.1)) (initial (\"z\" 1)))", "ball.pol").mechanism;

  int bounces = 0;
  const study::Event bounce{
      .name = "bounce",
      .when = study::Trigger{.witness = [](const State& state) { return state.q()[0]; },  // crosses zero at the floor
                             .stage = Stage::time,                                        // q needs nothing computed
                             .direction = Crossing::falls},
      .handle = [&](State& state) {
        state.set_u(0, -e * state.u()[0]);
        return ++bounces == 8 ? study::EventAction{.stop = true, .text = "eight are enough"} : study::EventAction{};
      }};
  const auto summary = study::simulate(State(mechanism), {.method = "tree-projected", .time = 10}, {}, {}, {bounce});

  const double fall = std::sqrt(2 * height / g);
  double expected = fall;
  for (int n = 1; n < 8; ++n) expected += 2 * fall * std::pow(e, n);
  std::printf("%d bounces, the last at %.6f s; the closed form says %.6f s\n", bounces, summary.time_end, expected);
  std::printf("%s\n", summary.stopped_by.c_str());
  return summary.completed && bounces == 8 && std::abs(summary.time_end - expected) < 1e-7 ? 0 : 1;
}
