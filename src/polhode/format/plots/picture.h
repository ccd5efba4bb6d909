#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"

namespace polhode::format {

/// A way through space, drawn as a line in one of the styles of plots.
struct PicturePath {
  std::string name;
  std::vector<Vec3<double>> points;  ///< [m]
  int style = 0;
};

/// A drawing of the mechanism as it stands in this state (realized to position), and of paths: each body as spokes from its
/// centre of mass to its joints and frames; springs and wires dashed. Seen from the side where it is flat, else from above at a
/// slant. An <svg> element in the styles of plot_css().
std::string mechanism_picture(const State& state, const std::string& title, const std::vector<PicturePath>& paths);

}  // namespace polhode::format
