#include "whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace polhode::experiments {

void write_whole_file(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path part = file;
  part += fmt::format(".{}.part", getpid());  // another run may be at it too
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(part, file, error);
  if (out && !error) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace polhode::experiments
