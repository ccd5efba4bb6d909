#pragma once
#include <string>

namespace polhode::cli {

/// Draws an SVG picture so many pixels wide into a PNG file. Throws std::runtime_error when that cannot be done.
void write_png(const std::string& file, const std::string& svg, int width);

}  // namespace polhode::cli
