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

/// A joint that turns on the group moves as a whole or not at all: one of its speeds alone is no coordinate's rate, and to
/// prescribe it is a nonholonomic constraint.
void add_motions(const Mechanism& mechanism, std::vector<Unsupported>& found) {
  const DiscreteTree tree(mechanism);
  for (const GeneralJoint& joint : tree.general()) {
    const auto driven = mechanism.driven_speeds().subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
    const auto free = std::find(driven.begin(), driven.end(), char(0));
    const auto held = std::find_if(driven.begin(), driven.end(), [](char is) { return is != 0; });
    if (free == driven.end() || held == driven.end()) continue;
    const auto name = [&](auto at) { return mechanism.speed_names()[std::size_t(joint.first_u + (at - driven.begin()))]; };
    const auto motion = std::find_if(mechanism.driven().begin(), mechanism.driven().end(),
                                     [&](const DrivenSpeed& d) { return d.u == joint.first_u + (held - driven.begin()); });
    found.push_back({fmt::format("speed \"{}\" follows a signal and speed \"{}\" of the same joint does not: that is "
                                 "nonholonomic, which method {} can do by a constraint on speeds only",
                                 name(held), name(free), TreeVariational::method_name),
                     &MethodFeatures::single_speeds, "drive all speeds that turn the joint", motion->source});
  }
}

}  // namespace

std::vector<Unsupported> unsupported_by_tree_variational(const Mechanism& mechanism) {
  std::vector<Unsupported> found = unsupported(mechanism, TreeVariational::features, TreeVariational::method_name);
  add_joints(mechanism, found);
  add_motions(mechanism, found);
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
