#include "polhode/mechanism/body_size.h"

#include <algorithm>
#include <cmath>

namespace polhode {

double largest_body(const Mechanism& mechanism) {
  double size = 0;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    const MassProperties& mass = mechanism.bodies()[std::size_t(b)].mass;
    const SymMat3<double>& I = mass.inertia;
    const double gyration = mass.mass > 0 ? std::sqrt(std::max(0.0, I.xx + I.yy + I.zz) / (2 * mass.mass)) : 0;
    const double to_parent = mechanism.bodies()[std::size_t(b)].parent > 0 ? norm(joint.X_PF.p) : 0;
    size = std::max({size, to_parent, norm(joint.X_MB.p), norm(mass.com), gyration});
  }
  return size;
}

}  // namespace polhode
