#pragma once
#include <string>

/// Colours and lines of plots; those of pages are in plot_css() of plot.h.
namespace polhode::format {

/// Behind everything in a file of its own.
inline constexpr const char* paper_of_files = "#ffffff";
/// The light colours, written out: programs other than browsers know neither variables nor what the reader prefers.
std::string css_for_files();

}  // namespace polhode::format
