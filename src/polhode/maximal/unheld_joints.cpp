#include "polhode/maximal/unheld_joints.h"

#include <fmt/format.h>

#include "polhode/state/driven_paths.h"

namespace polhode::maximal {

std::vector<Unsupported> unheld_joints(const Mechanism& mechanism, std::span<const char> locked, std::string_view method) {
  const DrivenPaths paths(mechanism);
  std::vector<Unsupported> found;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    if (!locked[std::size_t(b)] || turning_of(joint.model) != Turning::none) continue;
    bool held = true;
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) held = held && paths.coordinate(u) >= 0;
    if (!held)
      found.push_back({fmt::format("joint \"{}\" ({}), whose speeds are not the rates of its coordinates, is locked, which "
                                   "method {} cannot do",
                                   joint.name, type_name(joint.model), method),
                       &MethodFeatures::own_speeds, "", joint.source});
  }
  return found;
}

std::vector<Unsupported> unsupported_in_maximal(const Mechanism& mechanism, const MethodFeatures& features,
                                                std::string_view method) {
  std::vector<Unsupported> found = unsupported(mechanism, features, method);
  std::vector<Unsupported> joints = unheld_joints(mechanism, lockable_joints(mechanism), method);
  found.insert(found.end(), joints.begin(), joints.end());
  return found;
}

}  // namespace polhode::maximal
