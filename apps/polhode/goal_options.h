#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"
#include "polhode/tree/assembly_goals.h"

/// Options that name a frame or coordinate of the model.
namespace polhode::cli {

/// `FRAME=x,y,z` or `FRAME=x,y,z:weight`. Throws std::invalid_argument that names the option, the text and the form wanted.
tree::PointGoal point_goal(const std::string& text, const Mechanism& mechanism);
/// `NAME=value` or `NAME=value:weight`.
tree::CoordinateGoal coordinate_goal(const std::string& text, const Mechanism& mechanism);
/// By speed, not 0 where named: each name is a joint, a coordinate or a speed. `option` is for messages.
std::vector<char> speeds_named(const std::vector<std::string>& names, const Mechanism& mechanism, const std::string& option);

/// Refuses a result that would overwrite one of the inputs.
void require_not_an_input(const std::string& out, const std::vector<std::string>& inputs);

}  // namespace polhode::cli
