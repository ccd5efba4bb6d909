#include "polhode/format/language/utf8.h"

#include <fmt/format.h>

namespace polhode::format {

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - i < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (!is_continuation(text[i + k])) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && is_continuation(text[max_bytes])) --max_bytes;
  return text.substr(0, max_bytes);
}

std::optional<Problem> find_bad_byte(std::string_view text) {
  Source place{1, 1};
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\0') {
      return Problem{"NUL byte; a model is plain text, and this file looks like a binary one", place};
    }
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      return Problem{fmt::format("byte 0x{:02X} is not valid UTF-8; save the file with UTF-8 encoding",
                                 static_cast<unsigned char>(text[i])),
                     place};
    }
    place = text[i] == '\n' ? Source{place.line + 1, 1} : Source{place.line, place.column + 1};
    i += length;
  }
  return std::nullopt;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 60;
  const std::string_view shown = utf8_prefix(word, longest);
  std::string text = "\"";
  for (const char c : shown) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return text + (shown.size() < word.size() ? "...\"" : "\"");
}

}  // namespace polhode::format
