#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/problem.h"

namespace polhode::format {

enum class TokenKind { open, close, number, string, symbol, bad, end };

struct Token {
  TokenKind kind = TokenKind::end;
  Source where{};
  std::string_view text{};   ///< as written; a string without its quotes, its escapes not yet undone
  double value = 0;          ///< of a number
  bool starts_line = false;  ///< nothing but blanks stands before it on its line
};

/// Cuts a model's text into tokens. The text must be free of bad bytes (find_bad_byte). A malformed number or string is
/// reported once and becomes a `bad` token, which fits wherever a value was expected, so that reading can go on.
class Lexer {
 public:
  Lexer(std::string_view text, std::vector<Problem>& problems);

  Token next();
  /// True when a text without a closing quote was met: it may have swallowed parentheses.
  bool lost_a_quote() const { return lost_a_quote_; }

 private:
  void skip_blanks();
  void advance(std::size_t bytes);
  bool looking_at(std::string_view what) const { return text_.substr(position_, what.size()) == what; }
  Token string(std::string_view opener);
  Token word();
  Token number(Token token);
  Token fail(Token token, std::string message);

  std::string_view text_;
  std::vector<Problem>& problems_;
  std::size_t position_ = 0;
  Source place_{1, 1};
  int last_token_line_ = 0;
  bool lost_a_quote_ = false;
};

/// The string that a string token's text stands for: \" \\ \n \t are undone.
std::string unescaped(std::string_view text);
/// The inverse: text that, between double quotes, reads back as s.
std::string escaped(std::string_view s);

/// ASCII letters only: keywords are ASCII, and names keep their case.
std::string lower_case(std::string_view text);
bool same_keyword(std::string_view a, std::string_view b);

}  // namespace polhode::format
