#pragma once
#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// How far the joints and the mass of a body are apart, at most, over all bodies but Ground [m]: what lengths of the mechanism
/// can be compared with. Where Ground has its origin does not matter.
double largest_body(const Mechanism& mechanism);

}  // namespace polhode
