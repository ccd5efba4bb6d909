#include "chosen_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace polhode::cli {
namespace {

/// Words that a shell takes as one.
std::string shell_quoted(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=:/") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

bool is_parameter(const std::string& name, const format::Model& model) {
  return std::any_of(model.parameters.begin(), model.parameters.end(), [&](const auto& p) { return p.name == name; });
}

}  // namespace

std::string set_options(const NamedValues& values, const format::Model& model) {
  std::string line;
  for (const auto& [name, value] : values)
    if (is_parameter(name, model))
      line += (line.empty() ? "" : " ") + std::string("--set ") + shell_quoted(fmt::format("{}={}", name, value));
  return line;
}

std::string start_values(const NamedValues& values, const format::Model& model) {
  std::string line;
  for (const auto& [name, value] : values)
    if (!is_parameter(name, model)) line += fmt::format("{}{} = {}", line.empty() ? "" : ", ", name, value);
  return line;
}

void write_file(const std::string& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!out)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", file, errno != 0 ? std::strerror(errno) : "unknown reason"));
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: writing failed; is the disk full?", file));
}

}  // namespace polhode::cli
