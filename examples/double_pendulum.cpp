// A double pendulum falls from horizontal. It is described once, then stepped, looked at and asked for its energy.
//
//   $ build/examples/double_pendulum
//   after 10 s the tip is at (+0.154, -0.570) m; energy drift +1.2e-08 J in 5000 steps
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

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

  Simulation simulation(mechanism, {.method = "tree-variational", .dt = 0.002, .options = {{"order", 6}}});
  const double energy = simulation.energy();
  simulation.advance_to(10);

  const Vec3<double> tip = simulation.state().frame_pose(mechanism.frame("tip")).p;
  const double drift = simulation.energy() - energy;
  std::printf("after %g s the tip is at (%+.3f, %+.3f) m; energy drift %+.1e J in %ld steps\n", simulation.time(), tip.x, tip.z,
              drift, simulation.statistics().steps);
  return std::abs(drift) < 1e-7 ? 0 : 1;
}
