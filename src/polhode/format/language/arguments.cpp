#include "polhode/format/language/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/format/language/parameters.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/elements.h"
#include "polhode/spatial/math.h"

namespace polhode::format {

std::string Notes::text_of_file(const std::string& name) {
  const auto is_it = [&](const ModelFile& file) { return file.name == name; };
  if (given_files) {
    const auto given = std::find_if(given_files->begin(), given_files->end(), is_it);
    if (given == given_files->end()) throw std::runtime_error("it was not kept with the model");
    return given->text;
  }
  std::string text = read_table_text(path_in(*folder, name));
  if (read_files && std::none_of(read_files->begin(), read_files->end(), is_it)) read_files->push_back({name, text});
  return text;
}

std::string describe(const SyntaxTree& tree, NodeId id) {
  const Node& node = tree[id];
  switch (node.kind) {
    case Node::Kind::number: return fmt::format("the number {}", utf8_prefix(node.text, 60));
    case Node::Kind::string: return fmt::format("the text {}", quoted(node.text));
    case Node::Kind::symbol: return fmt::format("the word {}", quoted(node.text));
    case Node::Kind::list: break;
    case Node::Kind::bad: return "this";
  }
  const std::string_view head = tree.head(id);
  return head.empty() ? "a list" : fmt::format("a ({} ...) form", utf8_prefix(head, 40));
}

Arguments::Arguments(const SyntaxTree& tree, NodeId form, std::string_view usage, Notes& notes, Head head)
    : tree_(tree), form_(form), usage_(usage), notes_(notes), next_(tree[form].first) {
  if (head == Head::keyword) subject_ = lower_case(utf8_prefix(tree[take()].text, 40));
}

NodeId Arguments::take() {
  const NodeId taken = next_;
  next_ = tree_[taken].next;
  return taken;
}

void Arguments::problem(Source place, std::string message) {
  notes_.problems.push_back({subject_.empty() ? std::move(message) : subject_ + ": " + message, place});
}

const Node* Arguments::expect(const char* what, std::initializer_list<Node::Kind> kinds, const char* kind_in_words) {
  if (at_end()) {
    if (!told_missing_) problem(fmt::format("{} is missing; write {}", what, usage_));
    told_missing_ = true;
    return nullptr;
  }
  const NodeId id = take();
  const Node& node = tree_[id];
  if (std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end()) return &node;
  if (node.kind != Node::Kind::bad) {
    const bool wants_number = *kinds.begin() == Node::Kind::number, is_word = node.kind == Node::Kind::symbol;
    const std::string hint = wants_number && is_word && notes_.parameters ? notes_.parameters->hint(node.text) : "";
    problem(node.where,
            fmt::format("{} must be {}, not {}{}; write {}", what, kind_in_words, describe(tree_, id), hint, usage_));
  }
  return nullptr;
}

bool Arguments::at_list() const {
  if (next_ == none || tree_[next_].kind != Node::Kind::list) return false;
  return notes_.parameters == nullptr || !notes_.parameters->is_operation(next_);
}

/// A parameter may be called like an operation or a unit: (t 1) then is the group.
bool Arguments::at_group() const {
  if (next_ == none || tree_[next_].kind != Node::Kind::list) return false;
  const Node& list = tree_[next_];
  if (tree_.head(next_).empty()) return true;
  return notes_.parameters != nullptr && notes_.parameters->is_value(list.first);
}

bool Arguments::at_expression() const {
  if (next_ == none || notes_.parameters == nullptr) return false;
  const Node::Kind kind = tree_[next_].kind;
  if (kind == Node::Kind::list) return notes_.parameters->is_operation(next_);
  return kind == Node::Kind::symbol && notes_.parameters->is_value(next_);
}

std::optional<double> Arguments::evaluate(NodeId id, const char* what, std::string_view unit) {
  Parameters& parameters = *notes_.parameters;
  const auto value = parameters.evaluate(id, subject_);
  if (!value) return std::nullopt;
  const auto said = parameters.dimension(id, subject_);
  if (unit.empty() || !said || fits(*said, unit)) return value;
  problem(tree_[id].where, fmt::format("{} is a quantity in {}, but this is one in {}", what, unit, to_text(*said)));
  return std::nullopt;
}

std::optional<double> Arguments::number(const char* what, std::string_view unit) {
  if (!at_end() && notes_.parameters != nullptr) {
    const Parameters& parameters = *notes_.parameters;
    const Node::Kind kind = tree_[next_].kind;
    const bool word = kind == Node::Kind::symbol || kind == Node::Kind::string;
    if (word ? parameters.is_value(next_) : kind == Node::Kind::list && parameters.is_operation(next_))
      return evaluate(take(), what, unit);
  }
  const Node* node = expect(what, {Node::Kind::number}, "a number");
  return node ? std::optional(node->value) : std::nullopt;
}

std::optional<double> Arguments::angle(const char* what, std::string_view unit) {
  if (!at_form("deg")) return number(what, unit);
  Arguments degrees(tree_, take(), "(deg angle)", notes_);
  const auto value = degrees.number("angle");
  degrees.finish();
  return value ? std::optional(*value * (pi / 180)) : std::nullopt;
}

std::optional<Vec3<double>> Arguments::vector(std::string_view unit) {
  const auto x = number("x", unit), y = number("y", unit), z = number("z", unit);
  return x && y && z ? std::optional(Vec3<double>{*x, *y, *z}) : std::nullopt;
}

std::optional<Vec3<double>> Arguments::angles(const char* x_name, const char* y_name, const char* z_name,
                                              std::string_view unit) {
  const auto x = angle(x_name, unit), y = angle(y_name, unit), z = angle(z_name, unit);
  return x && y && z ? std::optional(Vec3<double>{*x, *y, *z}) : std::nullopt;
}

std::optional<std::string> Arguments::name(const char* what) {
  const Node* node = expect(what, {Node::Kind::string, Node::Kind::symbol}, "a name");
  if (!node) return std::nullopt;
  if (node->kind == Node::Kind::symbol) return same_keyword(node->text, ground_name) ? ground_name : std::string(node->text);
  std::string text = unescaped(node->text);
  if (text.empty()) {
    problem(node->where, fmt::format("{} is empty; give it at least one letter", what));
    return std::nullopt;
  }
  if (text.find_first_of("\n\t") != std::string::npos) {
    problem(node->where, fmt::format("{} has a line break or tab in it; use spaces", what));
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> Arguments::free_text(const char* what) {
  const Node* node = expect(what, {Node::Kind::string, Node::Kind::symbol}, "a text in quotes");
  if (!node) return std::nullopt;
  return node->kind == Node::Kind::string ? unescaped(node->text) : std::string(node->text);
}

void Arguments::options(const std::vector<Option>& options) {
  std::vector<Source> seen(options.size());
  std::vector<std::string> keywords;
  for (const Option& option : options) keywords.emplace_back(option.keyword);

  while (!at_end()) {
    const NodeId id = take();
    const Node& node = tree_[id];
    if (node.kind == Node::Kind::bad) continue;
    const std::string head(tree_.head(id));
    if (head.empty()) {
      problem(node.where, fmt::format("{} is not expected here; write {}", describe(tree_, id), usage_));
      continue;
    }
    std::size_t k = 0;
    while (k < options.size() && !same_keyword(options[k].keyword, head)) ++k;
    if (k == options.size()) {
      problem(tree_[node.first].where,
              fmt::format("there is no option {} here{}", quoted(head),
                          suggestion(std::string(utf8_prefix(lower_case(head), 60)), keywords, "options")));
      continue;
    }
    if (seen[k].line > 0 && !options[k].repeats) {
      notes_.problems.push_back({fmt::format("{}: ({} ...) is given twice; keep one", subject_, options[k].keyword), node.where,
                                 seen[k], "the first one is here"});
      continue;
    }
    seen[k] = node.where;
    Arguments inner(tree_, id, options[k].usage, notes_);
    inner.set_subject(fmt::format("{}: {}", subject_, options[k].keyword));
    options[k].read(inner);
    inner.finish();
  }
}

void Arguments::finish() {
  if (at_end()) return;
  const NodeId id = take();
  if (tree_[id].kind != Node::Kind::bad) {
    problem(tree_[id].where, fmt::format("{} is one argument too many; write {}", describe(tree_, id), usage_));
  }
  next_ = none;
}

}  // namespace polhode::format
