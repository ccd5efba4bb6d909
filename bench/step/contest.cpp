#include "contest.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "isolated.h"

namespace polhode::bench {
namespace {

constexpr double limit_seconds = 60;  // for one entrant and round; the slowest takes a few seconds

void run_once_more(const Contest& contest, Entry& entry, bool first_round) {
  RunPlan plan = entry.plan;
  plan.trace = plan.trace && first_round;
  const RunOutcome outcome = run_isolated(entry.entrant.make, entry.entrant.method, contest.problem, plan, limit_seconds);
  if (first_round || !outcome.finished) {
    entry.outcome = outcome;
  } else {
    entry.outcome.merge_times(outcome);
  }
}

/// One line that is overwritten, where somebody looks at it.
void announce(const Contest& contest, const Entry& entry) {
  if (!isatty(STDERR_FILENO)) return;
  fmt::print(stderr, "\r{:<76}", fmt::format("{} of {} links: {}", contest.key, contest.n, entry.entrant.label));
}

void erase_announcement() {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{:<76}\r", "");
}

}  // namespace

const Entry* find_entry(const Contest& contest, const std::string& engine, const std::string& method) {
  for (const Entry& entry : contest.entries) {
    if (entry.entrant.engine == engine && (method.empty() || entry.entrant.method == method)) return &entry;
  }
  return nullptr;
}

const Contest* find_contest(std::span<const Contest> contests, const std::string& key, int n) {
  for (const Contest& contest : contests) {
    if (contest.key == key && contest.n == n) return &contest;
  }
  return nullptr;
}

void hold(std::vector<Contest>& contests, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (Contest& contest : contests) {
      for (Entry& entry : contest.entries) {
        if (round > 0 && (!entry.outcome.finished || round >= entry.most_rounds)) continue;
        announce(contest, entry);
        run_once_more(contest, entry, round == 0);
      }
    }
  }
  erase_announcement();
}

void hold_part(std::vector<Contest> contests, int rounds, PrintContests print, std::vector<Contest>& all) {
  hold(contests, rounds);
  print(stdout, contests);
  std::fflush(stdout);
  std::move(contests.begin(), contests.end(), std::back_inserter(all));
}

}  // namespace polhode::bench
