#include "polhode/format/constraint_reader.h"

#include <fmt/format.h>

#include "polhode/format/utf8.h"

namespace polhode::format {
namespace {

/// What may follow a constraint's arguments: (name "...").
std::string take_constraint_name(Arguments& arguments) {
  std::string name;
  arguments.options({{"name", "(name \"...\")", [&](Arguments& a) { name = a.name("name").value_or(""); }}});
  return name;
}

/// x y z, or (x y z) as Listing 1 of seed 000 has it.
std::optional<Vec3<double>> take_direction(Arguments& arguments) {
  const bool grouped = arguments.at_group();
  if (!grouped) return arguments.vector();
  Arguments inner(arguments.tree(), arguments.take(), "(x y z)", arguments.notes(), Arguments::Head::nothing);
  inner.set_subject(arguments.subject() + ": direction");
  const auto direction = inner.vector();
  inner.finish();
  return direction;
}

constexpr std::string_view term_usage = "(\"coordinate\" coefficient)";

/// ("coordinate" coefficient). False when it was not understood.
bool take_term(Arguments& arguments, CouplerSpec& spec) {
  const NodeId id = arguments.take();
  const Node& node = arguments.tree()[id];
  if (node.kind == Node::Kind::bad) return false;
  if (node.kind != Node::Kind::list || node.first == none) {
    arguments.problem(node.where,
                      fmt::format("{} is not expected here; write {}", describe(arguments.tree(), id), coupler_usage));
    while (!arguments.at_end()) arguments.take();  // terms without parentheses: one mistake, not as many as there are words
    return false;
  }
  Arguments term(arguments.tree(), id, term_usage, arguments.notes(), Arguments::Head::nothing);
  term.set_subject(arguments.subject());
  const auto coordinate = term.name("coordinate");
  const auto coefficient = term.number("coefficient");
  term.finish();
  if (!coordinate || !coefficient) return false;
  spec.terms.push_back({*coordinate, *coefficient});
  return true;
}

}  // namespace

void read_point_constraint(Arguments& arguments, MechanismBuilder& builder) {
  arguments.set_subject("point-constraint");
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  const bool coincident = arguments.at_end() || arguments.at_form("name");
  const auto direction = coincident ? std::nullopt : take_direction(arguments);
  std::string name = take_constraint_name(arguments);
  if (!a || !b) return;
  if (coincident) builder.add_constraint({std::move(name), CoincidentPointsSpec{*a, *b}, arguments.where()});
  if (direction) builder.add_constraint({std::move(name), PointConstraintSpec{*a, *b, *direction}, arguments.where()});
}

void read_point_in_plane(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("frame with the plane"), b = arguments.name("frame whose origin stays in it");
  const auto normal = take_direction(arguments);
  std::string name = take_constraint_name(arguments);
  if (a && b && normal) builder.add_constraint({std::move(name), PointInPlaneSpec{*a, *b, *normal}, arguments.where()});
}

void read_wire(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  const auto length = arguments.number("length");
  std::string name = take_constraint_name(arguments);
  if (a && b && length) builder.add_constraint({std::move(name), WireSpec{*a, *b, *length}, arguments.where()});
}

void read_screw(Arguments& arguments, MechanismBuilder& builder) {
  const auto rotation = arguments.name("coordinate that turns"), translation = arguments.name("coordinate that slides");
  const auto lead = arguments.number("lead");
  std::string name = take_constraint_name(arguments);
  if (rotation && translation && lead) {
    builder.add_constraint({std::move(name), ScrewSpec{*rotation, *translation, *lead}, arguments.where()});
  }
}

void read_gear(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("first coordinate"), b = arguments.name("second coordinate");
  const auto ratio = arguments.number("ratio");
  std::string name = take_constraint_name(arguments);
  if (a && b && ratio) builder.add_constraint({std::move(name), GearSpec{*a, *b, *ratio}, arguments.where()});
}

void read_coupler(Arguments& arguments, MechanismBuilder& builder) {
  CouplerSpec spec;
  std::string name;
  bool understood = true;
  const auto at_option = [&] { return arguments.at_form("equals") || arguments.at_form("name"); };
  while (!arguments.at_end() && !at_option()) understood = take_term(arguments, spec) && understood;
  arguments.options({
      {"equals", "(equals constant)",
       [&](Arguments& a) {
         const auto constant = a.angle("constant");
         understood = understood && constant;
         spec.constant = constant.value_or(0);
       }},
      {"name", "(name \"...\")", [&](Arguments& a) { name = a.name("name").value_or(""); }},
  });
  if (understood) builder.add_constraint({std::move(name), std::move(spec), arguments.where()});
}

}  // namespace polhode::format
