#pragma once
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// What assembling works in: kept by those who do it again and again, as events do.
struct AssemblyMemory {
  explicit AssemblyMemory(const Mechanism& mechanism)
      : workspace(mechanism), constraints(mechanism), errors(std::size_t(constraints.max_rows())) {}

  Workspace workspace;
  Constraints constraints;     ///< of the state at hand
  std::vector<double> errors;  ///< by row
};

}  // namespace polhode::tree
