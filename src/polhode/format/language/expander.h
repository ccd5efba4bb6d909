#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "polhode/format/language/expansion.h"
#include "polhode/format/language/expansion_names.h"

namespace polhode::format {

struct Submodel;

/// Where words stand that are being copied: what they mean follows from it.
struct Scope {
  int instance = 0;
  int origin = 0;
  int depth = 0;            ///< of include, use and repeat around it
  bool of_a_model = false;  ///< directly in the (system ...) of a file
  std::string folder{};     ///< of the file that the words are in, as seen from the model's: "parts/"
  std::vector<std::pair<std::string, long>> indices{};  ///< of repetitions, the innermost last
  std::vector<const Submodel*> inside{};                ///< submodels that these words are part of
};

/// A definition, and where it stands.
struct Submodel {
  std::string name;
  const SyntaxTree* tree;
  NodeId form;
  int scope;
};

/// Copies a system node by node. Work that is left stands on a stack of its own, so descriptions may be nested thousands deep.
class Expander {
 public:
  Expander(const SyntaxTree& tree, NodeId system, std::string_view text, Notes& notes, Expansion& result);
  void run();

 private:
  /// Nodes to be copied, one of them or one after the other, to the end of a list; or turns of a repetition; or the end of an
  /// instance.
  struct Task {
    enum class Kind { nodes, one_node, turns, end_of_instance };
    Kind kind = Kind::nodes;
    const SyntaxTree* tree = nullptr;
    NodeId next = none;  ///< the node to be copied; of turns the first form to repeat
    int scope = 0;
    NodeId to = none;
    long turn = 0, last = 0;  ///< of turns
    std::string index{};
    int instance = 0;     ///< that ends
    NodeId first = none;  ///< node of the instance; of turns the form itself
    std::map<std::string, std::string> outside{};
  };
  struct Loaded {
    const SyntaxTree* tree;
    NodeId first;
    int scope;
  };
  /// What a (use ...) says.
  struct Use {
    const Submodel* submodel = nullptr;
    std::string name;
    NodeId form = none;
    NodeId on = none, at = none;                 ///< the forms
    std::map<std::string, NodeId> parameters{};  ///< the forms
    std::map<std::string, std::string> outside{};
  };

  // Before copying: definitions, and the files that they may be in.
  void collect(const SyntaxTree& tree, NodeId first, int scope);
  void define(const SyntaxTree& tree, NodeId form, int scope);

  // Copying.
  void copy(const SyntaxTree& tree, NodeId id, int scope, NodeId to);
  void copy_word(const SyntaxTree& tree, NodeId id, int scope, NodeId to);
  void push_nodes(const SyntaxTree& tree, NodeId first, int scope, NodeId to);
  std::string with_indices(std::string_view text, const Scope& scope, const Source& where);

  std::optional<Loaded> load(const SyntaxTree& tree, NodeId form, int scope);
  void include(const SyntaxTree& tree, NodeId form, int scope, NodeId to);

  void repeat(const SyntaxTree& tree, NodeId form, int scope, NodeId to);
  std::optional<long> bound(const SyntaxTree& tree, NodeId id, const Scope& scope);
  void next_turn();

  void use(const SyntaxTree& tree, NodeId form, int scope, NodeId to);
  std::optional<Use> read_use(const SyntaxTree& tree, NodeId form, int scope, NodeId to);
  void place(const Use& use, const SyntaxTree& tree, NodeId form, int scope, int instance);
  void push_form(const SyntaxTree& definition, NodeId form, int inner, const Use& use, const SyntaxTree& tree, int scope,
                 NodeId to);
  void instantiate(const Use& use, const SyntaxTree& tree, NodeId form, int scope, NodeId to);

  // Keeping account.
  bool may_expand(const Source& where, const Scope& scope);
  int new_scope(Scope scope);
  int new_origin(int file, const Source& from, std::string how, int instance);
  NodeId append(NodeId to, Node node, int instance);
  Source place_in(Source place, int origin) const;
  Source place_of(const SyntaxTree& tree, NodeId id, int scope) const;
  void problem(const Source& where, std::string message) { notes_.problems.push_back({std::move(message), where}); }
  void give_up(const Source& where, std::string message);

  const SyntaxTree& model_;
  std::string_view model_text_;
  NodeId model_system_;
  Notes& notes_;
  Expansion& result_;
  SourceTexts& texts_;
  DraftTree draft_;
  std::deque<SyntaxTree> trees_;  ///< of files
  std::deque<Scope> scopes_;
  std::map<std::string, Submodel> submodels_;
  std::map<std::pair<const SyntaxTree*, NodeId>, std::optional<Loaded>> loaded_;
  std::vector<Task> tasks_;
  std::size_t expansions_ = 0, bytes_ = 0, word_bytes_ = 0;
  bool gave_up_ = false;
};

}  // namespace polhode::format
