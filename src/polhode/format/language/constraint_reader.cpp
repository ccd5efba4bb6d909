#include "polhode/format/language/constraint_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::format {

std::vector<Option> constraint_ending(ConstraintSpec& spec) {
  return {{"name", "(name \"...\")", [&spec](Arguments& a) { spec.name = a.name("name").value_or(""); }},
          {"disabled", "(disabled)", [&spec](Arguments&) { spec.disabled = true; }}};
}

bool at_option(const Arguments& arguments, const std::vector<Option>& options) {
  const auto is_next = [&](const Option& option) { return arguments.at_form(option.keyword); };
  return arguments.at_end() || std::any_of(options.begin(), options.end(), is_next);
}

std::optional<Vec3<double>> take_direction(Arguments& arguments) {
  const bool grouped = arguments.at_group();
  if (!grouped) return arguments.vector();
  Arguments inner(arguments.tree(), arguments.take(), "(x y z)", arguments.notes(), Arguments::Head::nothing);
  inner.set_subject(arguments.subject() + ": direction");
  const auto direction = inner.vector();
  inner.finish();
  return direction;
}

bool take_term(Arguments& arguments, std::vector<SumTerm<std::string>>& sum) {
  const NodeId id = arguments.take();
  const Node& node = arguments.tree()[id];
  if (node.kind == Node::Kind::bad) return false;
  if (node.kind != Node::Kind::list || node.first == none) {
    arguments.problem(node.where,
                      fmt::format("{} is not expected here; write {}", describe(arguments.tree(), id), arguments.usage()));
    while (!arguments.at_end()) arguments.take();  // terms without parentheses: one mistake, not as many as there are words
    return false;
  }
  Arguments term(arguments.tree(), id, "(\"coordinate\" coefficient)", arguments.notes(), Arguments::Head::nothing);
  term.set_subject(arguments.subject());
  const auto coordinate = term.name("coordinate");
  const auto coefficient = term.number("coefficient");
  term.finish();
  if (!coordinate || !coefficient) return false;
  sum.push_back({*coordinate, *coefficient});
  return true;
}

void read_point_constraint(Arguments& arguments, MechanismBuilder& builder) {
  arguments.set_subject("point-constraint");
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  ConstraintSpec spec;
  spec.source = arguments.where();
  const std::vector<Option> ending = constraint_ending(spec);
  const bool coincident = at_option(arguments, ending);
  const auto direction = coincident ? std::nullopt : take_direction(arguments);
  arguments.options(ending);
  if (!a || !b || (!coincident && !direction)) return;
  if (coincident) {
    spec.model = CoincidentPointsSpec{*a, *b};
  } else {
    spec.model = PointConstraintSpec{*a, *b, *direction};
  }
  builder.add_constraint(std::move(spec));
}

}  // namespace polhode::format
