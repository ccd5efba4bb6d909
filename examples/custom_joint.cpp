// A joint type of one's own: a bead slides on a helix of radius r and lead p. Under gravity along the axis it must
// accelerate by g p / (r^2 + p^2) in angle, as the closed form says.
//
//   $ build/examples/custom_joint
//   bead on a helix: 15.092308 rad/s^2, closed form 15.092308 rad/s^2
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

class Helix : public CustomJoint {
 public:
  Helix(double radius, double lead) : r_(radius), p_(lead) {}
  std::string_view type_name() const override { return "helix"; }
  int nq() const override { return 1; }
  int nv() const override { return 1; }

  Transform<double> X_FM(const double* q) const override { return at(r_ * std::cos(q[0]), r_ * std::sin(q[0]), -p_ * q[0]); }
  void H_FM(const double* q, Motion<double>* H) const override {
    H[0] = {{}, {-r_ * std::sin(q[0]), r_ * std::cos(q[0]), -p_}};
  }
  Motion<double> Hdot_u(const double* q, const double* u) const override {
    return {{}, {-r_ * std::cos(q[0]) * u[0] * u[0], -r_ * std::sin(q[0]) * u[0] * u[0], 0}};
  }

 private:
  double r_, p_;
};

}  // namespace

int main() {
  const double r = 0.3, p = 0.2, g = 9.81;
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(0.01)});
  builder.add_joint({.name = "wire", .model = Custom(std::make_shared<Helix>(r, p)), .child = "bead"});
  State state(builder.build());
  state.set_u(0, 2.0);  // the result must not depend on the speed
  tree::realize(state, Stage::acceleration);

  const double expected = g * p / (r * r + p * p);
  std::printf("bead on a helix: %.6f rad/s^2, closed form %.6f rad/s^2\n", state.u_dot()[0], expected);
  return std::abs(state.u_dot()[0] - expected) < 1e-12 ? 0 : 1;
}
