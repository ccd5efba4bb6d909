#include "polhode/format/language/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "polhode/format/language/limits.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr std::string_view left_quote = "\xE2\x80\x9C", right_quote = "\xE2\x80\x9D";  // the typographic “ and ”
constexpr std::string_view unicode_minus = "\xE2\x88\x92", en_dash = "\xE2\x80\x93";
constexpr std::string_view no_break_space = "\xC2\xA0", byte_order_mark = "\xEF\xBB\xBF";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// A word that starts like a number is one, or is a mistake: names that begin with a digit need quotes.
bool looks_numeric(std::string_view word) {
  const std::size_t sign = word[0] == '+' || word[0] == '-' ? 1 : 0;
  if (sign < word.size() && is_digit(word[sign])) return true;
  return sign + 1 < word.size() && word[sign] == '.' && is_digit(word[sign + 1]);
}

bool names_a_non_finite_number(std::string_view word) {
  if (word[0] == '+' || word[0] == '-') word.remove_prefix(1);
  return same_keyword(word, "nan") || same_keyword(word, "inf") || same_keyword(word, "infinity");
}

bool has_nonzero_digit_before_exponent(std::string_view word) {
  for (const char c : word) {
    if (c == 'e' || c == 'E') return false;
    if (c >= '1' && c <= '9') return true;
  }
  return false;
}

}  // namespace

Lexer::Lexer(std::string_view text, std::vector<Problem>& problems) : text_(text), problems_(problems) {
  if (looking_at(byte_order_mark)) position_ += byte_order_mark.size();
}

void Lexer::advance(std::size_t bytes) {
  for (; bytes > 0; --bytes, ++position_) {
    if (text_[position_] == '\n') {
      place_ = {place_.line + 1, 1};
    } else if (position_ + 1 >= text_.size() || !is_continuation(text_[position_ + 1])) {
      ++place_.column;  // counted at a character's last byte
    }
  }
}

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    if (is_blank(text_[position_])) {
      advance(1);
    } else if (looking_at(no_break_space)) {
      advance(no_break_space.size());
    } else if (text_[position_] == ';') {
      const std::size_t end = text_.find('\n', position_);
      advance((end == std::string_view::npos ? text_.size() : end) - position_);
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token{.kind = TokenKind::end, .where = place_, .starts_line = place_.line != last_token_line_};
  last_token_line_ = place_.line;
  if (position_ == text_.size()) return token;
  const char c = text_[position_];
  if (c == '(' || c == ')') {
    token.kind = c == '(' ? TokenKind::open : TokenKind::close;
    token.text = text_.substr(position_, 1);
    advance(1);
    return token;
  }
  if (c == '"') return string("\"");
  if (looking_at(left_quote)) return string(left_quote);
  if (looking_at(right_quote)) return string(right_quote);
  return word();
}

Token Lexer::fail(Token token, std::string message) {
  problems_.push_back({std::move(message), token.where});
  token.kind = TokenKind::bad;
  return token;
}

/// A string ends on its own line, so that a forgotten quote is reported where it was forgotten.
Token Lexer::string(std::string_view opener) {
  Token token{.kind = TokenKind::string, .where = place_};
  const bool typographic = opener != "\"";
  advance(opener.size());
  const std::size_t start = position_;
  std::string mistake;
  while (position_ < text_.size() && text_[position_] != '\n') {
    const char c = text_[position_];
    std::size_t closer = 0;
    if (typographic && (looking_at(right_quote) || looking_at(left_quote))) closer = right_quote.size();
    if (c == '"') closer = 1;
    if (closer > 0) {
      token.text = text_.substr(start, position_ - start);
      advance(closer);
      if (token.text.size() > max_word_bytes) mistake = fmt::format("this text is longer than {} bytes", max_word_bytes);
      return mistake.empty() ? token : fail(token, mistake);
    }
    if (c == '\\') {
      const char escape = position_ + 1 < text_.size() ? text_[position_ + 1] : '\n';
      if (escape == '\n') break;
      if (std::string_view("\"\\nt").find(escape) == std::string_view::npos) {
        mistake = "unknown escape in a text; there are \\\" \\\\ \\n and \\t";
        advance(1);
      } else {
        advance(2);
      }
      continue;
    }
    if (is_control(c) && c != '\t') {
      mistake = fmt::format("control character 0x{:02X} in a text; remove it", static_cast<unsigned char>(c));
    } else if (c == '\t') {
      mistake = "tab in a text; write \\t, or a space";
    }
    advance(1);
  }
  token.text = text_.substr(start, position_ - start);
  lost_a_quote_ = true;
  return fail(token, "this text has no closing quote on its line");
}

Token Lexer::word() {
  Token token{.kind = TokenKind::symbol, .where = place_};
  const std::size_t start = position_;
  std::size_t end = start;
  const auto ends_word = [&](std::size_t i) {
    const char c = text_[i];
    if (is_blank(c) || c == '(' || c == ')' || c == '"' || c == ';') return true;
    if (static_cast<unsigned char>(c) < 0x80) return false;
    const std::string_view rest = text_.substr(i);
    return rest.starts_with(left_quote) || rest.starts_with(right_quote) || rest.starts_with(no_break_space);
  };
  while (end < text_.size() && !ends_word(end)) ++end;
  token.text = text_.substr(start, end - start);
  advance(end - start);
  if (token.text.size() > max_word_bytes) return fail(token, fmt::format("this word is longer than {} bytes", max_word_bytes));
  if (token.text.starts_with(unicode_minus) || token.text.starts_with(en_dash)) {
    return fail(token, fmt::format("{} starts with a typographic dash; write the minus sign as -", quoted(token.text)));
  }
  if (std::any_of(token.text.begin(), token.text.end(), is_control)) {
    return fail(token, "control character outside a comment; remove it");
  }
  if (names_a_non_finite_number(token.text)) {
    return fail(token,
                fmt::format("{} is not a finite number, and nothing in a mechanism can be computed from it; write a number",
                            token.text));
  }
  return looks_numeric(token.text) ? number(token) : token;
}

Token Lexer::number(Token token) {
  constexpr const char *largest = "the largest is about 1.8e308", *smallest = "the smallest is about 4.9e-324; write 0";
  std::string_view digits = token.text;
  if (digits[0] == '+') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.value);
  const std::string_view rest = digits.substr(std::size_t(end - digits.data()));
  if (!rest.empty()) {
    const char* hint = rest[0] == ',' ? "the decimal mark is a point, as in 0.5"
                                      : "write a number such as -1.5 or 2e-3, or put a name in quotes";
    return fail(token, fmt::format("{} is not a number; {}", quoted(token.text), hint));
  }
  if (error == std::errc::result_out_of_range || !std::isfinite(token.value)) {
    const bool too_large = std::isinf(std::strtod(std::string(digits).c_str(), nullptr));  // for the wording only
    return fail(token, fmt::format("{} is too {} for a double-precision number ({})", quoted(token.text),
                                   too_large ? "large" : "small", too_large ? largest : smallest));
  }
  if (token.value == 0 && has_nonzero_digit_before_exponent(digits)) {
    return fail(token, fmt::format("{} is too small for a double-precision number ({})", quoted(token.text), smallest));
  }
  token.kind = TokenKind::number;
  return token;
}

std::string unescaped(std::string_view text) {
  std::string s;
  s.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      const char c = text[++i];
      s += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    } else {
      s += text[i];
    }
  }
  return s;
}

std::string escaped(std::string_view s) {
  std::string text;
  for (const char c : s) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  }
  return lower;
}

bool same_keyword(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace polhode::format
