#pragma once
/// The words that follow a method of Polhode's in an entrant's name.

#include "polhode/study/simulate.h"

namespace polhode::bench {

/// "METHOD [OPTION=VALUE ...]", the options being the method's own, as on the command line: "tree-projected accuracy=1e-9
/// integrator=rk8".  With an accuracy the method chooses its steps, else they are dt long.  Throws std::runtime_error that
/// names a word it does not know.
study::SimulateOptions polhode_options(const std::string& method, double dt);

}  // namespace polhode::bench
