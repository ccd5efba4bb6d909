// polhode_bench_maximal: the methods in maximal coordinates: cost beside ODE, growth with loops, whips, Tuomela, Arponen &
// Normi.  See README.md.

#include "maximal/program.h"
#include "maximal/report.h"
#include "step/report.h"
#include "words.h"

namespace polhode::bench {
namespace {

constexpr const char* usage =
    "usage: polhode_bench_maximal [options]\n"
    "  --only=PART,...   some of chains, loops, whips, jets, factors (default: all)\n"
    "  --quick           fewer rounds and sizes\n"
    "  --out=FILE        write the results there as JSON\n"
    "  --strict          exit with status 1 if a target is missed\n"
    "exit status: 0 done, 1 --strict and a target missed, 2 bad usage\n";

int run(const PartOptions& options, std::ofstream& json) {
  const bool quick = options.quick;
  const int rounds = quick ? 2 : 5;
  MaximalResults results;
  if (options.wants("chains")) hold_part(maximal_chain_contests(quick), rounds, print_maximal_chains, results.contests);
  if (options.wants("loops")) hold_part(maximal_loop_contests(quick), rounds, print_maximal_loops, results.contests);
  if (options.wants("whips")) hold_part(maximal_whip_contests(quick), 1, print_whips, results.contests);
  if (options.wants("jets")) {
    results.jets_asked_for = true;
    results.jets = run_jets(4 * rounds);
    print_jets(stdout, results.jets);
    std::fflush(stdout);
  }
  if (options.wants("factors")) {
    results.factors = time_factors({3, 10, 30, 100}, 4 * rounds);
    print_factors(stdout, results.factors);
  }
  const std::vector<Verdict> verdicts = judge(results);
  const int missed = print_verdicts(stdout, verdicts, engines_missing());
  if (json.is_open()) json << to_json(results, verdicts);
  return missed;
}

}  // namespace
}  // namespace polhode::bench

int main(int argc, char** argv) {
  using namespace polhode::bench;
  return run_parts({"polhode_bench_maximal", usage, {"chains", "loops", "whips", "jets", "factors"}, run}, argc, argv);
}
