#include "report.h"

#include <fmt/format.h>

#include "../numbers.h"
#include "../step/json.h"
#include "../step/tables.h"
#include "../step/verdicts.h"

namespace polhode::bench {
namespace {

struct LoopKind {
  const char *key, *title;
};
constexpr LoopKind loop_kinds[]{
    {"open-chain", "Chain of n links on hinges"},
    {"open-ball-chain", "Chain of n links on ball joints"},
    {"closed-chain", "Chain of n links between two places, all on hinges: one loop"},
    {"four-bar-chain", "Chain of rhombi, n links on hinges: n / 4 loops"},
    {"scissor-lift", "Scissor lift of n bodies: (n - 1) / 2 loops, closed by equations on points"},
};

void print_loop(std::FILE* out, const Contest& contest, const Entry& entry) {
  const RunOutcome& outcome = entry.outcome;
  fmt::print(out, "{:>8}", contest.n);
  if (!outcome.finished) {
    fmt::print(out, "  {}: {}\n", fate(contest, outcome), outcome.reason.data());
    return;
  }
  fmt::print(out, "{:>14}{:>14.3f}{:>14.2f}{:>10}{:>16.1e}{:>14.1e}\n", microseconds(outcome),
             1e6 * outcome.seconds_per_step() / contest.n, outcome.iterations_per_step(contest.problem.steps),
             outcome.counters.halved, outcome.constraint_error, outcome.drift_largest);
}

}  // namespace

void print_maximal_chains(std::FILE* out, std::span<const Contest> contests) {
  print_costs(out, contests, "chain", "Chain of n links on hinges from 0.5 rad");
  print_costs(out, contests, "ball-chain", "Chain of n links on ball joints from 0.5 rad, turning at 1 rad/s");
}

void print_maximal_loops(std::FILE* out, std::span<const Contest> all) {
  for (const LoopKind& kind : loop_kinds) {
    const auto contests = contests_of(all, kind.key);
    if (contests.empty()) continue;
    fmt::print(out, "\n{}; 0.2 s, steps of 2 ms\n{:>8}{:>14}{:>14}{:>14}{:>10}{:>16}{:>14}\n", kind.title, "n", "us per step",
               "us per body", "iterations", "halved", "constraints", "energy");
    for (const Contest* contest : contests)
      for (const Entry& entry : contest->entries) print_loop(out, *contest, entry);
    if (const auto exponent = our_exponent(all, kind.key)) fmt::print(out, "  grows as n^{:.3f}\n", *exponent);
  }
}

void print_jets(std::FILE* out, std::span<const JetRun> runs) {
  fmt::print(out, "\nThe mechanisms of Tuomela, Arponen & Normi, 10 s by maximal-projected\n");
  if (runs.empty()) {
    fmt::print(out, "  not run: this version does not have the method\n");
    return;
  }
  fmt::print(out, "  {:<22}{:>10}{:>14}{:>9}{:>10}{:>13}{:>16}{:>14}\n", "model", "accuracy", "milliseconds", "steps",
             "rejected", "evaluations", "energy span [J]", "constraints");
  for (const JetRun& run : runs) {
    fmt::print(out, "  {:<22}{:>10.0e}", run.model, run.accuracy);
    if (!run.finished) {
      fmt::print(out, "  fails: {}\n", run.reason);
      continue;
    }
    fmt::print(out, "{:>14}{:>9}{:>10}{:>13}{:>16.2e}{:>14.1e}\n", three_digits(1e3 * run.seconds), run.steps, run.rejected,
               run.evaluations, run.energy_span, run.constraint_error);
  }
}

void print_factors(std::FILE* out, std::span<const FactorTime> times) {
  fmt::print(out,
             "\nMatrix of the chain on hinges: microseconds to write, factor and solve it\n"
             "{:>8}{:>8}{:>14}{:>14}{:>14}{:>14}\n",
             "n", "rows", "block LDU", "dense LU", "dense / ours", "difference");
  for (const FactorTime& time : times)
    fmt::print(out, "{:>8}{:>8}{:>14}{:>14}{:>14}{:>14.1e}\n", time.n, time.rows, three_digits(1e6 * time.sparse),
               three_digits(1e6 * time.dense), three_digits(time.dense / time.sparse), time.difference);
}

std::string to_json(const MaximalResults& results, std::span<const Verdict> verdicts) {
  Json object{{"runs", json_of(results.contests)}, {"jets", Json::array()}, {"factors", Json::array()}};
  for (const JetRun& run : results.jets) {
    Json entry{{"model", run.model}, {"accuracy", run.accuracy}, {"finished", run.finished}};
    if (!run.finished) entry["reason"] = run.reason;
    entry.update({{"seconds", run.seconds},
                  {"steps", run.steps},
                  {"rejected", run.rejected},
                  {"evaluations", run.evaluations},
                  {"energy_span", run.energy_span},
                  {"constraint_error", run.constraint_error}});
    object["jets"].push_back(entry);
  }
  for (const FactorTime& time : results.factors)
    object["factors"].push_back({{"n", time.n},
                                 {"rows", time.rows},
                                 {"block_ldu_seconds", time.sparse},
                                 {"dense_lu_seconds", time.dense},
                                 {"difference", time.difference}});
  object["verdicts"] = json_of(verdicts);
  object["not_installed"] = engines_missing();
  return object.dump(2) + "\n";
}

}  // namespace polhode::bench
