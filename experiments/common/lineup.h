#pragma once
#include "race.h"

/// Who takes part: every engine with the methods that are worth showing, each under one name and with one look on all pictures
/// and tables.
namespace polhode::experiments {

using Labels = std::vector<std::string>;

/// Our four methods of the second order or with accuracies, and tree-variational of the fourth order.
Labels our_labels();
/// The same with more orders of maximal-variational: the first, which is Bruedigam & Manchester's own, and the fourth.
Labels our_labels_of_more_orders();
/// The five peers with every method that the benchmarks know.
Labels peer_labels();
/// The same without Simbody's Euler and MuJoCo's implicit method: enough where runs are long or many.
Labels main_peer_labels();

Labels joined(Labels some, const Labels& more);
Labels without(Labels some, const Labels& left_out);

/// How the benchmarks call a method with this label: "ODE exact" is "ode exact". Where it has an accuracy, its name ends where
/// that goes. Throws std::logic_error for a label that nobody has.
std::string entrant_of(const std::string& label);
bool is_ours(const std::string& label);

/// How fine runs are: steps, or for methods that choose their own, accuracies and how often they are looked at.
struct Fineness {
  std::vector<double> steps, accuracies;
  double interval;  ///< [s]
};
Curve curve_of(const std::string& label, const Fineness& fineness);
std::vector<Curve> curves_of(const Labels& labels, const Fineness& fineness);

/// A colour for each engine, ours first; dashes and marks by method. What comes after a known label ("tree-variational, 10 ms")
/// changes nothing; what is no engine ("exact") has a colour of its own.
int style_of(const std::string& label);
/// An empty series with that name and look; ours are bold.
format::PlotSeries series_of(const std::string& label);
/// Where a method is there several times, as with several steps, the later ones get dashes that are free among its engine's.
void tell_apart(format::Plot& plot);

/// The motion itself, by an integrator that is none of those compared: tree-projected of order eight.
Lap reference_lap(Race race, double look, double accuracy = 1e-12);
/// The same as a course at the race's interval. Empty if it could not be had, and then a note says why.
bench::Course reference_for(Findings& findings, const Race& race, double accuracy = 1e-12);

/// Least seconds that one of these methods needs for an error, and whose they are; nothing if none reaches it.
struct Fastest {
  std::string label;
  double seconds;
};
std::optional<Fastest> fastest(const std::vector<Lap>& laps, const Labels& labels, double error_rms);

}  // namespace polhode::experiments
