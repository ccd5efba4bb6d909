#include "json.h"

#include "report.h"

namespace polhode::bench {
namespace {

Json json_of(const Contest& contest, const Entry& entry) {
  const RunOutcome& outcome = entry.outcome;
  Json run{{"problem", contest.key},         {"n", contest.n},
           {"engine", entry.entrant.engine}, {"method", entry.entrant.method},
           {"label", entry.entrant.label},   {"finished", outcome.finished}};
  if (!outcome.finished) run["reason"] = outcome.reason.data();
  if (outcome.is_timed()) run["seconds_per_step"] = outcome.seconds_per_step();
  if (entry.plan.trace) {
    run.update({{"time_reached", outcome.time_reached},
                {"drift_end", outcome.drift_end},
                {"drift_largest", outcome.drift_largest},
                {"drift_late", outcome.drift_late},
                {"gap", outcome.gap},
                {"constraint_error", outcome.constraint_error}});
    if (!contest.problem.exact_x.empty()) {
      run.update({{"deviation_rms", outcome.deviation_rms}, {"deviation_largest", outcome.deviation_largest}});
    }
  }
  run.update({{"steps", outcome.counters.steps},
              {"newton_iterations", outcome.counters.newton_iterations},
              {"halved", outcome.counters.halved}});
  return run;
}

}  // namespace

Json json_of(std::span<const Contest> contests) {
  Json runs = Json::array();
  for (const Contest& contest : contests) {
    for (const Entry& entry : contest.entries) runs.push_back(json_of(contest, entry));
  }
  return runs;
}

std::string to_json(std::span<const Contest> contests, std::span<const Verdict> verdicts) {
  const Json result{{"runs", json_of(contests)}, {"verdicts", json_of(verdicts)}, {"not_installed", engines_missing()}};
  return result.dump(2) + "\n";
}

}  // namespace polhode::bench
