#pragma once
#include "polhode/mechanism/mechanism.h"

namespace polhode::bench {

/// The chain of chain_subject.h as a Polhode mechanism.
Mechanism build_chain(int n);

}  // namespace polhode::bench
