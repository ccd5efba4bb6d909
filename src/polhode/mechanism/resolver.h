#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/mechanism.h"
#include "polhode/mechanism/tree_wishes.h"

namespace polhode {

/// Turns a builder's description into a Mechanism, in one pass over each kind of element. A problem is noted and its
/// element replaced by a harmless one, so that one mistake is told once and the search for others goes on.
/// The work is done by the parts in resolver_*.h; here is the order in which they take their turns.
class MechanismResolver {
 public:
  using Data = Mechanism::Data;

  MechanismResolver(const MechanismBuilder& builder, std::vector<Problem> found, TreeWishes wishes);
  /// Nothing when the model needs another spanning tree than it was given: then wishes() has grown.
  std::optional<Mechanism> resolve();
  const TreeWishes& wishes() const { return found_; }

 private:
  const MechanismBuilder& in_;
  std::vector<Problem> problems_;
  const TreeWishes given_;
  TreeWishes found_;
};

}  // namespace polhode
