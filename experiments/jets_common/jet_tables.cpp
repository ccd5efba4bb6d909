#include <fmt/format.h>

#include <cmath>

#include "jet_case.h"

// Tables 8 to 11.
namespace polhode::experiments::jets {
namespace {

constexpr const char* dash = "-";

std::string count(double value) { return std::isnan(value) ? dash : fmt::format("{:.0f}", value); }
std::string seconds(double value) { return std::isnan(value) ? dash : fmt::format("{:.3g}", value); }

/// How one row reads in the paper and in our runs.
struct Row {
  const char* name;
  std::string (*paper)(const PaperColumn&);
  std::string (*ours)(const JetRun&);
  bool of_energy = false;  // there is none of it where no energy is kept
};

std::string nothing(const JetRun&) { return dash; }

const std::vector<Row>& rows() {
  using S = const PaperColumn&;
  using R = const JetRun&;
  static const std::vector<Row> rows{
      {"steps (rejected)", [](S s) { return count(s.steps) + " (" + count(s.rejected) + ")"; },
       [](R r) { return fmt::format("{} ({})", r.steps.steps, r.steps.rejected); }},
      {"Newton: average (most)", [](S s) { return fmt::format("{:.3g} ({:.0f})", s.newton_average, s.newton_most); },
       [](R r) { return fmt::format("{:.3g} ({})", r.newton_average(), r.counters.newton_most); }},
      {"# dist", [](S s) { return count(s.distributions); }, [](R r) { return fmt::format("{}", r.counters.distributions); }},
      {"# proj", [](S s) { return count(s.projections); }, [](R r) { return fmt::format("{}", r.counters.projections); }},
      {"CPU dist [s]", [](S s) { return seconds(s.cpu_distributions); }, [](R r) { return seconds(r.seconds_distribution); }},
      {"CPU proj [s]", [](S s) { return seconds(s.cpu_projections); },
       [](R r) { return seconds(r.seconds - r.seconds_distribution); }},
      {"CPU total [s]", [](S s) { return seconds(s.cpu_total); }, [](R r) { return seconds(r.seconds); }},
      {"# dg", [](S s) { return count(s.dg); }, [](R r) { return fmt::format("{}", r.counters.jacobians); }},
      {"# d2g", [](S s) { return count(s.d2g); }, nothing},
      {"# d3g", [](S s) { return count(s.d3g); }, nothing},
      {"# dfinv", [](S s) { return count(s.dfinv); }, [](R r) { return fmt::format("{}", r.counters.invariant_gradients); },
       true},
      {"# d2finv", [](S s) { return count(s.d2finv); }, nothing, true},
  };
  return rows;
}

Table table_of(const JetCase& the_case, bool energy, const JetRuns& runs, const JetRuns& loose) {
  const Which a = energy ? quasi : quasi_free, b = energy ? orthogonal : orthogonal_free;
  Table table{
      .name = energy ? "characteristics" : "without_energy",
      .caption = fmt::format("{}: the {}, {}; accuracy {:g}, 10 s. Ours at Newton tolerances of 1e-10 and 1e-5, the paper's",
                             energy ? the_case.table : "Table 11, one panel", the_case.name,
                             energy ? "its energy kept" : "without keeping the energy", the_case.accuracy)};
  table.columns = {"",          "quasi-orthogonal: paper", "ours, 1e-10", "ours, 1e-5", "orthogonal: paper", "ours, 1e-10",
                   "ours, 1e-5"};
  for (const Row& row : rows()) {
    if (row.of_energy && !energy) continue;
    const auto ours = [&](const JetRun& run) -> Cell { return run.finished ? row.ours(run) : std::string("not finished"); };
    table.rows.push_back({std::string(row.name), row.paper(the_case.paper[a]), ours(runs[a]), ours(loose[a]),
                          row.paper(the_case.paper[b]), ours(runs[b]), ours(loose[b])});
  }
  const auto energies = [](const JetRun& run) -> Cell { return fmt::format("{:.2g}", run.drift()); };
  table.rows.push_back({std::string("total energy, largest change [J]"), std::string(dash), energies(runs[a]),
                        energies(loose[a]), std::string(dash), energies(runs[b]), energies(loose[b])});
  return table;
}

}  // namespace

void show_characteristics(Findings& findings, const JetCase& the_case, const JetRuns& runs, const JetRuns& at_paper_tolerance) {
  findings.table(table_of(the_case, true, runs, at_paper_tolerance));
  findings.table(table_of(the_case, false, runs, at_paper_tolerance));
  findings.note(
      "CPU dist is what one distribution takes, evaluated again where the steps ended, times their number; CPU proj is the "
      "rest of the total, which is projections and what little else there is in a step. The paper's machine had 1.75 GHz. "
      "Second derivatives of constraints and invariants are not formed here (docs/methods/maximal-projected.md), so they have "
      "no counters.");
  for (const JetRuns* set : {&runs, &at_paper_tolerance})
    for (const JetRun& run : *set)
      if (!run.finished)
        findings.note(fmt::format("A run at tolerance {:g} did not finish: {}", run.plan.tolerance, run.reason));
}

}  // namespace polhode::experiments::jets
