#include "polhode/format/language/syntax_tree.h"

#include <fmt/format.h>

#include "polhode/format/language/limits.h"

namespace polhode::format {
namespace {

struct OpenList {
  NodeId id;
  NodeId last_child = none;
  bool starts_line = false;
};

Node::Kind kind_of_word(TokenKind kind) {
  switch (kind) {
    case TokenKind::number: return Node::Kind::number;
    case TokenKind::string: return Node::Kind::string;
    case TokenKind::symbol: return Node::Kind::symbol;
    default: return Node::Kind::bad;
  }
}

/// A list that starts a line at or left of the still open list around it: the likely place of a forgotten parenthesis.
struct Suspicion {
  Source opener{}, next_form{};
};

Problem unclosed(const Node& innermost, const Suspicion& suspicion) {
  Problem problem{"this ( is never closed; add the missing )", innermost.where};
  if (suspicion.opener.line > 0) {
    problem.other = suspicion.opener;
    problem.other_note = fmt::format("by its indentation this form should have ended before line {}", suspicion.next_form.line);
  }
  return problem;
}

}  // namespace

SyntaxTree::SyntaxTree(std::string_view text, std::vector<Problem>& problems) {
  Lexer lexer(text, problems);
  std::vector<OpenList> open;
  NodeId last_top = none;
  Suspicion suspicion;
  bool stray = false;

  for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
    if (problems.size() >= max_problems) {
      problems.push_back({"too many mistakes; reading stopped here", token.where});
      return;
    }
    if (token.kind == TokenKind::close) {
      if (open.empty()) {
        problems.push_back({"this ) closes nothing; remove it, or add the ( that it belongs to", token.where});
        stray = true;
      } else {
        open.pop_back();
      }
      continue;
    }
    if (nodes_.size() == max_nodes) {
      problems.push_back({fmt::format("the model has more than {} words and lists", max_nodes), token.where});
      return;
    }

    const NodeId id = NodeId(nodes_.size());
    nodes_.push_back({.where = token.where});
    NodeId& previous = open.empty() ? last_top : open.back().last_child;
    if (previous != none) {
      nodes_[std::size_t(previous)].next = id;
    } else {
      (open.empty() ? first_ : nodes_[std::size_t(open.back().id)].first) = id;
    }
    previous = id;

    if (token.kind != TokenKind::open) {
      Node& node = nodes_.back();
      node.kind = kind_of_word(token.kind);
      node.text = token.text;
      node.value = token.value;
      continue;
    }
    if (open.size() == max_depth) {
      problems.push_back({fmt::format("parentheses are nested more than {} deep", max_depth), token.where});
      return;
    }
    if (suspicion.opener.line == 0 && token.starts_line && !open.empty() && open.back().starts_line) {
      const Source around = nodes_[std::size_t(open.back().id)].where;
      const bool outermost = open.size() == 1;  // many people do not indent what stands in (system ...)
      if (!outermost && token.where.column <= around.column) suspicion = {around, token.where};
    }
    open.push_back({id, none, token.starts_line});
  }

  if (!open.empty() && !lexer.lost_a_quote()) problems.push_back(unclosed(nodes_[std::size_t(open.back().id)], suspicion));
  complete_ = open.empty() && !stray;
}

NodeId SyntaxTree::append(Node node, NodeId list, NodeId last) {
  const NodeId id = size();
  nodes_.push_back(std::move(node));
  if (last != none)
    nodes_[std::size_t(last)].next = id;
  else if (list != none)
    nodes_[std::size_t(list)].first = id;
  else
    first_ = id;
  return id;
}

std::string_view SyntaxTree::head(NodeId id) const {
  const Node& node = (*this)[id];
  if (node.kind != Node::Kind::list || node.first == none) return {};
  const Node& first = (*this)[node.first];
  return first.kind == Node::Kind::symbol ? first.text : std::string_view{};
}

bool SyntaxTree::is_form(NodeId id, std::string_view keyword) const { return same_keyword(head(id), keyword); }

}  // namespace polhode::format
