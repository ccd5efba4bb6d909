#pragma once
#include "race.h"

/// Who races, where nothing speaks against it: every engine with the methods that its documentation recommends.
namespace polhode::experiments {

/// The five peers with fixed steps, and Simbody's error-controlled integrator looked at every `interval`.
std::vector<Curve> peers_with(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval);

/// Our four methods; the variational ones also with the orders that are named, the projected ones with accuracies.
std::vector<Curve> ours_with(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval);

/// The motion itself, by an integrator that is none of those compared: tree-projected of order eight, at 1e-12. Empty if it
/// could not be had, and then a note says why.
bench::Course reference_for(Findings& findings, const Race& race);

}  // namespace polhode::experiments
