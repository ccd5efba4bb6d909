#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "run_feed.h"

namespace polhode::cli {

/// Writes the viewer's page with finished runs inside, as one file that needs nothing else. Returns its size in bytes. Throws
/// std::runtime_error when it cannot be written.
std::size_t export_page(const std::string& file, std::string_view page, const std::vector<const RunFeed*>& runs);

}  // namespace polhode::cli
