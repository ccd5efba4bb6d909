// A double pendulum falls from horizontal. It is described once, then stepped, looked at and asked for its energy.
//
//   $ build/examples/double_pendulum
//   after 10 s the tip is at (+0.154, -0.570) m; energy drift +1.2e-08 J in 5000 steps
#include <cmath>
#include <cstdio>

#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

int main() {
  using namespace polhode;
  const Vec3<double> y{0, 1, 0};
  MechanismBuilder builder;
  builder.add_body({.name = "upper", .mass = MassProperties::rod(1.0, {0, 0, -0.5})});  // 1 kg, 0.5 m, hanging
  builder.add_body({.name = "lower", .mass = MassProperties::rod(1.0, {0, 0, -0.5}), .drawn_pose = at(0, 0, -0.5)});
  builder.add_joint(
      {.name = "shoulder", .model = Revolute{}, .child = "upper", .placement = DrawnPlacement{.at = {}, .axis = y}});
  builder.add_joint({.name = "elbow",
                     .model = Revolute{},
                     .parent = "upper",
                     .child = "lower",
                     .placement = DrawnPlacement{.at = {0, 0, -0.5}, .axis = y}});
  builder.add_frame({.name = "tip", .body = "lower", .X_BF = at(0, 0, -0.5)});
  builder.set_initial({.coordinate = "shoulder", .value = pi / 2});
  const Mechanism mechanism = builder.build();  // checks everything, and names every problem it finds

  Vec3<double> tip{};
  const auto summary = study::simulate(State(mechanism), {.time = 10, .dt = 0.002, .options = {{"order", 6}}},
                                       [&](const State& state) { tip = state.frame_pose(mechanism.frame("tip")).p; });
  const double drift = summary.energy_end - summary.energy_start;
  std::printf("after %g s the tip is at (%+.3f, %+.3f) m; energy drift %+.1e J in %ld steps\n", summary.time_end, tip.x, tip.z,
              drift, summary.steps.steps);
  return summary.completed && std::abs(drift) < 1e-7 ? 0 : 1;
}
