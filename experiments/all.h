#pragma once
#include "common/experiment.h"

/// One line each, as in all.cpp.
namespace polhode::experiments {

extern const Experiment pendulum_energy;
extern const Experiment planar_human;
extern const Experiment pendulum_links;
extern const Experiment marionette;
extern const Experiment closed_chain_device;
extern const Experiment jet_pendulum;
extern const Experiment jet_quadrangle;
extern const Experiment jet_crank;

}  // namespace polhode::experiments
