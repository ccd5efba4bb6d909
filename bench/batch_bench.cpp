// polhode_bench_batch: forward and inverse dynamics of packs of mechanisms in SIMD lanes beside one mechanism at a time, on the
// serial chain of chain_subject.h, in one process. The times printed last are per mechanism.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "chain_subject.h"
#include "polhode/tree/batch.h"
#include "polhode/tree/kernels/kernels.h"
#include "polhode_chain_model.h"

namespace polhode::bench {
namespace {

constexpr double least_ratio = 3;  // one at a time over packed, per mechanism
constexpr int sizes[] = {7, 30, 100, 300, 1000};

/// The chain's state, `copies` times side by side.
struct Inputs {
  std::vector<double> q, u, tau, u_dot, out;
  Inputs(int n, int copies) {
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < copies; ++c) {
        q.push_back(chain::q(i) + 1e-3 * c);
        u.push_back(chain::v(i));
        tau.push_back(chain::torque(i));
        u_dot.push_back(chain::acceleration(i));
      }
    out.resize(q.size());
  }
};

template <class Workspace>
void evaluate(Operation operation, Workspace& w, Inputs& x) {
  x.q[0] += 1e-12;
  if (operation == Operation::forward_dynamics) tree::forward_dynamics(w, x.q, x.u, x.tau, x.out);
  if (operation == Operation::inverse_dynamics) tree::inverse_dynamics(w, x.q, x.u, x.u_dot, x.out);
  benchmark::DoNotOptimize(x.out.data());
  benchmark::ClobberMemory();
}

template <class Workspace>
void add(Operation operation, const char* label, int n, int copies) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", name(operation), label, n).c_str(),
                               [=](benchmark::State& state) {
                                 Workspace w(build_chain(n));
                                 Inputs x(n, copies);
                                 for (auto _ : state) evaluate(operation, w, x);
                               })
      ->Repetitions(15)
      ->ReportAggregatesOnly(false)
      ->MinTime(0.02);
}

/// Keeps the least time of each benchmark.
class Least : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double seconds = run.real_accumulated_time / double(run.iterations);
      const auto [it, is_new] = best.emplace(run.run_name.function_name, seconds);
      if (!is_new) it->second = std::min(it->second, seconds);
    }
  }
  std::map<std::string, double> best;
};

int report(const Least& least, int width) {
  int missed = 0;
  for (const Operation operation : {Operation::forward_dynamics, Operation::inverse_dynamics}) {
    fmt::print("\n{}, per mechanism [us]{:>14}{:>14}{:>10}\n", name(operation), "one at a time",
               fmt::format("packs of {}", width), "ratio");
    for (const int n : sizes) {
      const double one = least.best.at(fmt::format("{}/one/{}", name(operation), n));
      const double packed = least.best.at(fmt::format("{}/pack/{}", name(operation), n)) / width;
      const bool judged = operation == Operation::forward_dynamics, met = one / packed >= least_ratio;
      missed += judged && !met;
      fmt::print("  n = {:<35}{:>14.3f}{:>14.3f}{:>10.2f}{}\n", n, 1e6 * one, 1e6 * packed, one / packed,
                 judged ? fmt::format(" >= {} {}", least_ratio, met ? "met" : "MISSED") : "");
    }
  }
  return missed;
}

}  // namespace
}  // namespace polhode::bench

int main() {
  using namespace polhode;
  const int width = tree::kernels().pack.width;
  fmt::print("kernels: {}\n", tree::kernels().name);
  for (const bench::Operation operation : {bench::Operation::forward_dynamics, bench::Operation::inverse_dynamics})
    for (const int n : bench::sizes) {
      bench::add<tree::Workspace>(operation, "one", n, 1);
      bench::add<tree::BatchWorkspace>(operation, "pack", n, width);
    }
  char program[] = "polhode_bench_batch", interleaved[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program, interleaved, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  bench::Least least;
  benchmark::RunSpecifiedBenchmarks(&least);
  return bench::report(least, width) == 0 ? 0 : 1;
}
