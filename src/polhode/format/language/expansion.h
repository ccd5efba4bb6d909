#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/format/language/source_texts.h"

/// Forms that stand for other forms: (include ...), (submodel ...) with (use ...), (repeat ...). They are replaced by these
/// before anything else is read, so that no reader knows of them (docs/language.md, "Models made of parts").
namespace polhode::format {

inline constexpr std::string_view include_usage = "(include \"file.pol\")";
inline constexpr std::string_view submodel_usage =
    "(submodel \"name\" [(parameter name [value])] [(outside \"name\")] forms ...)";
inline constexpr std::string_view use_usage =
    "(use \"submodel\" \"name\" [(on \"frame\")] [(at x y z [orientation])] [(parameter value)] [(outside-name \"name\")])";
inline constexpr std::string_view repeat_usage = "(repeat index first last forms ...)";

/// A submodel where it is used.
struct Instance {
  int parent = 0;          ///< the instance that it is used in; 0 is the model itself
  std::string prefix{};    ///< of its names, `left.`
  bool is_placed = false;  ///< its Ground is another frame, of the instance's name
};

/// A system with all such forms replaced. Words that are not in the model's text are kept here.
class Expansion {
 public:
  /// What is wrong goes to the notes. Where there is nothing to replace, the tree stays the one that is given.
  /// The text is that of the tree.
  Expansion(const SyntaxTree& tree, NodeId system, std::string_view text, Notes& notes);
  ~Expansion();
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  const SyntaxTree& tree() const { return *tree_; }
  NodeId system() const { return system_; }
  const std::vector<Instance>& instances() const { return instances_; }
  /// The instance that a (use ...) form of the expanded tree places; 0 when it is none.
  int placed_by(NodeId form) const;
  bool places_any() const { return !placements_.empty(); }
  /// The instance that something at this place belongs to.
  int instance_at(const Source& place) const;
  /// False when there was too much to replace: nothing more can be said of the model.
  bool is_complete() const { return is_complete_; }
  std::shared_ptr<const SourceTexts> texts() const { return texts_; }

 private:
  friend class Expander;
  const SyntaxTree* tree_;
  NodeId system_;
  std::unique_ptr<SyntaxTree> expanded_;
  std::vector<Instance> instances_{{}};
  std::unordered_map<NodeId, int> placements_;
  std::shared_ptr<SourceTexts> texts_;
  bool is_complete_ = true;
};

}  // namespace polhode::format
