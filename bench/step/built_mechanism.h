#pragma once
/// A problem as a mechanism of Polhode's.

#include "from_mechanism.h"

namespace polhode::bench {

/// From the links: bodies "link0", "link1", ... in their frames.  Throws std::runtime_error for hooks that move, which come
/// from models only.
Mechanism built_mechanism(const Problem& problem);

/// How it starts; the problem's loops are closed then, so nothing is assembled.
State built_start(const Mechanism& mechanism, const Problem& problem);

/// The links on the bodies of that mechanism.
std::vector<LinkPlace> built_places(const Mechanism& mechanism, const Problem& problem);

}  // namespace polhode::bench
