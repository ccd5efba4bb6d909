#pragma once
#include "common/experiment.h"

namespace polhode::experiments {

extern const Experiment closed_chain_device, scissor_lift, scissor_lift_cost;

}  // namespace polhode::experiments
