#pragma once
#include <fmt/format.h>

#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/format/language/force_reader.h"
#include "polhode/format/language/motion_reader.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/forces/fields.h"

/// Forms of the language that come from an element's table of fields (mechanism/forces/fields.h): how they are read, and the
/// line that says how to write them.
namespace polhode::format {

/// Fields that a table form can have: names, numbers, limits, a force law, a list of names at the end.
template <class Value>
inline constexpr bool is_plain_field =
    std::is_same_v<Value, std::string> || std::is_same_v<Value, double> || std::is_same_v<Value, ForceLaw> ||
    std::is_same_v<Value, std::vector<std::string>> || std::is_same_v<Value, Range>;

template <class Element>
constexpr bool has_table_form() {
  bool all = true;
  for_each_field<Element>([&](const auto& field) { all = all && is_plain_field<value_of_field<decltype(field)>>; });
  return all;
}

/// "rest length" as it stands in a usage line: rest-length.
inline std::string hyphened(std::string words) {
  for (char& c : words)
    if (c == ' ') c = '-';
  return words;
}

/// What stands behind the name of a field that is given as an option.
template <class Value>
constexpr std::string_view option_value() {
  if (std::is_same_v<Value, std::string>) return "\"name\"";
  return std::is_same_v<Value, Range> ? "low high" : "x";
}
template <class F>
std::string option_usage(const F& field) {
  return fmt::format("({} {})", hyphened(field.name), option_value<value_of_field<F>>());
}

/// `(spring "frame" "frame" stiffness rest-length [damping])`.
template <class Element>
std::string usage_of() {
  std::string text = fmt::format("({}", Element::keyword), behind;
  for_each_field<Element>([&](const auto& field) {
    using Value = value_of_field<decltype(field)>;
    const std::string name = field.name;
    if (field.given == Given::as_option) {
      text += fmt::format(" [{}]", option_usage(field));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      text += fmt::format(" \"{}\"", name.substr(name.rfind(' ') + 1));  // of "first frame" the last word
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      text += " [\"body\" \"body\" ...]";
    } else if constexpr (std::is_same_v<Value, ForceLaw>) {
      text += " k1 k2 ...";
      behind = ", or (table (x f) (x f) ...) instead of k1 k2 ...";
    } else {
      text += field.given == Given::if_wanted ? fmt::format(" [{}]", hyphened(name)) : " " + hyphened(name);
    }
  });
  return text + ")" + behind;
}

/// A name, a number or limits.
template <class F, class Value = value_of_field<F>>
std::optional<Value> take_value(Arguments& from, const F& field) {
  if constexpr (std::is_same_v<Value, std::string>) return from.name(field.name);
  if constexpr (std::is_same_v<Value, Range>) return take_range(from);
  if constexpr (std::is_same_v<Value, double>)
    return std::string_view(field.unit) == "rad" ? from.angle(field.name) : from.number(field.name);
  return std::nullopt;
}

/// Reads one form into an element, which is added where everything that it needs was there.
template <class Element, class Add>
void read_table_form(Arguments& arguments, Add add) {
  Element element;
  bool good = true, finished = false;
  std::vector<Option> options;
  const auto keep = [&](auto value, auto& into) {
    good = good && value.has_value();
    if (value) into = std::move(*value);
  };
  std::deque<std::string> usages;  // the options refer to them
  for_each_field<Element>([&](const auto& field) {
    if (field.given != Given::as_option) return;
    options.push_back({field.name, usages.emplace_back(option_usage(field)),
                       [&, field](Arguments& inner) { keep(take_value(inner, field), element.*field.member); }});
  });
  int names = 0;
  for_each_field<Element>([&](const auto& field) {
    if (field.given == Given::as_option) return;
    auto& into = element.*field.member;
    using Value = std::remove_cvref_t<decltype(into)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      keep(take_value(arguments, field), into);
      if constexpr (requires { element.name; }) {
        if (++names == 1 && good) arguments.set_subject(fmt::format("{} {}", Element::keyword, quoted(into)));
      } else {
        arguments.set_subject(++names == 1 && good ? fmt::format("{} on {}", Element::keyword, quoted(into))
                                                   : Element::keyword);
      }
    } else if constexpr (std::is_same_v<Value, double>) {
      if (field.given == Given::always || !arguments.at_end()) keep(take_value(arguments, field), into);
    } else if constexpr (std::is_same_v<Value, ForceLaw>) {
      keep(take_law(arguments, options), into);
      finished = true;
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      while (!arguments.at_end() && !arguments.at_list())
        if (auto name = arguments.name("body's name")) into.push_back(std::move(*name));
    }
  });
  if (!finished) options.empty() ? arguments.finish() : arguments.options(options);
  if (good) add(std::move(element));
}

}  // namespace polhode::format
