#include "verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../numbers.h"

namespace polhode::bench {
namespace {

class Judge {
 public:
  explicit Judge(std::span<const Contest> contests) : contests_(contests) {}

  std::vector<Verdict> all() {
    chain();
    for (const Contest& contest : contests_) {
      const Entry* ours = find_entry(contest, "polhode");
      if (!ours) continue;
      if (contest.key == "whip" || contest.key == "ball-whip" || contest.key == "ball-swing") whip(contest, ours->outcome);
      if (contest.key == "device") device(contest, *ours);
    }
    return std::move(verdicts_);
  }

 private:
  void chain() {
    against(100, "mujoco", "euler", "chain of 100: ours / MuJoCo Euler", 1, false);
    against(100, "simbody", "verlet", "chain of 100: Simbody Verlet / ours", 3, true);
    against(30, "mujoco", "euler", "chain of 30: ours / MuJoCo Euler", 2.5, false);
    for (const Contest& contest : contests_) {
      const Entry* ours = contest.key == "chain" ? find_entry(contest, "polhode") : nullptr;
      if (!ours || missed_altogether(contest, ours->outcome) || ours->outcome.counters.newton_iterations == 0) continue;
      verdicts_.push_back(at_most(fmt::format("chain of {}: Newton iterations per step", contest.n),
                                  ours->outcome.iterations_per_step(contest.problem.steps), 4));
    }
    if (find_contest(contests_, "chain", smallest_n_of_fit)) {
      verdicts_.push_back(at_most("chain: exponent of n from 30 links on", our_exponent(contests_, "chain"), 1.05));
    }
  }

  void against(int n, const std::string& peer, const std::string& method, const std::string& claim, double bound,
               bool peer_over_ours) {
    const Contest* contest = find_contest(contests_, "chain", n);
    if (!contest) return;
    const Entry *ours = find_entry(*contest, "polhode"), *theirs = find_entry(*contest, peer, method);
    verdicts_.push_back(peer_over_ours ? at_least(claim, time_ratio(theirs, ours), bound)
                                       : at_most(claim, time_ratio(ours, theirs), bound));
  }

  void whip(const Contest& contest, const RunOutcome& ours) {
    if (missed_altogether(contest, ours)) return;
    verdicts_.push_back(
        at_most(fmt::format("{} of {}: energy error at the end", contest.key, contest.n), std::abs(ours.drift_end), 0.01));
  }

  /// trep's figures: it swings by 2.4 % of the scale at most, and its mean over the last 12 s is off by 0.02 %.
  void device(const Contest& contest, const Entry& ours) {
    if (missed_altogether(contest, ours.outcome)) return;
    verdicts_.push_back(at_most("device: ours / ODE's exact step", time_ratio(&ours, find_entry(contest, "ode", "exact")), 1));
    // The motion is chaotic: runs that differ in the last digit part ways within a minute, and their energies wander within
    // half a per cent (trep's one run ended with -0.02 % in the mean, at most 2.4 % on the way).
    verdicts_.push_back(at_most("device: mean energy error of the last 12 s", std::abs(ours.outcome.drift_late), 0.01));
    verdicts_.push_back(at_most("device: largest energy error", ours.outcome.drift_largest, 0.05));
    verdicts_.push_back(at_most("device: largest loop gap [m]", ours.outcome.gap, 1e-10));
  }

  bool missed_altogether(const Contest& contest, const RunOutcome& ours) {
    if (ours.finished) return false;
    verdicts_.push_back({fmt::format("{} of {} links: finishes", contest.key, contest.n), Verdict::Kind::missed});
    return true;
  }

  std::span<const Contest> contests_;
  std::vector<Verdict> verdicts_;
};

}  // namespace

std::optional<double> time_ratio(const Entry* over, const Entry* under) {
  if (!over || !under || !over->outcome.is_timed() || !under->outcome.is_timed()) return std::nullopt;
  return over->outcome.seconds_per_step() / under->outcome.seconds_per_step();
}

std::optional<double> our_exponent(std::span<const Contest> contests, const std::string& key) {
  std::vector<std::pair<double, double>> points;  // n, seconds
  for (const Contest& contest : contests) {
    if (contest.key != key || contest.n < smallest_n_of_fit) continue;
    const Entry* ours = find_entry(contest, "polhode");
    if (ours && ours->outcome.is_timed()) points.emplace_back(contest.n, ours->outcome.seconds_per_step());
  }
  return log_log_slope(points);
}

std::vector<Verdict> judge(std::span<const Contest> contests) { return Judge(contests).all(); }

}  // namespace polhode::bench
