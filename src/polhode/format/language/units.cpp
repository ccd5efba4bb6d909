#include "polhode/format/language/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace polhode::format {
namespace {

constexpr std::array<std::pair<std::string_view, Dimension>, 6> known_units{{
    {"kg", {.kg = 1}},
    {"m", {.m = 1}},
    {"s", {.s = 1}},
    {"rad", {.rad = 1}},
    {"N", {.kg = 1, .m = 1, .s = -2}},
    {"Pa", {.kg = 1, .m = -1, .s = -2}},
}};

/// "m^2".
std::optional<Dimension> dimension_of_factor(std::string_view word) {
  int power = 1;
  if (const std::size_t caret = word.find('^'); caret != word.npos) {
    if (caret + 2 != word.size() || word.back() < '1' || word.back() > '9') return std::nullopt;
    power = word.back() - '0';
    word = word.substr(0, caret);
  }
  for (const auto& [name, dimension] : known_units)
    if (name == word) return dimension.to_the(power);
  return std::nullopt;
}

/// Takes what stands before the first of the separators, and tells which that was.
std::pair<std::string_view, char> take_before(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view word = text.substr(0, end);
  const char separator = end < text.size() ? text[end] : '\0';
  text.remove_prefix(std::min(end + 1, text.size()));
  return {word, separator};
}

}  // namespace

std::optional<Dimension> dimension_of_unit(std::string_view unit) {
  Dimension product;
  int sign = 1;
  while (!unit.empty()) {
    const auto [word, separator] = take_before(unit, " /");
    const auto factor = word == "1" ? std::optional(Dimension{}) : dimension_of_factor(word);
    if (!factor) return std::nullopt;
    product = product * factor->to_the(sign);
    if (separator == '/') sign = -1;
  }
  return product;
}

std::string to_text(const Dimension& dimension) {
  const std::array<std::pair<const char*, int>, 4> powers{
      {{"kg", dimension.kg}, {"m", dimension.m}, {"rad", dimension.rad}, {"s", dimension.s}}};
  const auto part = [&](int sign) {
    std::string text;
    for (const auto& [name, power] : powers) {
      if (sign * power <= 0) continue;
      text += fmt::format("{}{}", text.empty() ? "" : " ", name);
      if (sign * power > 1) text += fmt::format("^{}", sign * power);
    }
    return text;
  };
  const std::string above = part(1), below = part(-1);
  if (below.empty()) return above.empty() ? "a plain number" : above;
  return fmt::format("{}/{}", above.empty() ? "1" : above, below.find(' ') == below.npos ? below : "(" + below + ")");
}

bool fits(const Dimension& said, std::string_view unit) {
  while (!unit.empty()) {
    std::string_view one = take_before(unit, ",").first;
    if (one.starts_with(' ')) one.remove_prefix(1);
    const auto expected = dimension_of_unit(one);
    if (!expected) return true;  // a unit of another kind: nothing is known of it
    const bool turns_without_need = said.is_ratio() && said.rad != 0 && expected->rad == 0;
    if (said.is_like(*expected) && !turns_without_need) return true;
  }
  return false;
}

}  // namespace polhode::format
