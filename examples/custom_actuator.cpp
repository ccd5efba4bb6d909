// A force with states of its own: a motor whose torque z lags behind the torque that is asked for, dz/dt = (asked - z) / T.
// The torque is an auxiliary state of the State, what is asked for a discrete variable. Explicit steps of z alone must follow
// the closed form z(t) = asked (1 - exp(-t / T)), and the rotor the torque.
//
//   $ build/examples/custom_actuator
//   after 0.3 s the torque is 0.9502 N m, closed form 0.9502 N m; the rotor accelerates at 19.0 rad/s^2
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

  tree::Workspace w(mechanism);
  State state(mechanism);
  std::vector<double> z(state.z().begin(), state.z().end()), z_dot(1), none(1), u_dot(1);
  tree::kinematics(w, state.q(), state.u());
  tree::read_bodies(w);
  constexpr int steps = 100000;
  for (int i = 0; i < steps; ++i) {
    tree::z_rates(w, {0, {}, z, state.discrete()}, state.q(), state.u(), z_dot);
    z[0] += t_end / steps * z_dot[0];
  }
  tree::accelerations_under_all_forces(w, {t_end, {}, z, state.discrete()}, state.q(), state.u(), none, u_dot);

  const double expected = 1 - std::exp(-t_end / lag);
  std::printf("after %g s the torque is %.4f N m, closed form %.4f N m; the rotor accelerates at %.1f rad/s^2\n", t_end, z[0],
              expected, u_dot[0]);
  return std::abs(z[0] - expected) < 1e-5 && std::abs(u_dot[0] - z[0] / inertia) < 1e-9 ? 0 : 1;
}
