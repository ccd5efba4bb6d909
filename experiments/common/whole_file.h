#pragma once
#include <filesystem>
#include <string>

namespace polhode::experiments {

/// Writes a file so that it is there whole or not at all: whatever was there before stays until all of the text is written.
/// Throws std::runtime_error where that cannot be done, on a full disk too.
void write_whole_file(const std::filesystem::path& file, const std::string& text);

}  // namespace polhode::experiments
