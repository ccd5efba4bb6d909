#include "polhode/state/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "polhode/mechanism/problem.h"

namespace polhode {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string with_hyphens(std::string name, char instead) {
  std::replace(name.begin(), name.end(), ' ', instead);
  return name;
}

/// "a", "a or b", "a, b or c".
template <class List>
std::string alternatives(const List& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == list.size() ? " or " : ", ", list[i]);
  return text;
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> as_number(const OptionValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<int>(&value)) return *whole;
  return std::nullopt;
}

std::optional<int> as_whole(const OptionValue& value) {
  const auto number = as_number(value);
  if (!number || std::abs(*number) > 2e9 || *number != std::floor(*number)) return std::nullopt;
  return int(*number);
}

bool lies_in(const OptionField::Real& range, double x) {
  return std::isfinite(x) && x >= range.least && x <= range.most && !(range.least_excluded && x == range.least);
}

std::string range_text(const OptionField::Real& range) {
  const bool has_least = std::isfinite(range.least), has_most = std::isfinite(range.most);
  if (!has_least && !has_most) return "a finite number";
  if (range.least_excluded && range.least == 0)
    return has_most ? fmt::format("positive and at most {}", range.most) : std::string("a positive number");
  if (!has_most) return fmt::format(fmt::runtime(range.least_excluded ? "above {}" : "{} or more"), range.least);
  if (!has_least) return fmt::format("at most {}", range.most);
  return fmt::format("between {} and {}", range.least, range.most);
}

}  // namespace

std::string text_of(const OptionValue& value) {
  return std::visit(Overloaded{[](double x) { return fmt::format("{:.15g}", x); }, [](int n) { return fmt::format("{}", n); },
                               [](const std::string& word) { return word; },
                               [](const NamedNumbers& numbers) {
                                 std::string text;
                                 for (const auto& [name, x] : numbers)
                                   text += fmt::format("{}{}={:.15g}", text.empty() ? "" : ", ", name, x);
                                 return text;
                               }},
                    value);
}

OptionValues::OptionValues(std::initializer_list<Item> items) {
  for (const Item& item : items) set(item.name, item.value);
}

void OptionValues::set(std::string_view name, OptionValue value) {
  for (Item& item : items_)
    if (item.name == name) {
      item.value = std::move(value);
      return;
    }
  items_.push_back({std::string(name), std::move(value)});
}

void OptionValues::erase(std::string_view name) {
  std::erase_if(items_, [&](const Item& item) { return item.name == name; });
}

const OptionValue* OptionValues::find(std::string_view name) const {
  const auto found = std::find_if(items_.begin(), items_.end(), [&](const Item& item) { return item.name == name; });
  return found == items_.end() ? nullptr : &found->value;
}

std::optional<double> OptionValues::number(std::string_view name) const {
  const OptionValue* value = find(name);
  return value ? as_number(*value) : std::nullopt;
}

std::string OptionField::word() const { return flag.empty() ? with_hyphens(name, '-') : flag; }
std::string OptionField::key() const { return with_hyphens(name, '_'); }

std::string OptionField::allowed() const {
  return std::visit(Overloaded{[](const Real& range) { return range_text(range); },
                               [](const Whole& whole) { return alternatives(whole.allowed); },
                               [](const Choice& choice) { return alternatives(choice.allowed); },
                               [](const Named&) { return std::string("a positive number for each name"); }},
                    kind);
}

