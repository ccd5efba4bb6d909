// Are the derivatives of a potential of one's own right? A pendulum in the field E = k (1 - cos(2 q)), whose force is
// -2 k sin(2 q) and whose force has the slope -4 k cos(2 q). A second version forgets a factor of two, and is caught.
//
//   $ build/examples/checked_potential
//   right: forces against minus the gradient of the energy: agree
//   wrong: forces against minus the gradient of the energy: DIFFER
#include <cmath>
#include <cstdio>
#include <string>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

class TwofoldField : public Potential {
 public:
  TwofoldField(int q, int u, double factor) : q_(q), u_(u), factor_(factor) {}
  double energy(const Configuration& c) const override { return k * (1 - std::cos(2 * c.q[q_])); }
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.generalized[u_] -= factor_ * k * std::sin(2 * c.q[q_]);
  }
  bool add_derivatives(const Configuration& c, ForceDerivatives& out) const override {
    out.add_by_displacement(u_, u_, -2 * factor_ * k * std::cos(2 * c.q[q_]));
    return true;
  }

 private:
  static constexpr double k = 0.4;  // [J]
  int q_, u_;
  double factor_;
};

}  // namespace

int main() {
  MechanismBuilder builder;
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {0, 0, -1})});
  builder.add_joint({.name = "pin", .child = "rod", .placement = DrawnPlacement{.axis = Vec3<double>{0, 1, 0}}});
  const Mechanism m = builder.build();
  const int q = m.coordinate("pin"), u = m.speed("pin'");

  const tree::ElementCheck right = tree::check_derivatives(TwofoldField(q, u, 2), m);
  const tree::ElementCheck wrong = tree::check_derivatives(TwofoldField(q, u, 1), m);
  std::printf("right: %s\n", right.text.substr(0, right.text.find(';')).c_str());
  std::printf("wrong: %s\n", wrong.text.substr(0, wrong.text.find(';')).c_str());
  return right.passed && right.gives_derivatives && !wrong.passed ? 0 : 1;
}
