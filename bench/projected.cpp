// polhode_bench_projected: tree-projected beside Simbody, redundant mechanisms beside regular ones, sweeps.  See README.md.

#include <fmt/format.h>

#include "projected/problems.h"
#include "projected/report.h"
#include "words.h"

namespace polhode::bench {
namespace {

constexpr const char* usage =
    "usage: polhode_bench_projected [options]\n"
    "  --only=PART,...   some of chains, loops, twins, sweep, integrators (default: all)\n"
    "  --quick           fewer rounds and sizes\n"
    "  --out=FILE        write the results there as JSON\n"
    "  --strict          exit with status 1 if a target is missed\n"
    "exit status: 0 done, 1 --strict and a target missed, 2 bad usage\n";

std::vector<Race> hold_races(const std::vector<LoopProblem>& problems, int rounds) {
  std::vector<Race> races;
  for (const LoopProblem& problem : problems)
    for (const double accuracy : {1e-3, 1e-6}) races.push_back(hold_race(problem, accuracy, rounds));
  return races;
}

std::vector<LoopProblem> chain_problems(bool quick) {
  std::vector<LoopProblem> problems{projected_chain(10), projected_chain(30)};
  if (!quick) problems.push_back(projected_chain(100));
  return problems;
}

std::vector<LoopProblem> loop_problems(bool quick) {
  using Kind = LoopClosure::Kind;
  std::vector<LoopProblem> problems{crank_rocker(Kind::planar),  crank_rocker(Kind::pin), four_bars(2, Kind::planar),
                                    four_bars(10, Kind::planar), bricard(Kind::pin),      spatial_slider_crank()};
  if (!quick) problems.push_back(four_bars(40, Kind::planar));
  return problems;
}

int run(const PartOptions& options, std::ofstream& json) {
  const int rounds = options.quick ? 2 : 5;
  ProjectedResults results;
  if (options.wants("chains")) {
    results.chains = hold_races(chain_problems(options.quick), rounds);
    print_races(stdout, "Chains, 10 s, Merson's method; errors [m] after 1 s", results.chains);
    std::fflush(stdout);
  }
  if (options.wants("loops")) {
    results.loops = hold_races(loop_problems(options.quick), rounds);
    print_races(stdout, "Closed loops, Merson's method; errors [m]", results.loops);
    std::fflush(stdout);
  }
  if (options.wants("twins")) {
    results.twins = compare_twins(4 * rounds);
    print_twins(stdout, results.twins);
    std::fflush(stdout);
  }
  if (options.wants("sweep")) {
    results.sweep = time_sweep(1000, options.quick ? 1 : 3);
    print_sweep(stdout, *results.sweep);
    std::fflush(stdout);
  }
  if (options.wants("integrators"))
    for (const LoopProblem& problem : {projected_chain(30), spatial_slider_crank()}) {
      results.integrators.push_back({problem, try_integrators(problem, 1e-6, rounds)});
      print_integrators(stdout, results.integrators.back());
    }

  const std::vector<Verdict> verdicts = judge(results);
  std::vector<std::string> missing;
  if (!simbody_is_there()) missing.push_back("simbody");
  const int missed = print_verdicts(stdout, verdicts, missing);
  if (json.is_open()) json << to_json(results, verdicts);
  return missed;
}

}  // namespace
}  // namespace polhode::bench

int main(int argc, char** argv) {
  using namespace polhode::bench;
  return run_parts({"polhode_bench_projected", usage, {"chains", "loops", "twins", "sweep", "integrators"}, run}, argc, argv);
}
