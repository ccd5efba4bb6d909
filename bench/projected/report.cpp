#include "report.h"

#include <fmt/format.h>

#include <cmath>

#include "../numbers.h"
#include "../verdict_json.h"

namespace polhode::bench {
namespace {

// The targets (issue 4, "Speed").
constexpr double least_ratio_to_simbody = 6, most_error_ratio = 1, most_twin_ratio = 1.5, least_sweep_ratio = 1.8;

std::string milliseconds(const Lane& lane) { return lane.finished ? three_digits(1e3 * lane.seconds) : "failed"; }
std::string error_of(const Lane& lane) { return lane.finished ? fmt::format("{:.1e}", lane.error) : "-"; }

Json json_of(const Lane& lane) {
  Json object{{"finished", lane.finished}};
  if (lane.finished)
    object.update({{"seconds", lane.seconds}, {"steps", lane.steps}, {"evaluations", lane.evaluations}, {"error", lane.error}});
  return object;
}

Json json_of(const Race& race) {
  Json object{{"problem", race.problem.name},
              {"accuracy", race.accuracy},
              {"time", race.problem.time},
              {"error_time", race.problem.error_time},
              {"polhode", json_of(race.ours)}};
  if (race.theirs) object["simbody"] = json_of(*race.theirs);
  return object;
}

}  // namespace

void print_races(std::FILE* out, const std::string& title, std::span<const Race> races) {
  fmt::print(out, "\n{}\n  {:<24}{:>6}{:>9}{:>8}{:>9}{:>10}{:>8}{:>9}{:>8}\n", title, "", "", "Polhode", "", "", "Simbody", "",
             "", "times");
  fmt::print(out, "  {:<24}{:>6}{:>9}{:>8}{:>9}{:>10}{:>8}{:>9}{:>8}\n", "", "", "ms", "steps", "error", "ms", "steps", "error",
             "faster");
  for (const Race& race : races) {
    const Lane theirs = race.theirs.value_or(Lane{});
    fmt::print(out, "  {:<24}{:>6}{:>9}{:>8}{:>9}{:>10}{:>8}{:>9}{:>8}\n", race.problem.name,
               fmt::format("{:.0e}", race.accuracy), milliseconds(race.ours), race.ours.steps, error_of(race.ours),
               race.theirs ? milliseconds(theirs) : "-", theirs.steps, error_of(theirs),
               race.ratio() ? three_digits(*race.ratio()) : "-");
  }
}

void print_twins(std::FILE* out, std::span<const Twin> twins) {
  fmt::print(
      out, "\nRedundant and nonholonomic equations beside their regular twins, merson at 1e-6: microseconds per step (rows)\n");
  for (const Twin& twin : twins)
    fmt::print(out, "  {:<40}{:>9} ({}){:>9} ({}){:>8}\n", twin.name, three_digits(1e6 * twin.seconds_per_step), twin.rows,
               three_digits(1e6 * twin.twin_seconds_per_step), twin.twin_rows,
               twin.ratio() ? three_digits(*twin.ratio()) : "failed");
}

void print_sweep(std::FILE* out, const SweepTimes& sweep) {
  fmt::print(out, "\nSweep of {} runs, chain of 10, 5 s, merson at 1e-6: {} s on one thread, {} s on two{}\n", sweep.runs,
             three_digits(sweep.one), three_digits(sweep.two), sweep.same ? "" : "; THE RESULTS DIFFER");
}

void print_integrators(std::FILE* out, const ProjectedResults::Table& table) {
  fmt::print(out, "\nAll integrators, accuracy 1e-6: {}, {} s\n  {:<22}{:>9}{:>9}{:>13}{:>10}\n", table.problem.name,
             table.problem.error_time, "", "ms", "steps", "evaluations", "error");
  for (const IntegratorRun& run : table.runs)
    fmt::print(out, "  {:<22}{:>9}{:>9}{:>13}{:>10}\n", run.integrator, milliseconds(run.lane), run.lane.steps,
               run.lane.evaluations, error_of(run.lane));
}

std::vector<Verdict> judge(const ProjectedResults& results) {
  std::vector<Verdict> verdicts;
  for (const auto* races : {&results.chains, &results.loops})
    for (const Race& race : *races) {
      const std::string name = fmt::format("{}, {:.0e}", race.problem.name, race.accuracy);
      if (!race.ours.finished) {
        verdicts.push_back({name + ": finishes", Verdict::Kind::missed});
        continue;
      }
      verdicts.push_back(at_least(name + ": Simbody / ours", race.ratio(), least_ratio_to_simbody));
      verdicts.push_back(at_most(name + ": our error / Simbody's", race.error_ratio(), most_error_ratio));
    }
  for (const Twin& twin : results.twins) verdicts.push_back(at_most(twin.name, twin.ratio(), most_twin_ratio));
  if (results.sweep) {
    verdicts.push_back(at_least("sweep: one thread / two", results.sweep->one / results.sweep->two, least_sweep_ratio));
    verdicts.push_back(at_least("sweep: same results on one thread and two", results.sweep->same ? 1.0 : 0.0, 1));
  }
  return verdicts;
}

std::string to_json(const ProjectedResults& results, std::span<const Verdict> verdicts) {
  Json object{{"races", Json::array()}, {"twins", Json::array()}, {"integrators", Json::array()}};
  for (const auto* races : {&results.chains, &results.loops})
    for (const Race& race : *races) object["races"].push_back(json_of(race));
  for (const Twin& twin : results.twins)
    object["twins"].push_back({{"name", twin.name},
                               {"finished", twin.finished},
                               {"seconds_per_step", twin.seconds_per_step},
                               {"rows", twin.rows},
                               {"twin_seconds_per_step", twin.twin_seconds_per_step},
                               {"twin_rows", twin.twin_rows}});
  if (results.sweep)
    object["sweep"] = {{"runs", results.sweep->runs}, {"one_thread", results.sweep->one}, {"two_threads", results.sweep->two}};
  for (const auto& table : results.integrators)
    for (const IntegratorRun& run : table.runs) {
      Json entry{{"problem", table.problem.name}, {"integrator", run.integrator}};
      entry.update(json_of(run.lane));
      object["integrators"].push_back(entry);
    }
  object["verdicts"] = json_of(verdicts);
  return object.dump(2) + "\n";
}

}  // namespace polhode::bench
