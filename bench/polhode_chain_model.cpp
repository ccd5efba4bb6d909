#include "polhode_chain_model.h"

#include <fmt/format.h>

#include "chain_subject.h"
#include "polhode/mechanism/builder.h"

namespace polhode::bench {

Mechanism build_chain(int n) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, chain::gravity};
  const double I = chain::central_inertia;
  const MassProperties link{chain::link_mass, {chain::centre_of_mass, 0, 0}, SymMat3<double>::diagonal({I, I, I})};
  for (int i = 0; i < n; ++i) {
    const std::string name = fmt::format("link{}", i);
    const Mat3<double> axes = chain::turns_about_y(i) ? rotation_with_z({0, 1, 0}) : Mat3<double>::identity();
    builder.add_body({.name = name, .mass = link});
    builder.add_joint({.name = fmt::format("hinge{}", i),
                       .model = Revolute{},
                       .parent = i == 0 ? ground_name : fmt::format("link{}", i - 1),
                       .child = name,
                       .placement = LocalPlacement{{axes, {chain::hinge_offset(i), 0, 0}}, {axes, {}}}});
  }
  return builder.build();
}

}  // namespace polhode::bench
