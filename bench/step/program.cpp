#include "program.h"

#include "problems.h"

namespace polhode::bench {
namespace {

/// Steps that show the cost of one: long runs of slow peers would only make the benchmark longer.
constexpr int steps_of_long_chains = 200;

/// The longest chain that each entrant is put on: those whose cost grows as the cube of n would take the rest of the time.
int largest_chain(const Entrant& entrant, bool timed) {
  if (entrant.is_ours()) return 1000;
  if (entrant.engine == "ode") return 30;
  if (entrant.engine == "mujoco" && entrant.method != "euler") return 100;
  if (entrant.engine == "mujoco" && !timed) return 100;
  return 300;
}

/// Short runs are the more easily disturbed, and cost nothing to repeat.
int repetitions(int n) { return n < 30 ? 8 : n < 100 ? 4 : 2; }

Contest contest(const std::string& key, Problem problem) {
  const int n = static_cast<int>(problem.links.size());
  return {key, n, std::move(problem), {}};
}

std::string ours(const ProgramOptions& options) { return "polhode " + options.our_method; }

}  // namespace

int chain_rounds(const ProgramOptions& options) { return options.quick ? 2 : 5; }
int loop_rounds(const ProgramOptions& options) { return options.quick ? 2 : 5; }

std::vector<Contest> chain_contests(const ProgramOptions& options) {
  const std::vector<int> sizes = options.quick ? std::vector{10, 30, 100, 300} : std::vector{10, 30, 100, 300, 1000};
  const auto entrants =
      entrants_named({ours(options), "mujoco euler", "simbody verlet", "bullet euler", "dart euler", "ode exact"});
  std::vector<Contest> contests;
  for (const int n : sizes) {
    Contest here = contest("chain", planar_chain(n, gentle));
    for (const Entrant& entrant : entrants) {
      if (n > largest_chain(entrant, /*timed=*/true) || (options.quick && n > 100 && !entrant.is_ours())) continue;
      RunPlan plan{.trace = true, .repetitions = repetitions(n)};
      if (!entrant.is_ours() && n > 100) plan = {.trace = false, .repetitions = 2, .timed_steps = steps_of_long_chains};
      here.entries.push_back({entrant, plan});
    }
    contests.push_back(std::move(here));
  }
  return contests;
}

std::vector<Contest> whip_contests(const ProgramOptions& options) {
  const std::vector<int> sizes = options.quick ? std::vector{10, 30} : std::vector{10, 30, 100, 300};
  const auto entrants = entrants_named({ours(options), "mujoco euler", "mujoco implicit", "simbody euler", "simbody verlet",
                                        "bullet euler", "dart euler", "ode exact"});
  std::vector<Contest> contests;
  const auto add = [&](const std::string& key, Problem problem) {
    Contest here = contest(key, std::move(problem));
    for (const Entrant& entrant : entrants) {
      if (here.n > largest_chain(entrant, /*timed=*/false)) continue;
      here.entries.push_back({entrant, {.trace = true, .repetitions = entrant.is_ours() ? 1 : 0}});
    }
    contests.push_back(std::move(here));
  };
  for (const int n : sizes) add("whip", planar_chain(n, horizontal));
  for (const int n : sizes) add("ball-whip", ball_chain(n, horizontal));
  for (const int n : sizes) add("ball-swing", ball_chain(n, gentle));
  return contests;
}

std::vector<Contest> loop_contests(const ProgramOptions& options) {
  std::vector<Contest> contests{contest("device", closed_chain_device()), contest("lift", scissor_lift())};
  const std::vector<std::string> timed{ours(options), "ode exact", "mujoco euler", "mujoco rk4"};
  const std::vector<std::string> slow{"simbody euler", "simbody verlet", "simbody merson-1e-3"};
  for (Contest& here : contests) {
    for (const Entrant& entrant : entrants_named(timed)) here.entries.push_back({entrant, {.repetitions = 2}});
    if (options.quick) continue;
    for (const Entrant& entrant : entrants_named(slow)) here.entries.push_back({entrant, {.repetitions = 1}, 1});
  }
  return contests;
}

}  // namespace polhode::bench
