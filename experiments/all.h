#pragma once
#include "common/experiment.h"

/// One line each, as in all.cpp.
namespace polhode::experiments {

// Seed 000, in the order of its figures, and 003.
extern const Experiment pendulum_energy;
extern const Experiment pendulum_links;
extern const Experiment closed_chain_device;
extern const Experiment scissor_lift;
extern const Experiment scissor_lift_cost;
extern const Experiment planar_human;
extern const Experiment marionette;
// Seed 001.
extern const Experiment double_pendulum_hour;
extern const Experiment four_bar_drift;
extern const Experiment sparse_dense;
extern const Experiment newton_convergence;
// Seed 004.
extern const Experiment jet_pendulum;
extern const Experiment jet_quadrangle;
extern const Experiment jet_crank;

}  // namespace polhode::experiments
