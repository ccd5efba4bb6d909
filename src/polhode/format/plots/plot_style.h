#pragma once
#include <string>
#include <utility>
#include <vector>

/// Colours and lines of plots; those of pages are in plot_css() of plot.h.
namespace polhode::format {

/// Behind everything in a file of its own.
inline constexpr const char* paper_of_files = "#ffffff";
/// The light colours, written out: programs other than browsers know neither variables nor what the reader prefers.
std::string css_for_files();

/// A small mark at each place, of the shape and colour of a style; some are hollow.
std::string markers(int style, const std::vector<std::pair<double, double>>& places);

}  // namespace polhode::format
