#pragma once
#include <string>

namespace polhode::cli {

/// Shows an address in the user's browser, where there is a display to show it on: by $BROWSER, or else by xdg-open. Does not
/// wait for it. Returns false when there is no browser to ask.
bool open_browser(const std::string& address);

}  // namespace polhode::cli
