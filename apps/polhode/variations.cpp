#include "variations.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "usage.h"

namespace polhode::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& text, const std::string& why) {
  throw std::invalid_argument(fmt::format("{} \"{}\": {}", option, text, why));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

double finite(const char* option, const std::string& text, const std::string& part) {
  const double value = number(part);
  if (!std::isfinite(value)) refuse(option, text, fmt::format("\"{}\" is not a finite number", part));
  return value;
}

/// NAME and what follows the last =, which may stand in names too; a name may be in double quotes.
std::pair<std::string, std::string> name_and_rest(const char* option, const std::string& text, const char* usage) {
  if (const auto quoted = quoted_name(option, text)) {
    if (quoted->rest.size() < 2 || quoted->rest.front() != '=') refuse(option, text, fmt::format("write {}", usage));
    return {quoted->name, quoted->rest.substr(1)};
  }
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(option, text, fmt::format("write {}", usage));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

study::Range parse_range(const std::string& text) {
  constexpr const char *option = "--vary", *usage = "NAME=first:last:count or NAME=value,value,...";
  const auto [name, rest] = name_and_rest(option, text, usage);
  study::Range range{.name = name};
  if (rest.find(':') == std::string::npos) {
    for (const std::string& part : split(rest, ',')) range.list.push_back(finite(option, text, part));
    return range;
  }
  const auto parts = split(rest, ':');
  if (parts.size() != 3) refuse(option, text, fmt::format("write {}", usage));
  range.first = finite(option, text, parts[0]);
  range.last = finite(option, text, parts[1]);
  const double count = finite(option, text, parts[2]);
  if (count != std::floor(count) || count < 1)
    refuse(option, text, fmt::format("the count {} must be a whole number from 1", parts[2]));
  if (count > double(study::most_runs))
    refuse(option, text, fmt::format("{} runs are too many; at most {} are allowed", parts[2], study::most_runs));
  range.count = long(count);
  return range;
}

study::Distribution parse_distribution(const std::string& text) {
  constexpr const char *option = "--random", *usage = "NAME=normal(mean,deviation) or NAME=uniform(low,high)";
  const auto [name, rest] = name_and_rest(option, text, usage);
  study::Distribution result{.name = name};
  const std::size_t open = rest.find('(');
  if (open == std::string::npos || rest.back() != ')') refuse(option, text, fmt::format("write {}", usage));
  const std::string kind = rest.substr(0, open);
  if (kind == "normal") {
    result.kind = study::Distribution::Kind::normal;
  } else if (kind == "uniform") {
    result.kind = study::Distribution::Kind::uniform;
  } else {
    refuse(option, text, fmt::format("there is no distribution \"{}\"; write {}", kind, usage));
  }
  const auto parts = split(rest.substr(open + 1, rest.size() - open - 2), ',');
  if (parts.size() != 2) refuse(option, text, fmt::format("write {}", usage));
  result.a = finite(option, text, parts[0]);
  result.b = finite(option, text, parts[1]);
  return result;
}

Bounded parse_bounded(const std::string& text) {
  constexpr const char *option = "--parameter",
                       *usage = "NAME or NAME=low:high, with NAME in double quotes if it has a = in it";
  if (const auto quoted = quoted_name(option, text); quoted && quoted->rest.empty()) return {.name = quoted->name};
  if (text.find('=') == std::string::npos) return {.name = text};
  const auto [name, rest] = name_and_rest(option, text, usage);
  const auto parts = split(rest, ':');
  if (parts.size() != 2) refuse(option, text, fmt::format("write {}", usage));
  return {name, true, finite(option, text, parts[0]), finite(option, text, parts[1])};
}

}  // namespace polhode::cli
