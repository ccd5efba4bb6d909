#pragma once
#include <fmt/format.h>

#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/format/language/constraint_reader.h"
#include "polhode/format/language/force_reader.h"
#include "polhode/format/language/motion_reader.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/fields.h"

/// Forms of the language that come from an element's table of fields (mechanism/fields.h): how they are read, and the
/// line that says how to write them.
namespace polhode::format {

/// Fields that a table form can have: names, numbers, limits, directions, signals, sums, a force law, a list of names at the
/// end.
template <class Value>
inline constexpr bool is_plain_field =
    std::is_same_v<Value, std::string> || std::is_same_v<Value, double> || std::is_same_v<Value, Signal> ||
    std::is_same_v<Value, ForceLaw> || std::is_same_v<Value, std::vector<std::string>> ||
    std::is_same_v<Value, std::vector<SumTerm<std::string>>> || std::is_same_v<Value, Range>;

template <class Element>
constexpr bool has_table_form() {
  bool all = true;
  for_each_field<Element>(
      [&](const auto& field) { all = all && (field.is_direction || is_plain_field<value_of_field<decltype(field)>>); });
  return all;
}

/// "rest length" as it stands in a usage line: rest-length.
inline std::string hyphened(std::string words) {
  for (char& c : words)
    if (c == ' ') c = '-';
  return words;
}
/// The word for a field that is given as an option.
inline std::string_view option_word(const FieldFacts& field) { return field.in_usage ? field.in_usage : field.name; }

/// What stands behind the word of a field that is given as an option.
template <class F, class Value = value_of_field<F>>
std::string_view option_value(const F& field) {
  if (std::is_same_v<Value, std::string>) return "\"name\"";
  if (std::is_same_v<Value, Range>) return "low high";
  return field.in_usage ? field.name : "x";
}
template <class F>
std::string option_usage(const F& field) {
  return fmt::format("({} {})", hyphened(std::string(option_word(field))), option_value(field));
}

/// Whether a direction is followed by other arguments: then it is written in parentheses.
template <class Element>
bool is_inside(const FieldFacts& direction) {
  bool behind = false, inside = false;
  for_each_field<Element>([&](const auto& field) {
    if (behind && field.given != Given::as_option) inside = true;
    if (std::string_view(field.name) == direction.name) behind = true;
  });
  return inside;
}

/// `(spring "frame" "frame" stiffness rest-length [damping])`, in a word that means the element; `ending` is what every form of
/// its kind may end with.
template <class Element>
std::string usage_of(std::string_view word = Element::keyword, std::string_view ending = "") {
  std::string text = fmt::format("({}", word), behind;
  for_each_field<Element>([&](const auto& field) {
    using Value = value_of_field<decltype(field)>;
    const std::string name = field.name;
    const std::string shown = field.in_usage ? field.in_usage : name;
    if (field.given == Given::as_option) {
      text += fmt::format(" [{}]", option_usage(field));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      text += fmt::format(" \"{}\"", shown.substr(shown.rfind(' ') + 1));  // of "first frame" the last word
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      text += " [\"body\" \"body\" ...]";
    } else if constexpr (std::is_same_v<Value, std::vector<SumTerm<std::string>>>) {
      text += fmt::format(" (\"{}\" coefficient) ...", shown);
    } else if constexpr (std::is_same_v<Value, Vec3<double>>) {
      text += is_inside<Element>(field) ? " (x y z)" : " x y z";
    } else if constexpr (std::is_same_v<Value, ForceLaw>) {
      text += " k1 k2 ...";
      behind = ", or (table (x f) (x f) ...) instead of k1 k2 ...";
    } else {
      text += field.given == Given::if_wanted ? fmt::format(" [{}]", hyphened(shown)) : " " + hyphened(shown);
    }
  });
  return text + std::string(ending) + ")" + behind;
}

struct TableReading {
  std::vector<Option> ending{};  ///< what every form of the element's kind may end with
  bool called_by_name = false;   ///< messages name what the form acts on: `damping on "knee"`
};

/// A name, a number or limits. What is an angle on a coordinate that turns is a length on one that slides.
template <class Element, class F, class Value = value_of_field<F>>
std::optional<Value> take_value(Arguments& from, const F& field) {
  constexpr bool on_coordinate = requires(Element element) { element.coordinate; };
  const std::string_view unit = on_coordinate && std::string_view(field.unit) == "rad" ? "rad, m" : field.unit;
  if constexpr (std::is_same_v<Value, std::string>) return from.name(field.name);
  if constexpr (std::is_same_v<Value, Range>) return take_range(from, unit);
  if constexpr (std::is_same_v<Value, double>)
    return std::string_view(field.unit).starts_with("rad") ? from.angle(field.name, unit) : from.number(field.name, unit);
  return std::nullopt;
}

template <class Element>
inline constexpr bool has_own_name = requires(Element element) {
  element.name;
};
/// What messages call an element by its first name: `motor "hoist"`, `damping on "knee"`.
template <class Element>
std::string subject_of(const std::string& first_name) {
  return fmt::format("{} {}{}", Element::keyword, has_own_name<Element> ? "" : "on ", quoted(first_name));
}

/// Reads one form into an element, which is added where everything that it needs was there.
template <class Element, class Add>
void read_table_form(Arguments& arguments, TableReading how, Add add) {
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
    options.push_back({option_word(field), usages.emplace_back(option_usage(field)),
                       [&, field](Arguments& inner) { keep(take_value<Element>(inner, field), element.*field.member); }});
  });
  for (Option& option : how.ending) options.push_back(std::move(option));
  int names = 0;
  for_each_field<Element>([&](const auto& field) {
    if (field.given == Given::as_option) return;
    auto& into = element.*field.member;
    using Value = std::remove_cvref_t<decltype(into)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      keep(take_value<Element>(arguments, field), into);
      const bool is_first = ++names == 1;
      if (how.called_by_name && (is_first || !has_own_name<Element>))
        arguments.set_subject(is_first && good ? subject_of<Element>(into) : Element::keyword);
    } else if constexpr (std::is_same_v<Value, double>) {
      if (field.given == Given::always || !at_option(arguments, options)) keep(take_value<Element>(arguments, field), into);
    } else if constexpr (std::is_same_v<Value, Vec3<double>>) {
      keep(take_direction(arguments), into);
    } else if constexpr (std::is_same_v<Value, Signal>) {
      keep(take_signal(arguments), into);
    } else if constexpr (std::is_same_v<Value, std::vector<SumTerm<std::string>>>) {
      while (!at_option(arguments, options)) good = take_term(arguments, into) && good;
    } else if constexpr (std::is_same_v<Value, ForceLaw>) {
      keep(take_force_law(arguments, options), into);
      finished = true;
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      while (!arguments.at_end() && !arguments.at_list())
        if (auto name = arguments.name("body's name")) into.push_back(std::move(*name));
    }
  });
  if (!finished) options.empty() ? arguments.finish() : arguments.options(options);
  if (good) add(std::move(element));
}

/// The same for a constraint; `kind` is the word that the user has for it, where it is not the usual one.
template <class Element>
void read_constraint(Arguments& arguments, const char* kind, MechanismBuilder& builder) {
  ConstraintSpec spec;
  spec.source = arguments.where();
  spec.kind = kind;
  read_table_form<Element>(arguments, {.ending = constraint_ending(spec)}, [&](Element element) {
    spec.model = std::move(element);
    builder.add_constraint(std::move(spec));
  });
}

}  // namespace polhode::format
