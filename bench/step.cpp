// polhode_bench_step: time stepping of Polhode beside its peers: cost, energy and loop gaps.  See README.md.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "environment.h"
#include "step/program.h"
#include "step/report.h"

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

struct Options {
  ProgramOptions program;
  std::vector<std::string> parts{"chain", "whip", "loops"};
  std::string out;
  bool strict = false;
  bool help = false;
};

std::vector<std::string> parts_named(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string part = list.substr(begin, end - begin);
    if (part != "chain" && part != "whip" && part != "loops") {
      throw std::invalid_argument(fmt::format("--only: \"{}\" is not a part (parts: chain, whip, loops)", part));
    }
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

/// Throws std::invalid_argument at the first word it cannot use.
Options parse_options(const std::vector<std::string>& words) {
  Options options;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    const bool has_value = !value.empty();
    if (key == "--only" && has_value) {
      options.parts = parts_named(value);
    } else if (key == "--method" && has_value) {
      options.program.our_method = value;
    } else if (key == "--out" && has_value) {
      options.out = value;
    } else if (word == "--quick") {
      options.program.quick = true;
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

/// One line that is overwritten, where somebody looks at it.
void announce(const Contest& contest, const Entry& entry) {
  if (!isatty(STDERR_FILENO)) return;
  fmt::print(stderr, "\r{:<76}", fmt::format("{} of {} links: {}", contest.key, contest.n, entry.entrant.label));
}

void erase_announcement() {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{:<76}\r", "");
}

/// Holds the contests of one part, prints them, and adds them to all.
template <class Print>
void hold_part(std::vector<Contest> contests, int rounds, Print print, std::vector<Contest>& all) {
  hold(contests, rounds, announce);
  erase_announcement();
  print(stdout, contests);
  std::fflush(stdout);
  std::move(contests.begin(), contests.end(), std::back_inserter(all));
}

int run(const Options& options) {
  std::ofstream json;
  if (!options.out.empty()) {  // opened before the minute of measuring, so that a bad path is known at once
    json.open(options.out);
    if (!json) throw std::invalid_argument(fmt::format("--out: cannot write to \"{}\"", options.out));
  }
  const auto asked_for = [&](const char* part) {
    return std::find(options.parts.begin(), options.parts.end(), part) != options.parts.end();
  };
  const ProgramOptions& program = options.program;
  std::vector<Contest> all;
  if (asked_for("chain")) hold_part(chain_contests(program), chain_rounds(program), print_chain, all);
  if (asked_for("whip")) hold_part(whip_contests(program), 1, print_whips, all);
  if (asked_for("loops")) hold_part(loop_contests(program), loop_rounds(program), print_loops, all);

  const std::vector<Verdict> verdicts = judge(all);
  const int missed = print_verdicts(stdout, verdicts, engines_missing());
  if (json.is_open()) json << to_json(all, verdicts);
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
    fmt::print(stderr, "polhode_bench_step: {}\n", error.what());
    return 2;
  }
}
