// polhode_bench_step: time stepping of Polhode beside its peers: cost, energy and loop gaps.  See README.md.

#include "step/program.h"
#include "step/report.h"
#include "words.h"

namespace polhode::bench {
namespace {

constexpr const char* usage =
    "usage: polhode_bench_step [options]\n"
    "  --only=PART,...   some of chain, whip, loops (default: all)\n"
    "  --quick           fewer rounds, shorter chains, fewer peers\n"
    "  --method=NAME     method of Polhode (default: tree-variational)\n"
    "  --out=FILE        write the results there as JSON\n"
    "  --strict          exit with status 1 if a target is missed\n"
    "exit status: 0 done, 1 --strict and a target missed, 2 bad usage\n";

int run(const PartOptions& options, const ProgramOptions& program, std::ofstream& json) {
  std::vector<Contest> all;
  if (options.wants("chain")) hold_part(chain_contests(program), chain_rounds(program), print_chain, all);
  if (options.wants("whip")) hold_part(whip_contests(program), 1, print_whips, all);
  if (options.wants("loops")) hold_part(loop_contests(program), loop_rounds(program), print_loops, all);

  const std::vector<Verdict> verdicts = judge(all);
  const int missed = print_verdicts(stdout, verdicts, engines_missing());
  if (json.is_open()) json << to_json(all, verdicts);
  return missed;
}

}  // namespace
}  // namespace polhode::bench

int main(int argc, char** argv) {
  using namespace polhode::bench;
  ProgramOptions program;
  const auto run_program = [&](const PartOptions& options, std::ofstream& json) {
    program.quick = options.quick;
    return run(options, program, json);
  };
  const auto takes = [&](const Word& word) {
    if (!word.gives("--method")) return false;
    program.our_method = word.value;
    return true;
  };
  return run_parts({"polhode_bench_step", usage, {"chain", "whip", "loops"}, run_program, takes}, argc, argv);
}
