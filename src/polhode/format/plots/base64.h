#pragma once
#include <string>
#include <string_view>

namespace polhode::format {

/// Bytes as text of the 64 characters A-Z a-z 0-9 + /, filled up with = (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace polhode::format
