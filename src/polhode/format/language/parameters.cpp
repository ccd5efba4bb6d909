#include "polhode/format/language/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/language/arguments.h"
#include "polhode/format/language/frame_reader.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/operations.h"
#include "polhode/format/language/utf8.h"
#include "polhode/spatial/math.h"

namespace polhode::format {
namespace {

bool is_pi(const Node& node) { return node.kind == Node::Kind::symbol && same_keyword(node.text, "pi"); }

std::string text_of(const Node& word) {
  return word.kind == Node::Kind::string ? unescaped(word.text) : std::string(word.text);
}

std::string in_numbers(std::span<const double> arguments, const Operation& operation) {
  std::string text = fmt::format("({}", operation.keyword);
  for (const double x : arguments.first(std::min<std::size_t>(arguments.size(), 4))) text += fmt::format(" {:.6g}", x);
  return text + (arguments.size() > 4 ? " ...)" : ")");
}

/// Why an operation on finite numbers gave none.
std::string reason(std::span<const double> arguments, const Operation& operation, double result) {
  const bool divides_by_zero =
      operation.keyword == "/" && std::any_of(arguments.begin() + 1, arguments.end(), [](double x) { return x == 0; });
  const std::string what = in_numbers(arguments, operation);
  if (divides_by_zero) return fmt::format("{} divides by zero", what);
  if (operation.keyword == "log" && arguments[0] == 0) return fmt::format("{} is minus infinity; zero has no logarithm", what);
  if (std::isinf(result)) return fmt::format("{} is too large for a double-precision number", what);
  return fmt::format("{} is not a real number", what);
}

}  // namespace

void Parameters::problem(Source where, const std::string& subject, std::string message) {
  notes_.problems.push_back({subject.empty() ? std::move(message) : subject + ": " + message, where});
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) result.push_back(entry.name);
  return result;
}

std::vector<Parameter> Parameters::values() const {
  std::vector<Parameter> result;
  for (const Entry& entry : entries_) result.push_back({entry.name, entry.value});
  return result;
}

std::string Parameters::hint(std::string_view word) const {
  if (entries_.empty()) return {};
  return fmt::format("; there is no parameter {}{}", quoted(word),
                     suggestion(std::string(utf8_prefix(word, 60)), names(), "parameters"));
}

void Parameters::declare(NodeId form) {
  Arguments arguments(tree_, form, parameter_usage, notes_);
  const std::size_t mistakes_before = notes_.problems.size();
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("parameter {}", quoted(*name)));
  Entry entry{.name = name.value_or(""), .where = tree_[form].where};
  if (arguments.at_end()) {
    if (name) arguments.problem(fmt::format("value is missing; write {}", parameter_usage));
  } else {
    entry.expression = arguments.take();
    arguments.finish();
  }
  if (!name) return;
  if (same_keyword(*name, "pi") || primitive_named(*name)) {
    arguments.problem(fmt::format("the name {} already has a meaning; choose another", quoted(*name)));
    return;
  }
  const auto [found, is_new] = by_name_.emplace(*name, entries_.size());
  if (!is_new) {
    notes_.problems.push_back({fmt::format("parameter {} is declared twice; keep one", quoted(*name)), entry.where,
                               entries_[found->second].where, "the first one is here"});
    return;
  }
  if (notes_.problems.size() > mistakes_before) entry.standing = Standing::faulty;
  entries_.push_back(std::move(entry));
}

void Parameters::set(const ParameterValues& given) {
  for (const auto& [name, value] : given) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      problem({}, "", fmt::format("there is no parameter {}{}", quoted(name), suggestion(name, names(), "parameters")));
    } else if (!std::isfinite(value)) {
      problem({}, "", fmt::format("parameter {} cannot be {}; give a finite number", quoted(name), value));
    } else {
      Entry& entry = entries_[found->second];
      if (entry.standing == Standing::faulty) continue;
      entry.value = value;
      entry.standing = Standing::known;
    }
  }
}

void Parameters::read(NodeId system, const ParameterValues& given) {
  for (NodeId id = tree_[tree_[system].first].next; id != none; id = tree_[id].next) {
    if (notes_.problems.size() >= max_problems) return;
    if (tree_.is_form(id, "parameter")) declare(id);
  }
  set(given);
  // Those that a value needs come first, however long the chain of them is: recursion ends at max_expression_depth.
  std::vector<char> seen(entries_.size());
  std::vector<std::size_t> open;
  const auto each_needed = [&](const auto& self, NodeId id, int depth, const auto& use) -> void {
    if (id == none || depth > max_expression_depth) return;
    if (const auto needed = find(id)) use(*needed);
    if (tree_[id].kind != Node::Kind::list) return;
    for (NodeId part = tree_[id].first; part != none; part = tree_[part].next) self(self, part, depth + 1, use);
  };
  for (std::size_t first = 0; first < entries_.size(); ++first)
    for (open.assign(1, first); !open.empty();) {
      if (notes_.problems.size() >= max_problems) return;
      const std::size_t i = open.back();
      const NodeId expression = entries_[i].expression;
      if (!seen[i]) {
        seen[i] = 1;
        each_needed(each_needed, expression, 0, [&](std::size_t j) {
          if (!seen[j]) open.push_back(j);
        });
        continue;
      }
      open.pop_back();
      bool ready = true;
      each_needed(each_needed, expression, 0, [&](std::size_t j) { ready &= entries_[j].standing != Standing::untouched; });
      // What is never ready is part of a circle, of which the first one tells.
      if (!ready && i != first) continue;
      Entry& entry = entries_[i];
      value_of(entry, none, "", 0);
      if (entry.standing == Standing::known)
        entry.dimension = dimension(entry.expression, fmt::format("parameter {}", quoted(entry.name)));
    }
}

