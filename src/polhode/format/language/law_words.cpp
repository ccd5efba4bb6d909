#include "polhode/format/language/law_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "polhode/format/language/lexer.h"
#include "polhode/format/language/operations.h"

namespace polhode::format {
namespace {

using Code = Law::Code;

constexpr std::array<std::pair<Code, std::string_view>, 19> codes{{{Code::add, "+"},
                                                                   {Code::subtract, "-"},
                                                                   {Code::negative, "-"},
                                                                   {Code::multiply, "*"},
                                                                   {Code::divide, "/"},
                                                                   {Code::power, "pow"},
                                                                   {Code::arctangent2, "atan2"},
                                                                   {Code::minimum, "min"},
                                                                   {Code::maximum, "max"},
                                                                   {Code::root, "sqrt"},
                                                                   {Code::exponential, "exp"},
                                                                   {Code::logarithm, "log"},
                                                                   {Code::magnitude, "abs"},
                                                                   {Code::sine, "sin"},
                                                                   {Code::cosine, "cos"},
                                                                   {Code::tangent, "tan"},
                                                                   {Code::arcsine, "asin"},
                                                                   {Code::arccosine, "acos"},
                                                                   {Code::arctangent, "atan"}}};
constexpr std::array<std::pair<Law::Kind, std::string_view>, 5> kinds{{{Law::Kind::coordinate, "coordinate"},
                                                                       {Law::Kind::speed, "speed"},
                                                                       {Law::Kind::input, "input"},
                                                                       {Law::Kind::state, "state"},
                                                                       {Law::Kind::discrete, "discrete"}}};
constexpr std::array<std::string_view, 7> only_in_laws{"min", "max", "clamp", "if", "lookup", "time", "parameter"};

}  // namespace

std::string_view word_of(Code code) {
  const auto found = std::find_if(codes.begin(), codes.end(), [&](const auto& pair) { return pair.first == code; });
  return found == codes.end() ? std::string_view() : found->second;
}

std::optional<Code> code_of(std::string_view word) {
  const auto found = std::find_if(codes.begin(), codes.end(), [&](const auto& pair) { return pair.second == word; });
  return found == codes.end() ? std::nullopt : std::optional(found->first);
}

std::string_view word_of(Law::Kind kind) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& pair) { return pair.first == kind; });
  return found == kinds.end() ? std::string_view() : found->second;
}

std::optional<Law::Kind> law_kind_named(std::string_view word) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& pair) { return same_keyword(pair.second, word); });
  return found == kinds.end() ? std::nullopt : std::optional(found->first);
}

bool is_law_word(std::string_view head) {
  const auto same = [&](std::string_view word) { return same_keyword(word, head); };
  return std::any_of(only_in_laws.begin(), only_in_laws.end(), same) || law_kind_named(head).has_value();
}

std::vector<std::string> words_of_laws() {
  std::vector<std::string> words;
  for (const Operation& operation : operations()) words.emplace_back(operation.keyword);
  for (const std::string_view word : only_in_laws) words.emplace_back(word);
  for (const auto& [kind, word] : kinds) words.emplace_back(word);
  return words;
}

}  // namespace polhode::format
