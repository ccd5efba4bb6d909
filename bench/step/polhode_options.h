#pragma once
/// The words that follow a method of Polhode's in an entrant's name.

#include "polhode/study/simulate.h"

namespace polhode::bench {

/// "METHOD [order=K] [accuracy=A] [integrator=NAME] [tolerance=T] [alpha=A] [projection=NAME] [invariant=NAME]".  With an
/// accuracy the method chooses its steps, else they are dt long.  Throws std::runtime_error that names a word it does not know.
study::SimulateOptions polhode_options(const std::string& method, double dt);

}  // namespace polhode::bench
