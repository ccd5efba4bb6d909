#include <fmt/format.h>

#include <cmath>

#include "polhode/format/language/limits.h"
#include "polhode/format/language/operations.h"
#include "polhode/format/language/parameters.h"
#include "polhode/format/language/utf8.h"

/// Which unit an expression says it has. A plain number may have any, so whatever it is added to keeps its own; a factor that
/// is written as a number is a ratio; a parameter without a unit leaves a product open.
namespace polhode::format {
namespace {

/// How the unit of an operation's result follows from those of its arguments.
enum class Rule { is_unit, same, product, quotient, root, power, of_angle, of_ratio, open };

Rule rule_of(const Operation& operation) {
  if (!operation.unit.empty()) return Rule::is_unit;
  const std::string_view word = operation.keyword;
  if (word == "+" || word == "-" || word == "abs") return Rule::same;
  if (word == "*") return Rule::product;
  if (word == "/") return Rule::quotient;
  if (word == "sqrt") return Rule::root;
  if (word == "pow") return Rule::power;
  if (word == "sin" || word == "cos" || word == "tan") return Rule::of_angle;
  if (word == "exp" || word == "log" || word == "asin" || word == "acos" || word == "atan") return Rule::of_ratio;
  return Rule::open;
}

std::optional<Dimension> root_of(const Dimension& d) {
  const bool odd = d.kg % 2 != 0 || d.m % 2 != 0 || d.s % 2 != 0 || d.rad % 2 != 0;
  if (odd) return std::nullopt;
  return Dimension{d.kg / 2, d.m / 2, d.s / 2, d.rad / 2};
}

/// Powers beyond any use are dropped: they could overflow.
std::optional<Dimension> in_reason(const Dimension& d) {
  constexpr int most = 1000;
  const bool small = std::abs(d.kg) <= most && std::abs(d.m) <= most && std::abs(d.s) <= most && std::abs(d.rad) <= most;
  return small ? std::optional(d) : std::nullopt;
}

}  // namespace

std::optional<Dimension> Parameters::dimension(NodeId id, const std::string& subject, int depth) {
  const Node& node = tree_[id];
  if (node.kind == Node::Kind::symbol || node.kind == Node::Kind::string) {
    const auto entry = find(id);
    return entry ? entries_[*entry].dimension : std::nullopt;
  }
  const Operation* const operation = node.kind == Node::Kind::list ? operation_named(tree_.head(id)) : nullptr;
  if (operation == nullptr || depth > max_expression_depth) return std::nullopt;
  const Rule rule = rule_of(*operation);
  const NodeId first = tree_[node.first].next;
  std::optional<Dimension> said;
  bool open = false;
  for (NodeId part = first; part != none; part = tree_[part].next) {
    std::optional<Dimension> one = dimension(part, subject, depth + 1);
    const bool is_factor = rule == Rule::product || rule == Rule::quotient;
    if (is_factor && tree_[part].kind == Node::Kind::number) one = Dimension{};
    if (!one) {
      open = true;
      continue;
    }
    const auto refuse = [&](const std::string& expected) {
      problem(tree_[part].where, subject,
              fmt::format("{} takes {}, but this is a quantity in {}", operation->keyword, expected, to_text(*one)));
    };
    switch (rule) {
      case Rule::is_unit:
      case Rule::of_ratio:
        if (*one != Dimension{}) refuse("a plain number");
        break;
      case Rule::of_angle:
        if (!one->is_ratio()) refuse("an angle");
        break;
      case Rule::same:
        if (said && !said->is_like(*one)) refuse(fmt::format("quantities of one unit, as {} before it", to_text(*said)));
        if (!said) said = one;
        break;
      case Rule::quotient:
      case Rule::product: {
        const bool divides = rule == Rule::quotient && part != first;
        said = in_reason(said.value_or(Dimension{}) * one->to_the(divides ? -1 : 1));
        open = open || !said;
        break;
      }
      case Rule::root:
      case Rule::power:
        if (part == first) said = one;
        break;
      case Rule::open: break;
    }
  }
  switch (rule) {
    case Rule::is_unit: return dimension_of_unit(operation->unit);
    case Rule::same: return said;
    case Rule::product:
    case Rule::quotient: return open || !said || *said == Dimension{} ? std::nullopt : said;
    case Rule::root: return said ? root_of(*said) : std::nullopt;
    case Rule::power: {
      const NodeId exponent = first == none ? none : tree_[first].next;
      const double n = exponent != none && tree_[exponent].kind == Node::Kind::number ? tree_[exponent].value : 0.5;
      const bool whole = n == std::trunc(n) && std::abs(n) <= 100;
      return said && whole ? in_reason(said->to_the(int(n))) : std::nullopt;
    }
    case Rule::of_angle:
    case Rule::of_ratio:
    case Rule::open: break;
  }
  return std::nullopt;
}

}  // namespace polhode::format
