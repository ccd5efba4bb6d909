#pragma once
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "polhode/format/runs/columns.h"

namespace polhode::format {

/// Which of a run's columns are forces, and where these act: what the viewer draws arrows of (docs/stream.md). A list of
///   {"name", "kind": "reaction" or "force", "unit", "columns": [x, y, z], "body", "point"}   in Ground axes
///   {"name", "kind": "force", "unit", "columns": [tension], "frames": [a, b]}                along the line between two frames
nlohmann::json arrows_json(const Mechanism& mechanism, const std::vector<Column>& columns);

}  // namespace polhode::format
