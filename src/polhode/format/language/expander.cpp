#include "polhode/format/language/expander.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/language/frame_reader.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/operations.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "i", "i+1", "i-12": the index and what is added to it.
struct IndexText {
  std::string_view name;
  long added = 0;
};
std::optional<IndexText> index_text(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || (end > 0 && is_digit(text[end])))) ++end;
  if (end == 0) return std::nullopt;
  IndexText result{text.substr(0, end)};
  text.remove_prefix(end);
  if (text.empty()) return result;
  const bool minus = text[0] == '-';
  if ((!minus && text[0] != '+') || text.size() < 2 || text.size() > 8) return std::nullopt;
  for (const char c : text.substr(1)) {
    if (!is_digit(c)) return std::nullopt;
    result.added = 10 * result.added + (c - '0');
  }
  if (minus) result.added = -result.added;
  return result;
}

}  // namespace

Expander::Expander(const SyntaxTree& tree, NodeId system, std::string_view text, Notes& notes, Expansion& result)
    : model_(tree),
      model_text_(text),
      model_system_(system),
      notes_(notes),
      result_(result),
      texts_(*result.texts_),
      draft_{*result.expanded_, none} {
  scopes_.emplace_back();
}

void Expander::run() {
  const NodeId first = model_[model_system_].first;
  Node node = model_[model_system_];
  node.first = node.next = none;
  draft_.system = result_.system_ = append(none, node, 0);
  copy_word(model_, first, 0, draft_.system);
  collect(model_, model_[first].next, 0);
  push_nodes(model_, model_[first].next, 0, draft_.system);
  while (!tasks_.empty() && !gave_up_) {
    Task& task = tasks_.back();
    if (task.kind == Task::Kind::turns) {
      next_turn();
    } else if (task.kind == Task::Kind::end_of_instance) {
      rename(draft_, task.first, task.instance, result_.instances_, task.outside);
      tasks_.pop_back();
    } else if (task.next == none) {
      tasks_.pop_back();
    } else if (task.kind == Task::Kind::one_node) {
      const Task one = std::move(task);
      tasks_.pop_back();
      copy(*one.tree, one.next, one.scope, one.to);
    } else {
      const SyntaxTree& tree = *task.tree;
      const NodeId id = task.next, to = task.to;
      const int scope = task.scope;
      task.next = tree[id].next;
      copy(tree, id, scope, to);
    }
  }
}

void Expander::give_up(const Source& where, std::string message) {
  problem(where, std::move(message));
  gave_up_ = true;
  result_.is_complete_ = false;
}

int Expander::new_scope(Scope scope) {
  scopes_.push_back(std::move(scope));
  return int(scopes_.size()) - 1;
}

/// Numbers of lines are whole and fit an int.
int Expander::new_origin(int file, const Source& from, std::string how, int instance) {
  const int lines = file < 0 ? count_lines(model_text_) : count_lines(texts_.files[std::size_t(file)].text);
  if (texts_.num_lines > max_lines - lines) {
    give_up(from, fmt::format("the model has more than {} lines when its parts are put in", max_lines));
    return 0;
  }
  texts_.origins.push_back({file, from, std::move(how), texts_.num_lines, instance});
  texts_.num_lines += lines;
  return int(texts_.origins.size()) - 1;
}

Source Expander::place_in(Source place, int origin) const {
  place.line += texts_.origins[std::size_t(origin)].lines_before;
  return place;
}

Source Expander::place_of(const SyntaxTree& tree, NodeId id, int scope) const {
  return place_in(tree[id].where, scopes_[std::size_t(scope)].origin);
}

bool Expander::may_expand(const Source& where, const Scope& scope) {
  if (scope.depth >= max_expansion_depth) {
    give_up(where, fmt::format("include, use and repeat are nested more than {} deep; does a file include itself?",
                               max_expansion_depth));
  } else if (++expansions_ > max_expansions) {
    give_up(where, fmt::format("the model repeats, uses and includes more than {} times in all", max_expansions));
  }
  return !gave_up_;
}

NodeId Expander::append(NodeId to, Node node, int instance) {
  const std::size_t most = std::min(max_nodes, std::size_t(model_.size()) + max_expanded_nodes);
  if (draft_.parent.size() >= most && !gave_up_)
    give_up(node.where, fmt::format("the model has more than {} words and lists when its parts are put in", most));
  return draft_.append(to, std::move(node), instance);
}

