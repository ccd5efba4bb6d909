#include "polhode/format/language/law_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "polhode/format/language/law_words.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/operations.h"
#include "polhode/format/language/parameters.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"
#include "polhode/spatial/math.h"

namespace polhode::format {
namespace {

using Code = Law::Code;

bool is_word(const Node& node) { return node.kind == Node::Kind::symbol || node.kind == Node::Kind::string; }
bool is_sum_or_product(std::string_view head) { return same_keyword(head, "sum") || same_keyword(head, "product"); }

/// Whether a node is a law and no number; a signal within arithmetic makes it one, a signal by itself does not.
bool is_law(const SyntaxTree& tree, const Parameters* parameters, NodeId id, int depth) {
  const Node& node = tree[id];
  if (depth > max_expression_depth) return true;  // whoever reads it tells so
  if (is_word(node)) return parameters == nullptr || !parameters->is_value(id);
  if (node.kind != Node::Kind::list) return false;
  const std::string_view head = tree.head(id);
  if (is_law_word(head)) return true;
  const bool arithmetic = operation_named(head) != nullptr;
  if (head.empty() || (!arithmetic && !is_sum_or_product(head))) return false;
  for (NodeId part = tree[node.first].next; part != none; part = tree[part].next)
    if (is_law(tree, parameters, part, depth + 1) || (arithmetic && is_signal_word(tree.head(part)))) return true;
  return false;
}

/// Reads one law, operation by operation.
class LawReader {
 public:
  explicit LawReader(Arguments& from)
      : tree_(from.tree()), notes_(from.notes()), parameters_(from.notes().parameters), subject_(from.subject()) {}

  std::optional<Law> take(Arguments& from) {
    const Source where = from.at_end() ? from.where() : tree_[from.peek()].where;
    try {
      const auto whole = next(from, 0);
      if (whole) return maker_.finish(*whole, where);
    } catch (const std::length_error& error) {
      problem(where, error.what());
    }
    return std::nullopt;
  }

 private:
  using Id = std::optional<int>;

  void problem(Source where, const std::string& message) {
    notes_.problems.push_back({subject_.empty() ? message : subject_ + ": " + message, where});
  }
  Id next(Arguments& from, int depth);
  Id word(NodeId id);
  Id list(NodeId id, int depth);
  Id named(NodeId id, Law::Kind kind);
  Id operation(NodeId id, Code code, std::size_t fewest, std::size_t most, std::string_view usage, int depth);
  Id chosen(NodeId id, int depth);
  Id looked_up(NodeId id, int depth);
  Id clamped(NodeId id, int depth);
  Id applied(NodeId id, Code code, std::span<const int> operands);
  /// The operands of a form; nothing where one of them is faulty or they are too few or too many.
  std::optional<std::vector<int>> operands(NodeId id, std::size_t fewest, std::size_t most, std::string_view usage, int depth);

