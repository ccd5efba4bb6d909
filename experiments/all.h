#pragma once
#include "common/experiment.h"

namespace polhode::experiments {

extern const Experiment closed_chain_device, scissor_lift, scissor_lift_cost;
extern const Experiment jet_pendulum, jet_quadrangle, jet_crank;

}  // namespace polhode::experiments
