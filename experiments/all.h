#pragma once
#include "common/experiment.h"

namespace polhode::experiments {

// Seed 001.
extern const Experiment double_pendulum_hour;
extern const Experiment four_bar_drift;
extern const Experiment sparse_dense;
extern const Experiment newton_convergence;

}  // namespace polhode::experiments