std::optional<std::size_t> Parameters::find(NodeId word) const {
  const Node& node = tree_[word];
  if (entries_.empty() || (node.kind != Node::Kind::symbol && node.kind != Node::Kind::string)) return std::nullopt;
  const auto found = by_name_.find(text_of(node));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

bool Parameters::is_value(NodeId word) const { return find(word) || is_pi(tree_[word]); }

bool Parameters::is_operation(NodeId list) const {
  const std::string_view head = tree_.head(list);
  return !head.empty() && operation_named(head) != nullptr && !same_keyword(head, "deg");
}

std::optional<double> Parameters::value_of(Entry& entry, NodeId asked_by, const std::string& subject, int depth) {
  if (asked_by != none) entry.used = true;
  if (entry.standing == Standing::known) return entry.value;
  if (entry.standing == Standing::in_work) {
    problem(tree_[asked_by].where, subject, fmt::format("the value of {} depends on itself", quoted(entry.name)));
    return std::nullopt;
  }
  if (entry.standing == Standing::faulty) return std::nullopt;
  entry.standing = Standing::in_work;
  const auto value = evaluate(entry.expression, fmt::format("parameter {}", quoted(entry.name)), depth + 1);
  entry.standing = value ? Standing::known : Standing::faulty;
  entry.value = value.value_or(0);
  return value;
}

std::optional<double> Parameters::evaluate(NodeId id, const std::string& subject, int depth) {
  const Node& node = tree_[id];
  if (depth > max_expression_depth) {
    problem(node.where, subject, fmt::format("arithmetic is nested more than {} deep", max_expression_depth));
    return std::nullopt;
  }
  switch (node.kind) {
    case Node::Kind::number: return node.value;
    case Node::Kind::bad: return std::nullopt;
    case Node::Kind::list: return operate(id, subject, depth);
    case Node::Kind::symbol:
    case Node::Kind::string: break;
  }
  if (const auto entry = find(id)) return value_of(entries_[*entry], id, subject, depth);
  if (is_pi(node)) return pi;
  problem(node.where, subject,
          fmt::format("there is no parameter {}{}", quoted(node.text),
                      suggestion(std::string(utf8_prefix(node.text, 60)), names(), "parameters")));
  return std::nullopt;
}

std::optional<double> Parameters::operate(NodeId list, const std::string& subject, int depth) {
  const Node& node = tree_[list];
  const std::string_view head = tree_.head(list);
  const Operation* const operation = operation_named(head);
  if (operation == nullptr) {
    std::vector<std::string> keywords;
    for (const Operation& o : operations())
      if (o.unit.empty()) keywords.emplace_back(o.keyword);
    if (head.empty()) {
      problem(node.where, subject, "a number is expected here, not a list; arithmetic is written as in (+ 1 2)");
    } else {
      problem(tree_[node.first].where, subject,
              fmt::format("there is no operation {}{}", quoted(head),
                          suggestion(std::string(utf8_prefix(lower_case(head), 60)), keywords, "operations")));
    }
    return std::nullopt;
  }
  std::vector<double> arguments;
  bool good = true;
  for (NodeId id = tree_[node.first].next; id != none; id = tree_[id].next) {
    if (notes_.problems.size() >= max_problems) return std::nullopt;
    const auto value = evaluate(id, subject, depth + 1);
    good = good && value;
    arguments.push_back(value.value_or(0));
  }
  if (!good) return std::nullopt;
  if (arguments.size() < operation->fewest || arguments.size() > operation->most) {
    problem(node.where, subject,
            fmt::format("{} has {} argument{}; write {}", operation->keyword, arguments.size(),
                        arguments.size() == 1 ? "" : "s", operation->usage));
    return std::nullopt;
  }
  const double result = operation->apply(arguments);
  if (!std::isfinite(result)) {
    problem(node.where, subject, reason(arguments, *operation, result));
    return std::nullopt;
  }
  return result;
}

void Parameters::warn_of_unused() const {
  for (const Entry& entry : entries_)
    if (!entry.used)
      notes_.warnings.push_back(
          {fmt::format("parameter {} has no effect, as nothing uses it", quoted(entry.name)), entry.where});
}

}  // namespace polhode::format
