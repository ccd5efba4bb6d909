#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "polhode/mechanism/problem.h"

namespace polhode::format {

/// Bytes in the UTF-8 character that starts at text[i]: 1 to 4, or 0 when there is no valid one.
/// Overlong forms, surrogates and characters beyond U+10FFFF are not valid.
std::size_t utf8_length(std::string_view text, std::size_t i);

/// True for the second and later bytes of a character.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The longest beginning of text that has at most max_bytes and does not cut a character.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

/// The first byte that no model may contain: NUL, or not UTF-8. Empty when the text is clean.
std::optional<Problem> find_bad_byte(std::string_view text);

/// The user's word for a message: at most 60 bytes of it, in double quotes, control characters as '?'.
std::string quoted(std::string_view word);

}  // namespace polhode::format
