#include <fmt/format.h>

#include "jet_case.h"

// Figs. 6.4 to 6.9.
namespace polhode::experiments::jets {
namespace {

format::Plot over_time(std::string title, std::string y_name, std::string y_unit) {
  return {.title = std::move(title), .x_name = "time", .x_unit = "s", .y_name = std::move(y_name), .y_unit = std::move(y_unit)};
}

std::vector<double> changes(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(value - values.front());
  return result;
}

std::vector<double> scaled(std::vector<double> values, double by) {
  for (double& value : values) value *= by;
  return values;
}

}  // namespace

void show_figures(Findings& findings, const JetCase& the_case, const JetRuns& runs) {
  const JetRun& kept = runs[quasi];
  const bool driven = the_case.drive.torque != 0;
  const std::string total_name = driven ? "total, less the torque's work" : "total";
  const double unit = kept.most_energy() > 5000 ? 1e-3 : 1;
  format::Plot energies = over_time("Energies, the total energy being kept", "energy", unit == 1 ? "J" : "kJ");
  energies.series = {{"kinetic", kept.t, scaled(kept.kinetic, unit)},
                     {"potential", kept.t, scaled(kept.potential, unit)},
                     {total_name, kept.t, scaled(kept.total, unit)}};
  format::Plot totals = over_time("Total energy, kept and not kept", "change of the total", "J");
  totals.series = {{"kept", kept.t, changes(kept.total)},
                   {"not kept, quasi-orthogonal", runs[quasi_free].t, changes(runs[quasi_free].total)},
                   {"not kept, orthogonal", runs[orthogonal_free].t, changes(runs[orthogonal_free].total)}};
  findings.plot(
      "energies",
      fmt::format("{} of the paper: energies of the {}; below, what its total energy changes by when it is kept as an "
                  "invariant and when it is not.",
                  the_case.energies_figure, the_case.name),
      std::vector<format::Plot>{energies, totals});

  format::Plot steps = over_time("Step sizes", "step", "ms");
  for (const auto& [which, label] : {std::pair{quasi, "quasi-orthogonal projection"}, {orthogonal, "orthogonal projection"}}) {
    const JetRun& run = runs[std::size_t(which)];
    if (run.t.size() < 3) continue;
    // Not the last one, which is cut short by the end of the run.
    steps.series.push_back({label, {run.t.begin(), run.t.end() - 2}, scaled({run.h.begin() + 1, run.h.end() - 1}, 1e3)});
  }
  findings.plot("step_sizes", fmt::format("{} of the paper: step sizes, the energy being kept.", the_case.steps_figure), steps);
}

}  // namespace polhode::experiments::jets
