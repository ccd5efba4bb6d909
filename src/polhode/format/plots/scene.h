#pragma once
#include <string>

#include "polhode/mechanism/mechanism.h"

namespace polhode::format {

/// What a mechanism looks like, as JSON for the viewer; viewer/src/data/scene.ts says what each field means. Bodies and frames
/// are numbered as the mechanism numbers them.
std::string scene_json(const Mechanism& mechanism);

}  // namespace polhode::format
