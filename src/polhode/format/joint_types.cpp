#include "polhode/format/joint_types.h"

#include <utility>

#include "polhode/format/lexer.h"

namespace polhode::format {
namespace {

template <class Visit, std::size_t... i>
void for_each_type(Visit visit, std::index_sequence<i...>) {
  (visit(std::variant_alternative_t<i, JointModel>{}), ...);
}
template <class Visit>
void for_each_type(Visit visit) {
  for_each_type(visit, std::make_index_sequence<std::variant_size_v<JointModel>>{});
}

}  // namespace

std::optional<JointModel> joint_named(std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> aliases[] = {
      {"pin", "revolute"}, {"slider", "prismatic"}, {"translational", "prismatic"}, {"ball", "spherical"}};
  for (const auto& [alias, meant] : aliases) {
    if (same_keyword(type, alias)) type = meant;
  }
  std::optional<JointModel> found;
  for_each_type([&](const auto& joint) {
    if (same_keyword(type, joint.type)) found = joint;
  });
  return found;
}

std::vector<std::string> joint_type_names() {
  std::vector<std::string> names;
  for_each_type([&](const auto& joint) { names.emplace_back(joint.type); });
  return names;
}

}  // namespace polhode::format
