#pragma once
#include "../common/findings.h"
#include "../jets_common/jet_run.h"

namespace polhode::experiments {

/// "The potential energy is oscillating, the period of oscillation is getting shorter; the speedup is roughly linear in
/// velocity and clearly visible in the quadratic tendency of the kinetic energy."
void judge_growth(Findings& findings, const jets::JetRun& run);

}  // namespace polhode::experiments
