#include "lineup.h"

#include <fmt/format.h>

#include <stdexcept>

namespace polhode::experiments {
namespace {

/// Colours of plots. Ours are told apart by their coordinates, and Bruedigam & Manchester's own method has a colour of its own,
/// for its energy swings all over the others'; ODE is gray as in Johnson & Murphey.
enum Colour { tree = 0, maximal = 1, mujoco = 2, simbody = 3, ode = 4, bullet = 5, no_engine = 6, dart = 7, first_order = 8 };

struct Contestant {
  const char* label;
  const char* entrant;  // ends where the accuracy goes, if it has one; empty: no engine of the benchmarks
  Colour colour;
  int variant;
  bool has_accuracy = false;
};

constexpr Contestant contestants[]{
    {"tree-variational", "polhode tree-variational", tree, 0},
    {"tree-variational, order 4", "polhode tree-variational order=4", tree, 1},
    {"tree-variational, order 6", "polhode tree-variational order=6", tree, 2},
    {"tree-projected", "polhode tree-projected accuracy=", tree, 3, true},
    {"maximal-variational", "polhode maximal-variational", maximal, 0},
    {"maximal-variational, order 1", "polhode maximal-variational order=1", first_order, 0},
    {"maximal-variational, order 4", "polhode maximal-variational order=4", maximal, 1},
    {"maximal-variational, order 6", "polhode maximal-variational order=6", maximal, 2},
    {"maximal-projected", "polhode maximal-projected accuracy=", maximal, 3, true},
    {"ODE exact", "ode exact", ode, 0},
    {"ODE quick", "ode quick", ode, 1},
    {"MuJoCo Euler", "mujoco euler", mujoco, 0},
    {"MuJoCo implicit", "mujoco implicit", mujoco, 1},
    {"MuJoCo RK4", "mujoco rk4", mujoco, 2},
    {"Simbody Euler", "simbody euler", simbody, 0},
    {"Simbody Verlet", "simbody verlet", simbody, 1},
    {"Simbody Merson", "simbody merson-", simbody, 2, true},
    {"Bullet Euler", "bullet euler", bullet, 0},
    {"Bullet RK4", "bullet rk4", bullet, 1},
    {"DART Euler", "dart euler", dart, 0},
    // What the papers compare with, or what all are compared with.
    {"Heun", "polhode tree-projected integrator=rk2", no_engine, 0},
    {"third order, tree", "polhode tree-projected integrator=rk3", no_engine, 1},
    {"explicit RK, tree", "polhode tree-projected integrator=merson", no_engine, 0},
    {"literal, uncached", "", no_engine, 0},
    {"literal, cached", "", no_engine, 1},
};

/// The longest label that this one begins with.
const Contestant* find(const std::string& label) {
  const Contestant* found = nullptr;
  for (const Contestant& one : contestants) {
    if (label.starts_with(one.label) && (!found || std::string_view(one.label).size() > std::string_view(found->label).size()))
      found = &one;
  }
  return found;
}

const Contestant& get(const std::string& label) {
  const Contestant* found = find(label);
  if (!found || found->label != label) throw std::logic_error("nobody in the line-up is called " + label);
  return *found;
}

}  // namespace

Labels our_labels() {
  return {"tree-variational", "tree-variational, order 4", "maximal-variational", "tree-projected", "maximal-projected"};
}

Labels our_labels_of_more_orders() {
  return {"maximal-variational", "maximal-variational, order 1", "maximal-variational, order 4",
          "tree-variational",    "tree-variational, order 4",    "tree-projected",
          "maximal-projected"};
}

Labels peer_labels() {
  return {"ODE exact",      "ODE quick",      "MuJoCo Euler", "MuJoCo implicit", "MuJoCo RK4", "Simbody Euler",
          "Simbody Verlet", "Simbody Merson", "Bullet Euler", "Bullet RK4",      "DART Euler"};
}

Labels main_peer_labels() { return without(peer_labels(), {"MuJoCo implicit", "Simbody Euler"}); }

Labels joined(Labels some, const Labels& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

Labels without(Labels some, const Labels& left_out) {
  for (const std::string& label : left_out) std::erase(some, label);
  return some;
}

std::string entrant_of(const std::string& label) { return get(label).entrant; }

bool is_ours(const std::string& label) {
  const Contestant* found = find(label);
  return found && (found->colour == tree || found->colour == maximal || found->colour == first_order);
}

Curve curve_of(const std::string& label, const Fineness& fineness) {
  const Contestant& one = get(label);
  return one.has_accuracy ? with_accuracies(label, one.entrant, fineness.accuracies, fineness.interval)
                          : with_steps(label, one.entrant, fineness.steps);
}

std::vector<Curve> curves_of(const Labels& labels, const Fineness& fineness) {
  std::vector<Curve> curves;
  for (const std::string& label : labels) curves.push_back(curve_of(label, fineness));
  return curves;
}

int style_of(const std::string& label) {
  const Contestant* found = find(label);
  return found ? format::style_of_family(found->colour, found->variant) : format::style_of_family(no_engine, 0);
}

format::PlotSeries series_of(const std::string& label) {
  return {.name = label, .x = {}, .y = {}, .style = style_of(label), .bold = is_ours(label)};
}

void tell_apart(format::Plot& plot) {
  const auto taken = [&](std::size_t by_others_before, int style) {
    for (std::size_t i = 0; i < by_others_before; ++i) {
      if (plot.series[i].style == style) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    format::PlotSeries& series = plot.series[i];
    const Contestant* engine = find(series.name);
    for (int variant = 0; variant < 4 && engine && taken(i, series.style); ++variant) {
      series.style = format::style_of_family(engine->colour, variant);
    }
  }
}

Lap reference_lap(Race race, double look, double accuracy) {
  race.repetitions = 0;
  race.reference = {};
  return run_lap(race, "reference", {fmt::format("polhode tree-projected integrator=rk8 accuracy={:g}", accuracy), look});
}

bench::Course reference_for(Findings& findings, const Race& race, double accuracy) {
  const Lap lap = reference_lap(race, race.interval, accuracy);
  if (lap.finished()) return lap.course;
  findings.note(fmt::format("No reference for {}: {}", race.name, lap.outcome.reason.data()));
  return {};
}

std::optional<Fastest> fastest(const std::vector<Lap>& laps, const Labels& labels, double error_rms) {
  std::optional<Fastest> best;
  const auto consider = [&](const std::string& label, double seconds) {
    if (!best || seconds < best->seconds) best = Fastest{label, seconds};
  };
  for (const std::string& label : labels) {
    if (const auto seconds = seconds_at(laps, label, error_rms)) consider(label, *seconds);
    for (const Lap& lap : laps) {  // who is better at his coarsest already
      if (lap.label == label && lap.finished() && lap.error_rms <= error_rms) consider(label, lap.seconds);
    }
  }
  return best;
}

}  // namespace polhode::experiments
