#pragma once
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "polhode/format/language/expansion.h"

namespace polhode::format {

/// The tree that is being made, with what the passes over it need to know of each node.
struct DraftTree {
  SyntaxTree& tree;
  NodeId system;
  std::vector<NodeId> parent{};
  std::vector<NodeId> last_child{};
  std::vector<int> instance{};  ///< whose words they are

  NodeId append(NodeId to, Node node, int whose);
};

/// Makes the names of an instance its own: those that its forms in [first, end) declare get its prefix, and names from outside
/// become what they were given as. `ground` becomes the frame that the instance is placed on, where one may name a frame.
void rename(DraftTree& draft, NodeId first, int instance, const std::vector<Instance>& instances,
            const std::map<std::string, std::string>& outside);

}  // namespace polhode::format
