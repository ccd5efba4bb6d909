#include "program.h"

#include "../step/problems.h"
#include "../step/program.h"

namespace polhode::bench {
namespace {

const std::string ours = "polhode maximal-variational";

/// Short, for the longer a mechanism is, the slower it moves: short ones would come to places that long ones do not reach.
constexpr int steps_of_loops = 100;

/// Links under tension T swing across it with the square of the frequency T L / J, and the method is stable up to h omega = 2:
/// at 10 ms that is 387 of these links. Growth is measured where every size is stable.
constexpr double dt_of_growth = 0.002;  // [s]

Contest contest(const std::string& key, Problem problem) {
  const int n = static_cast<int>(problem.links.size());
  return {key, n, std::move(problem), {}};
}

/// ODE's exact step costs n^3: 5 ms for 100 links.
bool takes_part(const Entrant& entrant, int n) {
  if (entrant.is_ours()) return true;
  return n <= (entrant.method == "exact" ? 100 : 300);
}

RunPlan plan_for(const Entrant& entrant, int n) {
  if (entrant.is_ours() || n < 100) return {.trace = true, .repetitions = n < 30 ? 8 : n < 100 ? 4 : n < 1000 ? 2 : 1};
  if (entrant.method == "exact") return {.trace = false, .repetitions = 1, .timed_steps = 100};
  return {.trace = n == 100, .repetitions = 2, .timed_steps = 200};
}

}  // namespace

std::vector<Contest> maximal_chain_contests(bool quick) {
  const std::vector<int> sizes = quick ? std::vector{10, 30, 100} : std::vector{10, 30, 100, 300};
  const auto entrants = entrants_named({ours, "ode exact", "ode quick"});
  std::vector<Contest> contests;
  for (const bool ball : {false, true}) {
    for (const int n : sizes) {
      Contest here = contest(ball ? "ball-chain" : "chain", ball ? ball_chain(n, gentle) : planar_chain(n, gentle));
      for (const Entrant& entrant : entrants)
        if (takes_part(entrant, n)) here.entries.push_back({entrant, plan_for(entrant, n)});
      contests.push_back(std::move(here));
    }
  }
  return contests;
}

std::vector<Contest> maximal_loop_contests(bool quick) {
  std::vector<Contest> contests;
  const auto add = [&](const std::string& key, Problem problem) {
    problem.steps = steps_of_loops;
    problem.dt = dt_of_growth;
    problem.exact_x.clear();
    Contest here = contest(key, std::move(problem));
    for (const Entrant& entrant : entrants_named({ours}))
      here.entries.push_back({entrant, {.trace = true, .repetitions = here.n < 200 ? 10 : 4}});
    contests.push_back(std::move(here));
  };
  const std::vector<int> sizes = quick ? std::vector{30, 100, 300} : std::vector{30, 100, 300, 1000};
  for (const int n : sizes) add("open-chain", planar_chain(n, gentle));
  for (const int n : sizes) {
    Problem chain = ball_chain(n, gentle);
    chain.links[0].omega = {};  // at the end of a thousand links that would be faster than sound
    add("open-ball-chain", std::move(chain));
  }
  for (const int n : sizes) add("closed-chain", closed_chain(n));
  for (const int n : sizes) add("four-bar-chain", four_bar_chain((n + 3) / 4));
  for (const int n : sizes) add("scissor-lift", scissor_lift(n / 2));
  return contests;
}

std::vector<Contest> maximal_whip_contests(bool quick) {
  const std::vector<int> sizes = quick ? std::vector{10, 30} : std::vector{10, 30, 100};
  std::vector<Contest> contests;
  const auto add = [&](const std::string& key, Problem problem) {
    Contest here = contest(key, std::move(problem));
    for (const Entrant& entrant : entrants_named({ours, "ode exact", "ode quick"})) {
      if (entrant.method == "exact" && here.n > 30) continue;
      here.entries.push_back({entrant, {.trace = true, .repetitions = entrant.is_ours() ? 1 : 0}});
    }
    contests.push_back(std::move(here));
  };
  for (const int n : sizes) add("whip", planar_chain(n, horizontal));
  for (const int n : sizes) add("ball-whip", ball_chain(n, horizontal));
  return contests;
}

}  // namespace polhode::bench
