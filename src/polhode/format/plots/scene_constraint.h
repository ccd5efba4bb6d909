#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::format {

/// What a constraint ties, for drawing it; viewer/src/data/scene.ts says what each field means.
struct SceneConstraint {
  std::string kind;
  std::vector<int> frames{};
  std::vector<std::string> coordinates{};
  std::optional<double> length{}, radius{};
  std::optional<Vec3<double>> direction{};
};

SceneConstraint scene_constraint(const Mechanism& mechanism, const Constraint& constraint);

}  // namespace polhode::format
