#include <fmt/format.h>

#include <cmath>

#include "../step/verdicts.h"
#include "report.h"

namespace polhode::bench {
namespace {

// The targets (issue 5, "Speed").
constexpr double least_ratio_to_exact = 1, least_ratio_to_exact_of_100_hinges = 25, most_ratio_to_iterative = 1.3;
constexpr double most_exponent = 1.05, most_whip_error = 0.03, most_jet_seconds = 0.1;
constexpr double most_difference = 1e-8;  // of two solutions, relative: a wrong factor shows, rounding does not

class Judge {
 public:
  explicit Judge(const MaximalResults& results) : results_(results) {}

  std::vector<Verdict> all() {
    for (const Contest& contest : results_.contests) {
      const Entry* ours = find_entry(contest, "polhode");
      if (!ours || missed_altogether(contest, ours->outcome)) continue;
      if (contest.key == "chain" || contest.key == "ball-chain") chain(contest, ours);
      if (contest.key == "whip" || contest.key == "ball-whip")
        verdicts_.push_back(at_most(fmt::format("{} of {}: energy error at the end", contest.key, contest.n),
                                    std::abs(ours->outcome.drift_end), most_whip_error));
    }
    for (const char* key : {"open-chain", "open-ball-chain", "closed-chain", "four-bar-chain", "scissor-lift"}) exponent(key);
    jets();
    for (const FactorTime& time : results_.factors)
      verdicts_.push_back(
          at_most(fmt::format("matrix of {} links: the solutions' difference", time.n), time.difference, most_difference));
    return std::move(verdicts_);
  }

 private:
  void chain(const Contest& contest, const Entry* ours) {
    const bool hinges_100 = contest.n == 100 && contest.key == "chain";
    if (contest.n <= 100) {
      verdicts_.push_back(at_least(fmt::format("{} of {}: ODE's exact step / ours", contest.key, contest.n),
                                   time_ratio(find_entry(contest, "ode", "exact"), ours),
                                   hinges_100 ? least_ratio_to_exact_of_100_hinges : least_ratio_to_exact));
    }
    if (contest.n == 100) {
      verdicts_.push_back(at_most(fmt::format("{} of {}: ours / ODE's iterative step", contest.key, contest.n),
                                  time_ratio(ours, find_entry(contest, "ode", "quick")), most_ratio_to_iterative));
    }
  }

  void exponent(const char* key) {
    bool measured = false;
    for (const Contest& contest : results_.contests) measured |= contest.key == key;
    if (!measured) return;
    verdicts_.push_back(
        at_most(fmt::format("{}: exponent of n from 30 on", key), our_exponent(results_.contests, key), most_exponent));
  }

  void jets() {
    if (results_.jets_asked_for && results_.jets.empty())
      verdicts_.push_back(at_most("mechanisms of Tuomela, Arponen & Normi: seconds for 10 s", std::nullopt, most_jet_seconds));
    for (const JetRun& run : results_.jets) {
      if (!run.finished) {
        verdicts_.push_back({fmt::format("{}: finishes", run.model), Verdict::Kind::missed});
        continue;
      }
      verdicts_.push_back(at_most(fmt::format("{}: seconds for 10 s", run.model), run.seconds, most_jet_seconds));
    }
  }

  bool missed_altogether(const Contest& contest, const RunOutcome& ours) {
    if (ours.finished) return false;
    verdicts_.push_back({fmt::format("{} of {} links: finishes", contest.key, contest.n), Verdict::Kind::missed});
    return true;
  }

  const MaximalResults& results_;
  std::vector<Verdict> verdicts_;
};

}  // namespace

std::vector<Verdict> judge(const MaximalResults& results) { return Judge(results).all(); }

}  // namespace polhode::bench
