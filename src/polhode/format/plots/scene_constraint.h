#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::format {

/// What a constraint ties, for drawing it; viewer/src/data/scene.ts says what each field means.
struct SceneConstraint {
  std::string kind;
  std::vector<int> frames{};
  std::vector<std::string> coordinates{};
  std::vector<std::pair<std::string, double>> lengths{};  ///< [m], by what they are called: length, radius
  std::optional<Vec3<double>> direction{};                ///< in the first frame's axes
};

SceneConstraint scene_constraint(const Mechanism& mechanism, const Constraint& constraint);

}  // namespace polhode::format
