#pragma once
#include "polhode/mechanism/frame_tree.h"
#include "tests/oracle/trep_tree.h"

namespace polhode::testing_support {

/// One random tree of primitive frames, told twice. Variable i of the oracle's tree is coordinate i (and speed i) of the
/// mechanism, and frame k of `tree` is frame number frame_of[k] of the mechanism.
struct FrameTreePair {
  oracle::trep::Tree tree;
  Mechanism mechanism;
  std::vector<int> frame_of;
};

struct FrameTreeOptions {
  int variables = 6;
  bool gravity = true;
  /// Only turns by variables, so that energy stays bounded; constant frames are of every kind all the same.
  bool only_rotations = false;
};

/// Branching, constant frames between the moving ones, every frame that ends a moving part carries a mass with three different
/// principal inertias, so that every variable moves some inertia. The same for the same seed, on any machine.
FrameTreePair random_frame_tree(unsigned seed, const FrameTreeOptions& options = {});

}  // namespace polhode::testing_support
