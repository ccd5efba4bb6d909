#include "polhode/format/language/expansion.h"

#include <algorithm>

#include "polhode/format/language/expander.h"

namespace polhode::format {
namespace {

/// Whether any list begins with one of the words that stand for other forms.
bool has_anything_to_expand(const SyntaxTree& tree) {
  for (NodeId id = 0; id < tree.size(); ++id)
    for (const std::string_view word : {"include", "submodel", "use", "repeat"})
      if (tree.is_form(id, word)) return true;
  return false;
}

}  // namespace

int SourceTexts::origin_of(int line) const {
  const auto behind = std::partition_point(origins.begin() + 1, origins.end(),
                                           [&](const Origin& origin) { return origin.lines_before < line; });
  return int(behind - origins.begin()) - 1;
}

int count_lines(std::string_view text) { return 1 + int(std::count(text.begin(), text.end(), '\n')); }

Expansion::Expansion(const SyntaxTree& tree, NodeId system, std::string_view text, Notes& notes)
    : tree_(&tree), system_(system), texts_(std::make_shared<SourceTexts>()) {
  texts_->num_lines = count_lines(text);
  if (!has_anything_to_expand(tree)) return;
  expanded_ = std::make_unique<SyntaxTree>();
  Expander(tree, system, text, notes, *this).run();
  tree_ = expanded_.get();
}

Expansion::~Expansion() = default;

int Expansion::placed_by(NodeId form) const {
  const auto found = placements_.find(form);
  return found == placements_.end() ? 0 : found->second;
}

int Expansion::instance_at(const Source& place) const {
  return texts_->origins[std::size_t(texts_->origin_of(place.line))].instance;
}

}  // namespace polhode::format
