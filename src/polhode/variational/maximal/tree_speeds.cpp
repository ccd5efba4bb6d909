#include "polhode/variational/maximal/tree_speeds.h"

#include "polhode/tree/dynamics.h"
#include "polhode/variational/maximal/six_vector.h"

namespace polhode::variational {

TreeSpeeds::TreeSpeeds(const Mechanism& mechanism) : workspace_(mechanism), generalized_(std::size_t(mechanism.num_u())) {}

bool TreeSpeeds::serves(const Mechanism& mechanism) { return mechanism.num_constraint_elements() == 0; }

void TreeSpeeds::find(std::span<const double> q, const maximal::Bodies& bodies, std::span<const double> momenta,
                      std::span<double> u) {
  const Mechanism& m = workspace_.mechanism();
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const double* const of = momenta.data() + b * maximal::row_width;
    const Mat3<double> R = rotation(bodies[b].r);
    workspace_.wrenches_B[b] = {R * angular(of) + cross(R * m.bodies()[b].mass.com, linear_part(of)), linear_part(of)};
  }
  tree::positions(workspace_, q);
  tree::multiply_jacobian_transpose(workspace_, workspace_.wrenches_B, generalized_);
  tree::factor_mass(workspace_);
  tree::solve_mass(workspace_, generalized_, u);
}

}  // namespace polhode::variational
