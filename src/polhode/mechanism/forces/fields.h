#pragma once
#include <limits>
#include <tuple>
#include <type_traits>

/// Tables of fields. An element lists its fields once, in the order of its form in the model language; reader, writer,
/// resolution of names, usage lines, labels and the scene of the viewer all come from that list.
namespace polhode {

enum class Given {
  always,
  if_wanted,  ///< the last of the plain arguments, which may be left out
  as_option   ///< (name value), behind the plain arguments
};

/// One field of an element: its member, what users call it, its unit and meaning, and what its number may be.
template <class Element, class Value>
struct Field {
  using value_type = Value;
  const char* name;
  Value Element::*member;
  const char* unit;  ///< "" where it has none; "rad" is read as an angle
  const char* help;
  Given given = Given::always;
  double least = -std::numeric_limits<double>::infinity();  ///< of a number
};

template <class Element, class Value>
constexpr Field<Element, Value> field(const char* name, Value Element::*member, const char* unit, const char* help) {
  return {name, member, unit, help};
}
/// A number that is not negative.
template <class Element>
constexpr Field<Element, double> magnitude(const char* name, double Element::*member, const char* unit, const char* help,
                                           Given given = Given::always) {
  return {name, member, unit, help, given, 0};
}

/// A field that may be left out: (name value) behind the plain arguments.
template <class Element, class Value>
constexpr Field<Element, Value> option(const char* name, Value Element::*member, const char* unit, const char* help) {
  return {name, member, unit, help, Given::as_option};
}

/// The type of a field's value, from the field as a visitor gets it.
template <class F>
using value_of_field = typename std::remove_cvref_t<F>::value_type;

/// Calls visit(field) for every field of an element's table.
template <class Element, class Visit>
constexpr void for_each_field(Visit visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, Element::fields());
}

}  // namespace polhode
