// polhode_experiments: the papers' figures and tables, made again beside the peers.  See README.md.
#include <fmt/format.h>

#include "../bench/environment.h"
#include "../bench/step/entrants.h"
#include "all.h"
#include "common/options.h"
#include "common/page.h"
#include "common/record.h"

namespace polhode::experiments {
namespace {

constexpr const char* usage =
    "usage: polhode_experiments [NAME ...] [options]\n"
    "  NAME          some of the experiments (default: all)\n"
    "  --quick       less of everything: all of them in under five minutes on two cores\n"
    "  --out=DIR     where results go (default: build/experiments); DIR/index.html shows all that were ever run into it\n"
    "  --list        say which there are\n"
    "  --page-only   run nothing, write the page again\n"
    "  --strict      speed and aims count as well as mechanics\n"
    "exit status: 0 done, 1 a claim about mechanics was missed (with --strict: any claim) or an experiment failed, 2 bad "
    "usage\n";

void print_list() {
  for (const Experiment* experiment : all_experiments()) {
    fmt::print("{:<26}{:<48}{}\n", experiment->name, experiment->source, experiment->title);
  }
}

/// Whether what was found is on the disk. One that has no room there, or is in the way, does not stop the others.
bool keep(const Record& record, const Options& options) {
  try {
    save(record, options.out);
    write_page(options.out, all_experiments());
    return true;
  } catch (const std::exception& error) {
    fmt::print("  NOT KEPT: {}\n", error.what());
    return false;
  }
}

/// Runs them one after another; the page is there, and right, after each. Returns the names of those that fail the run.
std::vector<std::string> run_all(const Options& options) {
  const bool all_engines = bench::engines_missing().empty();
  std::vector<std::string> failed;
  for (const Experiment* experiment : options.chosen) {
    const Record record = run(*experiment, options.out, options.quick, stdout);
    const bool kept = keep(record, options);
    if (!kept || fails(record, options.strict, all_engines)) failed.push_back(record.name);
  }
  return failed;
}

int run_program(const Options& options) {
  if (options.help) return fmt::print("{}", usage), 0;
  if (options.list) return print_list(), 0;
  std::filesystem::create_directories(options.out);
  if (options.page_only) return write_page(options.out, all_experiments()), 0;
  const std::vector<std::string> failed = run_all(options);
  fmt::print("\nThe page: {}\n", (options.out / "index.html").string());
  if (!failed.empty()) fmt::print("Not as claimed: {}\n", fmt::join(failed, ", "));
  return failed.empty() ? 0 : 1;
}

}  // namespace
}  // namespace polhode::experiments

int main(int argc, char** argv) {
  using namespace polhode;
  bench::hold_libraries_to_one_thread(argv);
  bench::keep_large_blocks_on_the_heap();
  try {
    return experiments::run_program(experiments::parse({argv + 1, argv + argc}, experiments::all_experiments()));
  } catch (const std::exception& error) {  // of what was asked, or of files
    fmt::print(stderr, "polhode_experiments: {}\n", error.what());
    return 2;
  }
}
