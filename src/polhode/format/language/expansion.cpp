#include "polhode/format/language/expansion.h"

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

Expansion::Expansion(const SyntaxTree& tree, NodeId system, Notes& notes)
    : tree_(&tree), system_(system), texts_(std::make_shared<SourceTexts>()) {
  if (!has_anything_to_expand(tree)) return;
  expanded_ = std::make_unique<SyntaxTree>();
  Expander(tree, system, notes, *this).run();
  tree_ = expanded_.get();
}

Expansion::~Expansion() = default;

int Expansion::placed_by(NodeId form) const {
  const auto found = placements_.find(form);
  return found == placements_.end() ? 0 : found->second;
}

int Expansion::instance_at(const Source& place) const {
  return std::size_t(place.origin) < instance_of_origin_.size() ? instance_of_origin_[std::size_t(place.origin)] : 0;
}

}  // namespace polhode::format
