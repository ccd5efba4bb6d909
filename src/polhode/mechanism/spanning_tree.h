#pragma once
#include <functional>
#include <vector>

namespace polhode {

/// A joint as the graph sees it: the two bodies it connects, in the order in which they were declared.
struct GraphEdge {
  int parent, child;
};

/// Which joints carry bodies and which close loops. Bodies are numbered as declared; 0 is Ground.
struct SpanningTree {
  struct Link {
    int parent = -1;       ///< body that this one hangs on
    int edge = -1;         ///< joint that it hangs by; -1 for a body that no joint path leads to, which hangs on Ground
    bool swapped = false;  ///< the joint's declared child is the parent here
  };
  std::vector<Link> links;      ///< by declared body
  std::vector<int> order;       ///< declared body at each place of the tree: depth first, so every subtree is contiguous
  std::vector<int> loop_edges;  ///< joints left over, in declared order
};

/// Breadth first from Ground, over joints in declared order: every body hangs as near to Ground as its joints allow.
/// A group of bodies with no path to Ground is rooted in the first of its bodies that prefers_root likes (or its first one, if
/// none is). Linear in bodies and joints, and free of recursion, so that chains may be very long.
SpanningTree spanning_tree(int num_bodies, const std::vector<GraphEdge>& edges, const std::function<bool(int)>& prefers_root);

/// The same where some joints had better be in the tree: of the joints of rank 0 as many as close no loop (the first ones, as
/// declared), then of those of rank 1, and so on. Over these joints alone it then goes breadth first.
SpanningTree spanning_tree(int num_bodies, const std::vector<GraphEdge>& edges, const std::vector<int>& ranks,
                           const std::function<bool(int)>& prefers_root);

}  // namespace polhode
