#include "polhode/format/plots/markup.h"

#include <cstdlib>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
std::string for_markup(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const char c = text[i];
    const bool control = length == 1 && ((c >= 0 && c < ' ' && c != '\n' && c != '\t' && c != '\r') || c == 0x7F);
    if (length == 0 || control) {
      result += "\uFFFD";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else {
      result += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return result;
}

std::string power_of_ten(int exponent) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = "10";
  if (exponent < 0) result += "⁻";
  for (const char digit : std::to_string(std::abs(exponent))) result += raised[digit - '0'];
  return result;
}

std::string typographic(std::string_view number) {
  const std::string text(number);
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || text.find_first_not_of("+-.0123456789e") != std::string::npos) return text;
  const std::size_t e = text.find('e');
  std::string result = text.substr(0, e);
  if (result.starts_with('-')) result.replace(0, 1, "−");
  if (e != std::string::npos) result += "×" + power_of_ten(std::atoi(text.c_str() + e + 1));
  return result;
}

}  // namespace polhode::format