void Expander::push_nodes(const SyntaxTree& tree, NodeId first, int scope, NodeId to) {
  Task task;
  task.tree = &tree, task.next = first, task.scope = scope, task.to = to;
  tasks_.push_back(std::move(task));
}

/// Replaces {i}, {i+1} and {i-1} by what they come to.
std::string Expander::with_indices(std::string_view text, const Scope& scope, const Source& where) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{'), close = text.find('}', open);
    result += text.substr(0, open);
    if (open == text.npos) break;
    const std::string_view inner = close == text.npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
    const auto index = index_text(inner);
    const auto found = std::find_if(scope.indices.rbegin(), scope.indices.rend(),
                                    [&](const auto& binding) { return index && binding.first == index->name; });
    if (found == scope.indices.rend()) {
      std::vector<std::string> names;
      for (const auto& [name, value] : scope.indices) names.push_back(name);
      problem(where, fmt::format("{} in a name must be an index, as in {{{}}} or {{{}+1}}{}",
                                 quoted(text.substr(open, close == text.npos ? close : close + 1 - open)), names.back(),
                                 names.back(), suggestion(std::string(utf8_prefix(inner, 40)), names, "indices")));
      return result;
    }
    result += std::to_string(found->second + index->added);
    text.remove_prefix(close + 1);
  }
  if (result.size() > max_word_bytes) {
    problem(where, fmt::format("this name is longer than {} bytes", max_word_bytes));
    result.clear();
  }
  return result;
}

void Expander::copy_word(const SyntaxTree& tree, NodeId id, int scope_index, NodeId to) {
  const Scope& scope = scopes_[std::size_t(scope_index)];
  Node node = tree[id];
  node.next = none;
  node.where = place_in(node.where, scope.origin);
  const auto keep = [&](std::string text) {
    word_bytes_ += text.size();
    if (word_bytes_ > max_expanded_bytes && !gave_up_)
      give_up(node.where, "the names of the model are longer than 16 MiB when its parts are put in");
    return draft_.tree.keep(std::move(text));
  };
  if (node.kind == Node::Kind::symbol) {
    const auto found = std::find_if(scope.indices.rbegin(), scope.indices.rend(),
                                    [&](const auto& binding) { return binding.first == node.text; });
    if (found != scope.indices.rend()) {
      node.kind = Node::Kind::number;
      node.value = double(found->second);
      node.text = keep(std::to_string(found->second));
    }
  }
  const bool is_text = node.kind == Node::Kind::symbol || node.kind == Node::Kind::string;
  if (is_text && !scope.indices.empty() && node.text.find('{') != std::string_view::npos)
    node.text = keep(with_indices(node.text, scope, node.where));
  const bool names_a_file = is_text && !scope.folder.empty() && to != none && draft_.tree[to].first != none &&
                            draft_.tree[draft_.tree[to].first].next == none &&
                            (draft_.tree.is_form(to, "file") || draft_.tree.is_form(to, "mesh"));
  if (names_a_file && !node.text.starts_with('/')) node.text = keep(escaped(scope.folder) + std::string(node.text));
  append(to, node, scope.instance);
}

void Expander::copy(const SyntaxTree& tree, NodeId id, int scope, NodeId to) {
  if (tree[id].kind != Node::Kind::list) return copy_word(tree, id, scope, to);
  const bool among_forms = to == draft_.system || is_frame_form(draft_.tree.head(to));
  if (tree.is_form(id, "repeat")) return repeat(tree, id, scope, to);
  if (among_forms && tree.is_form(id, "include")) return include(tree, id, scope, to);
  if (among_forms && tree.is_form(id, "use")) return use(tree, id, scope, to);
  const Scope& s = scopes_[std::size_t(scope)];
  if (to == draft_.system && s.of_a_model && tree.is_form(id, "name")) return;  // the name of a part
  if (to == draft_.system && tree.is_form(id, "submodel")) {
    const bool is_known = std::any_of(submodels_.begin(), submodels_.end(),
                                      [&](const auto& entry) { return entry.second.tree == &tree && entry.second.form == id; });
    if (!is_known && notes_.problems.empty())
      problem(place_of(tree, id, scope), "submodel: it must stand directly in the system, not in a submodel or repetition");
    return;
  }
  Node node = tree[id];
  node.first = node.next = none;
  node.where = place_in(node.where, s.origin);
  const NodeId list = append(to, node, s.instance);
  push_nodes(tree, tree[id].first, scope, list);
}

