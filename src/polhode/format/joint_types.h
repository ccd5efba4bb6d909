#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/joint_model.h"

namespace polhode::format {

/// The joint type of that name or alias (pin, slider, ball, ...), in any case.
std::optional<JointModel> joint_named(std::string_view type);
/// Names for an error message, without aliases.
std::vector<std::string> joint_type_names();

}  // namespace polhode::format
