#pragma once
#include "common/experiment.h"

/// One line each, as in all.cpp.
namespace polhode::experiments {

extern const Experiment pendulum_energy;
extern const Experiment planar_human;
extern const Experiment pendulum_links;
extern const Experiment closed_chain_device;
extern const Experiment scissor_lift;
extern const Experiment scissor_lift_cost;
extern const Experiment marionette;
extern const Experiment double_pendulum_hour;
extern const Experiment four_bar_drift;
extern const Experiment sparse_dense;
extern const Experiment newton_convergence;
extern const Experiment chain_cost;
extern const Experiment four_bar_chain_cost;
extern const Experiment tolerances;
extern const Experiment minitaur;
extern const Experiment jet_pendulum;
extern const Experiment jet_quadrangle;
extern const Experiment jet_crank;

}  // namespace polhode::experiments
