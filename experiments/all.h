#pragma once
#include "common/experiment.h"

namespace polhode::experiments {

extern const Experiment jet_pendulum, jet_quadrangle, jet_crank;

}  // namespace polhode::experiments
