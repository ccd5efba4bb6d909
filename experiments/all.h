#pragma once
#include "common/experiment.h"

namespace polhode::experiments {

// Seed 001.
extern const Experiment double_pendulum_hour;
extern const Experiment four_bar_drift;
extern const Experiment sparse_dense;
extern const Experiment newton_convergence;
/// One line each, as in all.cpp.
namespace polhode::experiments {

extern const Experiment closed_chain_device;
extern const Experiment scissor_lift;
extern const Experiment scissor_lift_cost;
extern const Experiment jet_pendulum;
extern const Experiment jet_quadrangle;
extern const Experiment jet_crank;
extern const Experiment pendulum_energy, planar_human, pendulum_links, marionette;
extern const Experiment closed_chain_device, scissor_lift, scissor_lift_cost;

}  // namespace polhode::experiments