std::string OptionField::objection(const OptionValue& value) const {
  const std::string shown = std::holds_alternative<std::string>(value) ? fmt::format("\"{}\"", text_of(value)) : text_of(value);
  const std::string hinted = hint.empty() ? "" : "; " + hint;
  const auto must_be = [&](const std::string& what) {
    return fmt::format("{} {}{}{} must be {}{}", name, shown, unit.empty() ? "" : " ", unit, what, hinted);
  };
  return std::visit(
      Overloaded{[&](const Real& range) -> std::string {
                   const auto x = as_number(value);
                   return x && lies_in(range, *x) ? "" : must_be(range_text(range));
                 },
                 [&](const Whole& whole) -> std::string {
                   const auto n = as_whole(value);
                   if (!n) return must_be("a whole number: " + alternatives(whole.allowed));
                   const bool known = std::find(whole.allowed.begin(), whole.allowed.end(), *n) != whole.allowed.end();
                   return known ? ""
                                : fmt::format("{} {} is not known; use {}{}", name, shown, alternatives(whole.allowed), hinted);
                 },
                 [&](const Choice& choice) -> std::string {
                   const auto* chosen = std::get_if<std::string>(&value);
                   if (!chosen) return must_be("a word: " + alternatives(choice.allowed));
                   if (std::find(choice.allowed.begin(), choice.allowed.end(), *chosen) != choice.allowed.end()) return "";
                   return fmt::format("{} {} is not known{}{}", name, shown,
                                      suggestion(*chosen, choice.allowed, "it is one of"), hinted);
                 },
                 [&](const Named&) -> std::string {
                   const auto* numbers = std::get_if<NamedNumbers>(&value);
                   if (!numbers) return must_be("numbers by name");
                   for (auto one = numbers->begin(); one != numbers->end(); ++one) {
                     if (!lies_in(positive(), one->second))
                       return fmt::format("{} {} of \"{}\" must be a positive number{}", name, one->second, one->first, hinted);
                     if (std::any_of(numbers->begin(), one, [&](const auto& other) { return other.first == one->first; }))
                       return fmt::format("{} of \"{}\" is given twice; once is enough", name, one->first);
                   }
                   return "";
                 }},
      kind);
}

std::optional<OptionValue> OptionField::read(std::string_view text) const {
  return std::visit(Overloaded{[&](const Real&) -> std::optional<OptionValue> {
                                 const auto x = number_in(text);
                                 return x ? std::optional<OptionValue>(*x) : std::nullopt;
                               },
                               [&](const Whole&) -> std::optional<OptionValue> {
                                 const auto x = number_in(text);
                                 const auto n = x ? as_whole(*x) : std::nullopt;
                                 return n ? std::optional<OptionValue>(*n) : std::nullopt;
                               },
                               [&](const Choice&) -> std::optional<OptionValue> { return OptionValue(std::string(text)); },
                               [&](const Named&) -> std::optional<OptionValue> {
                                 const std::size_t sign = text.rfind('=');
                                 if (sign == std::string_view::npos || sign == 0) return std::nullopt;
                                 const auto x = number_in(text.substr(sign + 1));
                                 if (!x) return std::nullopt;
                                 return NamedNumbers{{std::string(text.substr(0, sign)), *x}};
                               }},
                    kind);
}

std::vector<std::pair<std::string, std::string>> OptionField::words(const OptionValue& value) const {
  return std::visit(Overloaded{[&](const NamedNumbers& numbers) {
                                 std::vector<std::pair<std::string, std::string>> all;
                                 for (const auto& [of, x] : numbers) all.emplace_back(word() + ' ' + of, fmt::format("{}", x));
                                 return all;
                               },
                               [&](const auto& one) {
                                 return std::vector<std::pair<std::string, std::string>>{{word(), fmt::format("{}", one)}};
                               }},
                    value);
}

bool OptionField::take_word(const std::string& word_given, const std::string& text, OptionValues& into) const {
  if (!std::holds_alternative<Named>(kind)) {
    const auto value = word_given == word() ? read(text) : std::nullopt;
    if (value) into.set(name, *value);
    return value.has_value();
  }
  const std::string prefix = word() + ' ';
  const auto x = word_given.starts_with(prefix) ? number_in(text) : std::nullopt;
  if (!x) return false;
  const OptionValue* const so_far = into.find(name);
  NamedNumbers numbers = so_far ? std::get<NamedNumbers>(*so_far) : NamedNumbers{};
  numbers.emplace_back(word_given.substr(prefix.size()), *x);
  into.set(name, std::move(numbers));
  return true;
}

std::vector<std::pair<std::string, std::string>> told(const ResolvedOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const ResolvedOption& option : options)
    if (option.told) texts.emplace_back(option.name, text_of(option.value));
  return texts;
}

}  // namespace polhode
