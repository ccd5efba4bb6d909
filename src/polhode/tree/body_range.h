#pragma once

namespace polhode::tree {

/// Bodies from first to before last.
struct BodyRange {
  int first, last;
};

}  // namespace polhode::tree
