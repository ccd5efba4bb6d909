#include <nlohmann/json.hpp>

#include "report.h"

namespace polhode::bench {
namespace {

using Json = nlohmann::ordered_json;

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
                {"gap", outcome.gap}});
    if (!contest.problem.exact_x.empty()) {
      run.update({{"deviation_rms", outcome.deviation_rms}, {"deviation_largest", outcome.deviation_largest}});
    }
  }
  run.update({{"steps", outcome.counters.steps},
              {"newton_iterations", outcome.counters.newton_iterations},
              {"halved", outcome.counters.halved}});
  return run;
}

Json json_of(const Verdict& verdict) {
  constexpr const char* words[]{"met", "missed", "not measured"};
  Json result{{"claim", verdict.claim}, {"verdict", words[static_cast<int>(verdict.kind)]}};
  if (verdict.measured) result["measured"] = *verdict.measured;
  if (verdict.bound > 0) result[verdict.at_most ? "at_most" : "at_least"] = verdict.bound;
  return result;
}

}  // namespace

std::string to_json(std::span<const Contest> contests, std::span<const Verdict> verdicts) {
  Json result{{"runs", Json::array()}, {"verdicts", Json::array()}, {"not_installed", engines_missing()}};
  for (const Contest& contest : contests) {
    for (const Entry& entry : contest.entries) result["runs"].push_back(json_of(contest, entry));
  }
  for (const Verdict& verdict : verdicts) result["verdicts"].push_back(json_of(verdict));
  return result.dump(2) + "\n";
}

}  // namespace polhode::bench
