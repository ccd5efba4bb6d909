#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/language/lexer.h"

namespace polhode::format {

/// Index of a node in its tree; `none` ends a list.
using NodeId = std::int32_t;
inline constexpr NodeId none = -1;

/// A list, or one word. Nodes lie in one flat array and name their relatives by index, so no walk over a tree needs the stack.
struct Node {
  enum class Kind : std::uint8_t { list, number, string, symbol, bad };

  Kind kind = Kind::list;
  Source where{};
  NodeId first = none, next = none;  ///< first child of a list; next sibling
  std::string_view text{};           ///< of a word; points into the model's text
  double value = 0;                  ///< of a number
};

/// The parentheses and words of a model. The text must outlive the tree.
class SyntaxTree {
 public:
  /// Reads a text without bad bytes. Mistakes go to problems; is_complete() tells whether the parentheses matched.
  SyntaxTree(std::string_view text, std::vector<Problem>& problems);
  /// An empty tree, to be filled by append().
  SyntaxTree() : complete_(true) {}

  const Node& operator[](NodeId id) const { return nodes_[std::size_t(id)]; }
  NodeId size() const { return NodeId(nodes_.size()); }
  NodeId first() const { return first_; }  ///< first top-level node, or none
  bool is_complete() const { return complete_; }

  /// True for a list whose first element is this keyword.
  bool is_form(NodeId id, std::string_view keyword) const;

  /// Adds a node to a list behind the one that is its last so far; without a list, at the top.
  NodeId append(Node node, NodeId list, NodeId last);
  /// Keeps words that stand in no text.
  std::string_view keep(std::string word) { return words_.emplace_back(std::move(word)); }
  void set_text(NodeId id, std::string_view text) { nodes_[std::size_t(id)].text = text; }
  /// The word that heads a list; empty when there is none.
  std::string_view head(NodeId id) const;

 private:
  std::vector<Node> nodes_;
  std::deque<std::string> words_;  ///< a deque: nodes refer to them
  NodeId first_ = none;
  bool complete_ = false;
};

}  // namespace polhode::format
