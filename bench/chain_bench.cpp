// polhode_bench_chain: forward dynamics, inverse dynamics and mass matrix of one serial chain in every engine at hand,
// in one process and in random order, first checked against known answers.  See README.md.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "environment.h"
#include "minimum_reporter.h"
#include "options.h"
#include "reference.h"
#include "results.h"
#include "words.h"

namespace polhode::bench {
namespace {

constexpr double seconds_per_run = 0.02;  // long against the clock, short against what disturbs a shared machine
constexpr double nudge_of_q_0 = 1e-12;    // [rad]; see ChainSubject
const double chain_q_0 = chain::q(0);     // kept, so that no sine is timed

/// One evaluation that no engine can answer from what it cached in the one before.
void evaluate_afresh(ChainSubject& subject, Operation operation, bool& nudged) {
  nudged = !nudged;
  benchmark::DoNotOptimize(evaluate(subject, operation, nudged ? chain_q_0 + nudge_of_q_0 : chain_q_0));
}

/// How many evaluations take about seconds_per_run.
std::int64_t calibrate(ChainSubject& subject, Operation operation) {
  using Clock = std::chrono::steady_clock;
  bool nudged = false;
  for (std::int64_t count = 1;; count *= 4) {
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < count; ++i) evaluate_afresh(subject, operation, nudged);
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (elapsed < seconds_per_run / 8) continue;  // too short to go by
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(count) * seconds_per_run / elapsed));
  }
}

bool answers_are_right(const Options& options, SubjectPool& pool) {
  int mismatches = 0;
  for (const SubjectKind& kind : options.subjects) mismatches += count_mismatches(kind, options.sizes, pool);
  fmt::print(stderr, "answers of {} engines checked: {} mismatches\n", options.subjects.size(), mismatches);
  return mismatches == 0;
}

std::vector<Case> cases_offered(const Options& options, SubjectPool& pool) {
  std::vector<Case> cases;
  for (const SubjectKind& kind : options.subjects) {
    for (const int n : options.sizes) {
      for (const Operation operation : all_operations) {
        if (evaluate(pool.get(kind, n), operation, chain::q(0))) cases.push_back({operation, std::string(kind.name), n});
      }
    }
  }
  return cases;
}

const SubjectKind& kind_named(const Options& options, const std::string& name) {
  return *std::find_if(options.subjects.begin(), options.subjects.end(), [&](const SubjectKind& k) { return k.name == name; });
}

/// Registers each case under a name and returns what the names stand for.
std::map<std::string, Case> register_cases(const std::vector<Case>& cases, const Options& options, SubjectPool& pool,
                                           Progress& progress) {
  std::map<std::string, Case> names;
  for (const Case& measured : cases) {
    const std::string label = fmt::format("{}/{}/{}", name(measured.operation), measured.subject, measured.n);
    ChainSubject& subject = pool.get(kind_named(options, measured.subject), measured.n);
    const Operation operation = measured.operation;
    const std::int64_t iterations = calibrate(subject, operation);
    benchmark::RegisterBenchmark(label.c_str(),
                                 [&subject, &progress, operation, label](benchmark::State& state) {
                                   progress.tick(label);
                                   bool nudged = false;
                                   evaluate_afresh(subject, operation,
                                                   nudged);  // untimed: the engine that ran before holds the caches
                                   for ([[maybe_unused]] auto _ : state) evaluate_afresh(subject, operation, nudged);
                                 })
        ->Iterations(iterations)
        ->UseRealTime();
    names.emplace(label, measured);
  }
  return names;
}

Results measure(const Options& options, SubjectPool& pool) {
  const std::vector<Case> cases = cases_offered(options, pool);
  Progress progress(static_cast<int>(cases.size()) * options.repetitions);
  Results results;
  MinimumReporter reporter(register_cases(cases, options, pool, progress), results);

  std::vector<std::string> flags{"polhode_bench_chain", "--benchmark_enable_random_interleaving=true",
                                 fmt::format("--benchmark_repetitions={}", options.repetitions)};
  std::vector<char*> argv;
  for (std::string& flag : flags) argv.push_back(flag.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  progress.finish();
  return results;
}

int run(const Options& options) {
  if (options.subjects.empty())
    throw std::runtime_error("no engine is built in; install a peer (README.md) and configure again");
  SubjectPool pool;
  if (!answers_are_right(options, pool)) return 1;
  if (options.check_only) return 0;

  std::ofstream json = open_results(options.out);
  const Results results = measure(options, pool);

  std::vector<SubjectLabel> labels;
  for (const SubjectKind& kind : options.subjects) {
    labels.push_back({std::string(kind.name), pool.get(kind, options.sizes.front()).engine()});
  }
  const int missed = print_tables(stdout, results, labels, options.sizes);
  if (json.is_open()) json << to_json(results, labels);
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
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "polhode_bench_chain: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "polhode_bench_chain: {}\n", error.what());
    return 1;
  }
}
