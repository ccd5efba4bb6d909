#pragma once
#include "../jets_common/jet_case.h"

namespace polhode::experiments {

/// The text after Table 8: the pendulum with a constant torque of 10 and of 50 N m, and what keeping the energy costs then.
void run_with_torques(Findings& findings, const jets::JetCase& the_case);

}  // namespace polhode::experiments
