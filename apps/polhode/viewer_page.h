#pragma once
#include <string_view>

namespace polhode::cli {

/// The browser page of `polhode view`, one file of HTML; empty where the program was built without it.
std::string_view viewer_page();

}  // namespace polhode::cli