  const SyntaxTree& tree_;
  Notes& notes_;
  Parameters* parameters_;
  std::string subject_;
  LawMaker maker_;
};

LawReader::Id LawReader::next(Arguments& from, int depth) {
  if (at_signal_form(from) && !is_law(tree_, parameters_, from.peek(), depth)) {
    auto signal = take_signal(from);
    return signal ? Id(maker_.signal(std::move(*signal))) : std::nullopt;
  }
  const NodeId id = from.take();
  const Node& node = tree_[id];
  if (depth > max_expression_depth) {
    problem(node.where, fmt::format("a law is nested more than {} deep", max_expression_depth));
    return std::nullopt;
  }
  if (node.kind == Node::Kind::number) return maker_.constant(node.value);
  if (is_word(node)) return word(id);
  return node.kind == Node::Kind::list ? list(id, depth) : std::nullopt;
}

LawReader::Id LawReader::word(NodeId id) {
  const Node& node = tree_[id];
  const bool bare = node.kind == Node::Kind::symbol;
  const std::string text = bare ? std::string(node.text) : unescaped(node.text);
  const bool has_value = parameters_ != nullptr && parameters_->is_value(id);
  if (bare && same_keyword(node.text, "time")) {
    if (!has_value) return maker_.time();
    problem(node.where, "\"time\" may be the time or a parameter; write (time) or (parameter \"time\")");
    return std::nullopt;
  }
  if (!has_value) return maker_.read(Law::Kind::any, text, node.where);
  if (!same_keyword(text, "pi")) maker_.note_parameter(text, node.where);
  const auto value = parameters_->evaluate(id, subject_);
  return value ? Id(maker_.constant(*value)) : std::nullopt;
}

LawReader::Id LawReader::named(NodeId id, Law::Kind kind) {
  Arguments inner(tree_, id, "(coordinate \"name\"), with one name", notes_);
  const auto name = inner.name("name");
  inner.finish();
  return name ? Id(maker_.read(kind, *name, tree_[id].where)) : std::nullopt;
}

std::optional<std::vector<int>> LawReader::operands(NodeId id, std::size_t fewest, std::size_t most, std::string_view usage,
                                                    int depth) {
  Arguments inner(tree_, id, usage, notes_);
  std::vector<int> ids;
  bool good = true;
  while (!inner.at_end()) {
    if (notes_.problems.size() >= max_problems) return std::nullopt;
    const Id one = next(inner, depth + 1);
    good = good && one;
    ids.push_back(one.value_or(0));
  }
  if (good && (ids.size() < fewest || ids.size() > most)) {
    problem(tree_[id].where, fmt::format("{} has {} argument{}; write {}", lower_case(tree_.head(id)), ids.size(),
                                         ids.size() == 1 ? "" : "s", usage));
    return std::nullopt;
  }
  return good ? std::optional(std::move(ids)) : std::nullopt;
}

LawReader::Id LawReader::applied(NodeId id, Code code, std::span<const int> operands) {
  const int result = maker_.apply(code, operands);
  const double* value = maker_.constant_of(result);
  if (value == nullptr || std::isfinite(*value)) return result;
  problem(tree_[id].where, fmt::format("({} ...) of these constants gives {}, which is not a finite number",
                                       lower_case(tree_.head(id)), *value));
  return std::nullopt;
}

/// One operand, two, or where the arithmetic takes any number all of them from left to right.
LawReader::Id LawReader::operation(NodeId id, Code code, std::size_t fewest, std::size_t most, std::string_view usage,
                                   int depth) {
  const auto ids = operands(id, fewest, most, usage, depth);
  if (!ids) return std::nullopt;
  if (most == 1) return applied(id, code, *ids);
  if (ids->size() == 1) return code == Code::subtract ? applied(id, Code::negative, *ids) : Id(ids->front());
  int result = ids->front();
  for (std::size_t i = 1; i < ids->size(); ++i) {
    const std::array<int, 2> pair{result, (*ids)[i]};
    const Id step = applied(id, code, pair);
    if (!step) return std::nullopt;
    result = *step;
  }
  return result;
}

LawReader::Id LawReader::clamped(NodeId id, int depth) {
  const auto ids = operands(id, 3, 3, "(clamp x low high)", depth);
  if (!ids) return std::nullopt;
  return maker_.apply(Code::minimum, {maker_.apply(Code::maximum, {(*ids)[0], (*ids)[1]}), (*ids)[2]});
}

/// (if (< a b) x y); the other comparisons are this one with sides or branches exchanged.
LawReader::Id LawReader::chosen(NodeId id, int depth) {
  constexpr std::string_view usage = "(if (< a b) x y), with <, >, <= or >=";
  Arguments inner(tree_, id, usage, notes_);
  const NodeId condition = inner.at_end() ? none : inner.take();
  const std::string_view comparison = condition == none ? std::string_view() : tree_.head(condition);
  const bool known = comparison == "<" || comparison == ">" || comparison == "<=" || comparison == ">=";
  if (!known) {
    problem(condition == none ? tree_[id].where : tree_[condition].where,
            fmt::format("if needs a comparison of two numbers; write {}", usage));
    return std::nullopt;
  }
  const auto sides = operands(condition, 2, 2, "(< a b)", depth + 1);
  std::vector<int> branches;
  bool good = sides.has_value();
  while (!inner.at_end()) {
    const Id branch = next(inner, depth + 1);
    good = good && branch;
    branches.push_back(branch.value_or(0));
  }
  if (good && branches.size() != 2)
    problem(tree_[id].where, fmt::format("if has {} branches; write {}", branches.size(), usage));
  if (!good || branches.size() != 2) return std::nullopt;
  const bool exchanged = comparison == ">" || comparison == "<=";  // b < a
  const bool opposite = comparison == "<=" || comparison == ">=";
  return maker_.apply(Code::if_less, {(*sides)[exchanged ? 1 : 0], (*sides)[exchanged ? 0 : 1], branches[opposite ? 1 : 0],
                                      branches[opposite ? 0 : 1]});
}

LawReader::Id LawReader::looked_up(NodeId id, int depth) {
  constexpr std::string_view usage = "(lookup LAW (x y) (x y) ... [(linear)])";
  Arguments inner(tree_, id, usage, notes_);
  inner.set_subject(subject_.empty() ? "lookup" : subject_ + ": lookup");
  if (inner.at_end()) {
    inner.problem(fmt::format("there is no argument; write {}", usage));
    return std::nullopt;
  }
  const Id argument = next(inner, depth + 1);
  std::vector<double> x, y;
  bool good = argument.has_value();
  while (inner.at_group()) {
    Arguments point(tree_, inner.take(), "(x y)", notes_, Arguments::Head::nothing);
    point.set_subject(inner.subject());
    const auto px = point.angle("x"), py = point.angle("y");
    point.finish();
    good = good && px && py;
    x.push_back(px.value_or(0)), y.push_back(py.value_or(0));
  }
  auto joining = TableCurve::Joining::monotone;
  inner.options({{"linear", "(linear)", [&](Arguments&) { joining = TableCurve::Joining::linear; }},
                 {"monotone", "(monotone)", [&](Arguments&) { joining = TableCurve::Joining::monotone; }}});
  if (!good) return std::nullopt;
  try {
    return maker_.lookup(*argument, std::move(x), std::move(y), joining);
  } catch (const std::invalid_argument& error) {
    inner.problem(fmt::format("{}; write {}", error.what(), usage));
    return std::nullopt;
  }
}

LawReader::Id LawReader::list(NodeId id, int depth) {
  const std::string_view head = tree_.head(id);
  if (head.empty()) {
    problem(tree_[id].where,
            "a number, a name or arithmetic is expected here, not a list; arithmetic is written as in (+ 1 x)");
    return std::nullopt;
  }
  if (const auto kind = law_kind_named(head)) return named(id, *kind);
  if (same_keyword(head, "time")) {
    Arguments(tree_, id, "(time)", notes_).finish();
    return maker_.time();
  }
  if (same_keyword(head, "parameter")) {
    Arguments inner(tree_, id, "(parameter \"name\")", notes_);
    const auto value = inner.number("name");
    inner.finish();
    return value ? Id(maker_.constant(*value)) : std::nullopt;
  }
  if (same_keyword(head, "if")) return chosen(id, depth);
  if (same_keyword(head, "clamp")) return clamped(id, depth);
  if (same_keyword(head, "lookup")) return looked_up(id, depth);
  if (same_keyword(head, "min")) return operation(id, Code::minimum, 1, any_number, "(min a b ...)", depth);
  if (same_keyword(head, "max")) return operation(id, Code::maximum, 1, any_number, "(max a b ...)", depth);
  if (same_keyword(head, "sum")) return operation(id, Code::add, 1, any_number, "(sum a b ...)", depth);
  if (same_keyword(head, "product")) return operation(id, Code::multiply, 1, any_number, "(product a b ...)", depth);
  const Operation* const arithmetic = operation_named(head);
  if (arithmetic == nullptr) {
    problem(tree_[tree_[id].first].where,
            fmt::format("there is no operation {}{}", quoted(head),
                        suggestion(std::string(utf8_prefix(lower_case(head), 60)), words_of_laws(), "operations")));
    return std::nullopt;
  }
  if (const auto code = code_of(arithmetic->keyword))
    return operation(id, *code, arithmetic->fewest, arithmetic->most, arithmetic->usage, depth);
  const auto degrees = operands(id, 1, 1, arithmetic->usage, depth);  // the only one that is none of its own
  return degrees ? Id(maker_.apply(Code::multiply, {degrees->front(), maker_.constant(pi / 180)})) : std::nullopt;
}

}  // namespace

bool at_law(const Arguments& arguments) {
  return !arguments.at_end() && is_law(arguments.tree(), arguments.notes().parameters, arguments.peek(), 0);
}

bool any_law_ahead(const Arguments& arguments, int count) {
  NodeId id = arguments.peek();
  for (int i = 0; i < count && id != none; ++i, id = arguments.tree()[id].next)
    if (is_law(arguments.tree(), arguments.notes().parameters, id, 0)) return true;
  return false;
}

std::optional<Law> take_law(Arguments& arguments) {
  if (!arguments.at_end()) return LawReader(arguments).take(arguments);
  arguments.number("value");  // which tells that it is missing
  return std::nullopt;
}

std::optional<std::array<Law, 3>> take_three_laws(Arguments& arguments) {
  std::array<Law, 3> laws;
  bool good = true;
  for (Law& law : laws) {
    auto one = take_law(arguments);
    good = good && one;
    if (one) law = std::move(*one);
  }
  return good ? std::optional(std::move(laws)) : std::nullopt;
}

void read_state(Arguments& arguments, MechanismBuilder& builder) {
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("state {}", quoted(*name)));
  const auto start = arguments.angle("start");
  std::optional<Law> rate;
  bool said = false;
  arguments.options({{"rate", "(rate LAW)", [&](Arguments& inner) {
                        said = true;
                        inner.set_subject(arguments.subject() + ": rate");
                        rate = take_law(inner);
                      }}});
  if (!said) arguments.problem(fmt::format("it has no rate; write {}", state_usage));
  if (name && start && rate) builder.add_state({*name, *start, std::move(*rate), arguments.where()});
}

}  // namespace polhode::format
