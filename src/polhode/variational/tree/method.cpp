#include "polhode/variational/tree/method.h"

#include <fmt/format.h>

#include "polhode/variational/tree/tree_variational.h"

namespace polhode::variational {
namespace {

void add_joints(const Mechanism& mechanism, std::vector<Unsupported>& found) {
  for (const Joint& joint : mechanism.joints())
    if (std::holds_alternative<Custom>(joint.model) && !OtherJoint::can_step(joint.model))
      found.push_back({fmt::format("joint \"{}\" is a custom joint ({}) whose speeds are not the rates of its coordinates, "
                                   "which method {} cannot simulate",
                                   joint.name, type_name(joint.model), TreeVariational::method_name),
                       &MethodFeatures::own_speeds, "", joint.source});
}

}  // namespace

std::vector<Unsupported> unsupported_by_tree_variational(const Mechanism& mechanism) {
  std::vector<Unsupported> found = unsupported(mechanism, TreeVariational::features, TreeVariational::method_name);
  add_joints(mechanism, found);
  return found;
}

const MethodEntry& tree_variational_method() {
  static const MethodEntry entry{
      .name = std::string(TreeVariational::method_name),
      .features = TreeVariational::features,
      .options = tree_variational_options().fields(),
      .unsupported = unsupported_by_tree_variational,
      .objection = [](const Mechanism&, const OptionValues& values) { return objection_to_tree_variational(values); },
      .make = [](const Mechanism& mechanism, const OptionValues& values) -> std::unique_ptr<Stepper> {
        return std::make_unique<TreeVariational>(mechanism, tree_variational_options().read(values));
      }};
  return entry;
}

}  // namespace polhode::variational
