#pragma once
#include <vector>

#include "polhode/mechanism/problem.h"

namespace polhode {

/// What an attempt to build a mechanism found out about the spanning tree that it needs. The plain tree (spanning_tree.h) does
/// for nearly every model; a model that needs another one is built again with these. Lists are empty or have all entries.
struct TreeWishes {
  std::vector<char> named;              ///< by joint: the model names one of its coordinates or speeds, or locks it
  std::vector<char> opened;             ///< by joint: events disable or enable it, which goes for joints that close loops only
  std::vector<char> needy;              ///< by declared body: no mass resists some motion that the tree allows it
  std::vector<Problem> undetermined{};  ///< these motions, as the plain tree has them

  bool none() const { return named.empty() && opened.empty() && needy.empty(); }
  static bool has(const std::vector<char>& list, int i) { return !list.empty() && list[std::size_t(i)] != 0; }
};

}  // namespace polhode
