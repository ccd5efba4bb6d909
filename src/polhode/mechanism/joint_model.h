#pragma once
#include <variant>

#include "polhode/mechanism/joints/ball.h"
#include "polhode/mechanism/joints/prismatic.h"
#include "polhode/mechanism/joints/revolute.h"

namespace polhode {

/// Every joint type the library knows; a user's own goes in as Custom.
using JointModel = std::variant<Revolute, Prismatic, Ball>;

inline int num_coordinates(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nq); }, joint);
}
inline int num_speeds(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nv); }, joint);
}
inline int num_chart_coordinates(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nchart); }, joint);
}
inline std::string_view type_name(const JointModel& joint) {
  return std::visit([](const auto& j) { return std::string_view(j.type); }, joint);
}

}  // namespace polhode
