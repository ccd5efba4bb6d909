#pragma once
#include <utility>
#include <vector>

namespace polhode::linear {

/// The pattern of a symmetric-pattern matrix of small blocks, as a graph: nodes are bodies (their diagonal block is regular)
/// and constraints (their diagonal block is zero to begin with); an edge (i, j) stands for the two blocks (i, j) and (j, i),
/// whose values may differ (Bruedigam & Manchester, section 4.2).
struct BlockGraph {
  struct Node {
    int size;  ///< 1 to 6
    bool constraint = false;
    bool touches_ground = false;  ///< a constraint on something that is not a node because it cannot move
  };
  std::vector<Node> nodes;
  std::vector<std::pair<int, int>> edges;  ///< each once
};

}  // namespace polhode::linear
