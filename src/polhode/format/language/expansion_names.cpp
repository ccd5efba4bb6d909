#include "polhode/format/language/expansion_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "polhode/format/language/frame_reader.h"
#include "polhode/mechanism/elements.h"

namespace polhode::format {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return same_keyword(one, word); });
}

/// Components whose first argument is a name of their own.
constexpr std::array<std::string_view, 11> declaring{"body",  "frame", "parameter", "discrete", "input",   "motor",
                                                     "event", "state", "beam",      "use",      "material"};
/// Lists whose words are no names.
constexpr std::array<std::string_view, 4> literal{"say", "file", "mesh", "euler"};
/// Lists with both names and words that have a meaning.
constexpr std::array<std::string_view, 4> with_words{"position", "motion", "lock", "when"};
constexpr std::array<std::string_view, 9> words_with_meaning{"x",     "y",     "z",      "position", "velocity", "acceleration",
                                                             "rises", "falls", "crosses"};

bool is_word(const Node& node) { return node.kind == Node::Kind::string || node.kind == Node::Kind::symbol; }
std::string name_of(const Node& word) {
  return word.kind == Node::Kind::string ? unescaped(word.text) : std::string(word.text);
}

class Names {
 public:
  Names(DraftTree& draft, NodeId first, int instance, const std::vector<Instance>& instances,
        const std::map<std::string, std::string>& outside)
      : draft_(draft),
        tree_(draft.tree),
        first_(first),
        end_(NodeId(draft.parent.size())),
        instance_(instance),
        instances_(instances),
        outside_(outside) {}

  void collect() {
    for (NodeId id = first_; id < end_; ++id)
      if (belongs(id) && tree_[id].kind == Node::Kind::list && tree_[id].first != none) collect_from(id);
  }

  void rename() {
    for (NodeId id = first_; id < end_; ++id)
      if (belongs(id) && is_word(tree_[id]) && may_be_a_name(id)) rename_word(id);
  }

 private:
  bool belongs(NodeId id) const {
    int i = draft_.instance[std::size_t(id)];
    while (i > instance_) i = instances_[std::size_t(i)].parent;
    return i == instance_;
  }
  NodeId parent(NodeId id) const { return draft_.parent[std::size_t(id)]; }
  NodeId component_of(NodeId id) const {
    while (id != none && parent(id) != draft_.system) id = parent(id);
    return id;
  }
  NodeId argument(NodeId list, int place) const {
    NodeId id = tree_[list].first;
    while (id != none && place-- > 0) id = tree_[id].next;
    return id;
  }
  void declare(NodeId id) {
    if (id != none && belongs(id) && is_word(tree_[id])) declared_.insert(name_of(tree_[id]));
  }

  void collect_from(NodeId list) {
    const std::string_view head = tree_.head(list);
    const bool is_component = parent(list) == draft_.system;
    if (is_component && is_one_of(head, declaring)) declare(argument(list, 1));
    if (is_component && same_keyword(head, "joint")) declare(argument(list, 2));
    if (is_component && !is_frame_form(head)) return;
    if (same_keyword(head, "name")) declare(argument(list, 1));
    if (same_keyword(head, "coordinates"))
      for (NodeId id = argument(list, 1); id != none; id = tree_[id].next) declare(id);
    if (is_frame_form(head))
      for (NodeId id = argument(list, 1); id != none; id = tree_[id].next)
        if (tree_[id].kind == Node::Kind::string) declare(id);
    if (!is_frame_form(tree_.head(parent(list)))) return;
    const bool moves = same_keyword(head, "d") || same_keyword(head, "k") || same_keyword(head, "kinematic");
    if (moves) declare(argument(list, 1));
    if (head.empty()) declare(argument(list, 0));
  }

  bool may_be_a_name(NodeId id) const {
    const NodeId list = parent(id);
    const std::string_view head = tree_.head(list);
    const bool is_head = tree_[list].first == id && tree_[id].kind == Node::Kind::symbol;
    if (is_head) return false;
    if (is_one_of(head, literal)) return false;
    if (same_keyword(head, "joint") && argument(list, 1) == id) return false;
    const bool has_meaning = tree_[id].kind == Node::Kind::symbol && is_one_of(tree_[id].text, words_with_meaning);
    return !(has_meaning && is_one_of(head, with_words));
  }

  /// The name that a word is made of: the word itself, its beginning up to a full stop, or without the mark of a speed.
  template <class Has>
  std::optional<std::string> name_in(const std::string& word, Has has) const {
    if (has(word)) return word;
    if (word.ends_with('\'') && has(word.substr(0, word.size() - 1))) return word.substr(0, word.size() - 1);
    for (std::size_t stop = word.rfind('.'); stop != word.npos && stop > 0; stop = word.rfind('.', stop - 1))
      if (has(word.substr(0, stop))) return word.substr(0, stop);
    return std::nullopt;
  }

  void rename_word(NodeId id) {
    const Node& node = tree_[id];
    const std::string word = name_of(node);
    const Instance& instance = instances_[std::size_t(instance_)];
    if (instance.is_placed && same_keyword(word, ground_name)) {
      const std::string_view component = tree_.head(component_of(id));
      const bool takes_bodies = same_keyword(component, "body") || same_keyword(component, "joint") ||
                                same_keyword(component, "frame") || same_keyword(component, "use");
      if (!takes_bodies) set(id, instance.prefix.substr(0, instance.prefix.size() - 1));
      return;
    }
    if (const auto name = name_in(word, [&](const std::string& w) { return outside_.count(w) > 0; }))
      return set(id, outside_.at(*name) + word.substr(name->size()));
    if (name_in(word, [&](const std::string& w) { return declared_.count(w) > 0; })) set(id, instance.prefix + word);
  }

  void set(NodeId id, const std::string& name) {
    const bool is_string = tree_[id].kind == Node::Kind::string;
    tree_.set_text(id, tree_.keep(is_string ? escaped(name) : name));
  }

  DraftTree& draft_;
  SyntaxTree& tree_;
  NodeId first_, end_;
  int instance_;
  const std::vector<Instance>& instances_;
  const std::map<std::string, std::string>& outside_;
  std::unordered_set<std::string> declared_;
};

}  // namespace

NodeId DraftTree::append(NodeId to, Node node, int whose) {
  const NodeId id = tree.append(std::move(node), to, to == none ? none : last_child[std::size_t(to)]);
  if (to != none) last_child[std::size_t(to)] = id;
  parent.push_back(to), last_child.push_back(none), instance.push_back(whose);
  return id;
}

void rename(DraftTree& draft, NodeId first, int instance, const std::vector<Instance>& instances,
            const std::map<std::string, std::string>& outside) {
  Names names(draft, first, instance, instances, outside);
  names.collect();
  names.rename();
}

}  // namespace polhode::format
