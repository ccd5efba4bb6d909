#pragma once
#include <vector>

#include "polhode/linear/elimination_order.h"

namespace polhode::linear {

/// Steps of an elimination that can be done at the same time: groups of subtrees, none of which reads what another one writes,
/// and the steps above them. It depends on the graph alone, not on the threads that there are, so results do not either.
struct LduPartition {
  struct Range {
    int first, last;  ///< steps from first up to but not including last
    int size() const { return last - first; }
  };
  std::vector<Range> groups;  ///< empty when the work is too little or too much in line
  std::vector<Range> above;

  LduPartition(const BlockGraph& graph, const EliminationOrder& order);
};

}  // namespace polhode::linear
