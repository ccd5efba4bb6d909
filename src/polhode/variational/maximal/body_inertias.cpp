#include "polhode/variational/maximal/body_inertias.h"

#include <algorithm>

#include "polhode/variational/maximal/acceptance.h"

namespace polhode::variational {

std::vector<BodyInertia> body_inertias(const Mechanism& mechanism, double weight) {
  std::vector<BodyInertia> inertias;
  for (const Body& body : mechanism.bodies()) {
    const Mat3<double> J = body.mass.inertia.full();
    const double turning = std::max({J(0, 0), J(1, 1), J(2, 2)}), mass = body.mass.mass;
    inertias.push_back({J, mass, 1 / (turning > 0 ? std::max(turning, acceptance::least_inertia * weight) : weight),
                        1 / (mass > 0 ? std::max(mass, acceptance::least_mass * weight) : weight)});
  }
  return inertias;
}

double typical_mass(const Mechanism& mechanism) {
  double sum = 0;
  int count = 0;
  for (const Body& body : mechanism.bodies()) {
    if (!(body.mass.mass > 0)) continue;
    sum += body.mass.mass;
    ++count;
  }
  return count > 0 ? sum / count : 1;
}

double kinetic_energy(std::span<const BodyInertia> inertias, const maximal::Bodies& velocities) {
  double twice = 0;
  for (std::size_t b = 1; b < velocities.size(); ++b) {
    const auto& [x, r, w, v] = velocities[b];
    twice += inertias[b].mass * dot(v, v) + dot(w, inertias[b].J * w);
  }
  return 0.5 * twice;
}

}  // namespace polhode::variational
