// polhode_bench_projected: tree-projected beside Simbody, redundant mechanisms beside regular ones, sweeps.  See README.md.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "environment.h"
#include "projected/problems.h"
#include "projected/report.h"

namespace polhode::bench {
namespace {

constexpr const char* usage =
    "usage: polhode_bench_projected [options]\n"
    "  --only=PART,...   some of chains, loops, twins, sweep, integrators (default: all)\n"
    "  --quick           fewer rounds and sizes\n"
    "  --out=FILE        write the results there as JSON\n"
    "  --strict          exit with status 1 if a target is missed\n"
    "exit status: 0 done, 1 --strict and a target missed, 2 bad usage\n";

const std::vector<std::string> all_parts{"chains", "loops", "twins", "sweep", "integrators"};

struct Options {
  std::vector<std::string> parts = all_parts;
  std::string out;
  bool quick = false, strict = false, help = false;

  bool wants(const char* part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }
};

std::vector<std::string> parts_named(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    if (std::find(all_parts.begin(), all_parts.end(), parts.back()) == all_parts.end())
      throw std::invalid_argument(
          fmt::format("--only: \"{}\" is not a part (parts: {})", parts.back(), fmt::join(all_parts, ", ")));
    begin = end + 1;
  }
  return parts;
}

/// Throws std::invalid_argument at the first word it cannot use.
Options parse_options(const std::vector<std::string>& words) {
  Options options;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "--only" && !value.empty()) {
      options.parts = parts_named(value);
    } else if (key == "--out" && !value.empty()) {
      options.out = value;
    } else if (word == "--quick") {
      options.quick = true;
    } else if (word == "--strict") {
      options.strict = true;
    } else if (word == "--help") {
      options.help = true;
    } else {
      throw std::invalid_argument(fmt::format("\"{}\" is not an option (see --help)", word));
    }
  }
  return options;
}

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

int run(const Options& options) {
  std::ofstream json;
  if (!options.out.empty()) {  // opened before the measuring, so that a bad path is known at once
    json.open(options.out);
    if (!json) throw std::invalid_argument(fmt::format("--out: cannot write to \"{}\"", options.out));
  }
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
  return options.strict && missed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace polhode::bench

int main(int argc, char** argv) {
  polhode::bench::hold_libraries_to_one_thread(argv);
  polhode::bench::keep_large_blocks_on_the_heap();
  try {
    const auto options = polhode::bench::parse_options({argv + 1, argv + argc});
    if (options.help) {
      fmt::print("{}", polhode::bench::usage);
      return 0;
    }
    return polhode::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "polhode_bench_projected: {}\n", error.what());
    return 2;
  }
}
