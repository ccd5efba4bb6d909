#pragma once
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "polhode/spatial/vec3.h"

/// Tables of fields. A force or constraint lists its fields once, in the order of its form in the model language; reader,
/// writer, resolution of names, usage lines, labels and the scene of the viewer all come from that list.
namespace polhode {

enum class Given {
  always,
  if_wanted,  ///< the last of the plain arguments, which may be left out
  as_option   ///< (name value), behind the plain arguments
};

/// What is said of a field of any element: what users call it, its unit and meaning, and what its value may be.
struct FieldFacts {
  const char* name;
  const char* unit;  ///< "" where it has none; one that begins with "rad" is read as an angle
  const char* help;
  Given given = Given::always;
  // Of a number:
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool above_least = false;        ///< the least is not allowed itself
  const char* instead = "";        ///< what to do where the number cannot be what was given
  bool is_direction = false;       ///< of three numbers: their length does not matter, and is 1 when placed
  bool is_followed = false;        ///< of a signal: its derivatives count too
  const char* in_usage = nullptr;  ///< the word for it in usage lines, where that does not follow from the name
};

/// One field of an element, and its member.
template <class Element, class Value>
struct Field : FieldFacts {
  using value_type = Value;
  Value Element::*member;

  constexpr Field shown_as(const char* word) const {
    Field same = *this;
    same.in_usage = word;
    return same;
  }
};

template <class Element, class Value>
constexpr Field<Element, Value> field(const char* name, Value Element::*member, const char* unit, const char* help,
                                      Given given = Given::always) {
  return {{.name = name, .unit = unit, .help = help, .given = given}, member};
}
/// A field that may be left out: (name value) behind the plain arguments.
template <class Element, class Value>
constexpr Field<Element, Value> option(const char* name, Value Element::*member, const char* unit, const char* help) {
  return {{.name = name, .unit = unit, .help = help, .given = Given::as_option}, member};
}
/// A number that is not negative.
template <class Element>
constexpr Field<Element, double> magnitude(const char* name, double Element::*member, const char* unit, const char* help,
                                           Given given = Given::always) {
  return {{.name = name, .unit = unit, .help = help, .given = given, .least = 0}, member};
}
/// A number above zero.
template <class Element>
constexpr Field<Element, double> positive(const char* name, double Element::*member, const char* unit, const char* help,
                                          const char* instead = "") {
  return {{.name = name, .unit = unit, .help = help, .least = 0, .above_least = true, .instead = instead}, member};
}
/// A number from least to most.
template <class Element>
constexpr Field<Element, double> between(const char* name, double Element::*member, const char* unit, const char* help,
                                         double least, double most, const char* instead = "") {
  return {{.name = name, .unit = unit, .help = help, .least = least, .most = most, .instead = instead}, member};
}
/// A vector of any length; placed, it is a unit vector.
template <class Element>
constexpr Field<Element, Vec3<double>> unit_vector(const char* name, Vec3<double> Element::*member, const char* help) {
  return {{.name = name, .unit = "", .help = help, .is_direction = true}, member};
}
/// A function of time that something follows, so that its first two derivatives count as well.
template <class Element, class Value>
constexpr Field<Element, Value> followed(const char* name, Value Element::*member, const char* unit, const char* help) {
  return {{.name = name, .unit = unit, .help = help, .is_followed = true}, member};
}

/// The type of a field's value, from the field as a visitor gets it.
template <class F>
using value_of_field = typename std::remove_cvref_t<F>::value_type;

/// Calls visit(field) for every field of an element's table.
template <class Element, class Visit>
constexpr void for_each_field(Visit visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, Element::fields());
}
/// Calls visit(field of one, field of the other) for two elements of one template, which have the same table.
template <class One, class Other, class Visit>
constexpr void for_each_field_of_both(Visit visit) {
  const auto pairs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    const auto one = One::fields();
    const auto other = Other::fields();
    (visit(std::get<i>(one), std::get<i>(other)), ...);
  };
  pairs(std::make_index_sequence<std::tuple_size_v<decltype(One::fields())>>{});
}

}  // namespace polhode
