// A force with states of its own: a motor whose torque z lags behind the torque that is asked for, dz/dt = (asked - z) / T.
// The torque is an auxiliary state of the State, what is asked for a discrete variable. By every method the torque must follow
// the closed form z(t) = asked (1 - exp(-t / T)), and the rotor's speed its integral, asked (t - T + T exp(-t / T)) / inertia.
//
//   $ build/examples/custom_actuator
//   after 0.3 s the torque is 0.9502 N m and the rotor turns at 4.1 rad/s
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

class Motor : public ForceElement {
 public:
  Motor(int speed, double lag) : speed_(speed), lag_(lag) {}
  std::vector<double> initial_z() const override { return {0}; }
  std::vector<std::string> z_names() const override { return {"motor torque"}; }
  std::vector<double> initial_discrete() const override { return {1}; }
  std::vector<std::string> discrete_names() const override { return {"torque asked"}; }
  void add_forces(const Configuration& c, AppliedForces& forces) const override { forces.generalized[speed_] += c.z[0]; }
  void z_rates(const Configuration& c, std::span<double> z_dot) const override { z_dot[0] = (c.discrete[0] - c.z[0]) / lag_; }

 private:
  int speed_;
  double lag_;  // T [s]
};

}  // namespace

int main() {
  const double lag = 0.1, inertia = 0.05, t_end = 0.3;
  MechanismBuilder builder;
  builder.add_body({.name = "rotor", .mass = {.mass = 1, .inertia = {inertia, inertia, inertia, 0, 0, 0}}});
  builder.add_joint({.name = "shaft", .model = Revolute{}, .child = "rotor"});
  builder.add_force_element([&](const Mechanism& m) { return std::make_shared<Motor>(m.speed("shaft'"), lag); });
  const Mechanism mechanism = builder.build();

  const double torque = 1 - std::exp(-t_end / lag), speed = (t_end - lag * torque) / inertia;
  std::printf("after %g s the torque is %.4f N m and the rotor turns at %.1f rad/s\n", t_end, torque, speed);
  double worst = 0;
  for (const char* method : {"tree-variational", "maximal-variational", "tree-projected", "maximal-projected"}) {
    double z = 0, u = 0;
    study::simulate(tree::initial_state(mechanism), {.method = method, .time = t_end, .dt = 1e-3},
                    [&](const State& state) { z = state.z()[0], u = state.u()[0]; });
    worst = std::max({worst, std::abs(z - torque), std::abs(u - speed)});
  }
  return worst < 1e-4 ? 0 : 1;  // of the variational methods, whose steps have errors of h^2 / (12 T^2)
}