// Repetition.

std::optional<long> Expander::bound(const SyntaxTree& tree, NodeId id, const Scope& scope) {
  const Node& node = tree[id];
  if (node.kind == Node::Kind::symbol)
    for (auto binding = scope.indices.rbegin(); binding != scope.indices.rend(); ++binding)
      if (binding->first == node.text) return binding->second;
  const bool is_whole =
      node.kind == Node::Kind::number && std::abs(node.value) <= 1e9 && node.value == double(long(node.value));
  if (is_whole) return long(node.value);
  const std::string_view head = tree.head(id);
  const NodeId first = node.kind == Node::Kind::list && node.first != none ? tree[node.first].next : none;
  const NodeId second = first == none ? none : tree[first].next;
  const bool is_sum = (head == "+" || head == "-") && second != none && tree[second].next == none;
  const auto of_list = [&](NodeId part) {
    return tree[part].kind == Node::Kind::list ? std::nullopt : bound(tree, part, scope);
  };
  const auto a = is_sum ? of_list(first) : std::nullopt, b = is_sum ? of_list(second) : std::nullopt;
  if (a && b) return head == "+" ? *a + *b : *a - *b;
  if (node.kind != Node::Kind::bad) {
    problem(place_in(node.where, scope.origin),
            fmt::format("repeat: {} cannot be a bound; write a whole number, the index of a repetition around it, or a sum "
                        "or difference of two of these",
                        describe(tree, id)));
  }
  return std::nullopt;
}

void Expander::repeat(const SyntaxTree& tree, NodeId form, int scope_index, NodeId to) {
  const Scope& scope = scopes_[std::size_t(scope_index)];
  const Source where = place_of(tree, form, scope_index);
  NodeId parts[4]{};  // index, first, last, forms
  NodeId next = tree[tree[form].first].next;
  for (NodeId& part : parts) {
    part = next;
    if (next != none) next = tree[next].next;
  }
  const auto [index, low, high, forms] = parts;
  if (forms == none) return problem(where, fmt::format("repeat: something is missing; write {}", repeat_usage));
  const std::string name(tree[index].text);
  const auto plain = index_text(name);
  const bool is_name = tree[index].kind == Node::Kind::symbol && plain && plain->name == name;
  const bool has_meaning = same_keyword(name, "pi") || is_frame_form(name) || operation_named(name);
  if (!is_name || has_meaning)
    return problem(place_of(tree, index, scope_index),
                   fmt::format("repeat: {} cannot be an index; write a bare word of letters that has no meaning yet, such as i",
                               describe(tree, index)));
  const auto first = bound(tree, low, scope), last = bound(tree, high, scope);
  if (!first || !last) return;
  if (*last - *first >= long(max_expansions))
    return give_up(where, fmt::format("repeat: from {} to {} are more than {} times", *first, *last, max_expansions));
  Task task;
  task.kind = Task::Kind::turns;
  task.tree = &tree, task.next = forms, task.scope = scope_index, task.to = to;
  task.turn = *first, task.last = *last, task.index = name;
  task.first = form;
  tasks_.push_back(std::move(task));
}

void Expander::next_turn() {
  Task& task = tasks_.back();
  if (task.turn > task.last) return tasks_.pop_back();
  const Source where = place_of(*task.tree, task.first, task.scope);
  Scope scope = scopes_[std::size_t(task.scope)];
  if (!may_expand(where, scope)) return;
  ++scope.depth;
  const long turn = task.turn++;
  scope.indices.emplace_back(task.index, turn);
  scope.origin = new_origin(texts_.origins[std::size_t(scope.origin)].file, where,
                            fmt::format("here with {} = {}", task.index, turn), scope.instance);
  const SyntaxTree& tree = *task.tree;
  const NodeId forms = task.next, to = task.to;
  push_nodes(tree, forms, new_scope(std::move(scope)), to);
}

}  // namespace polhode::format
