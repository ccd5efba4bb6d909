#include "jets.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::bench {
namespace {

const std::string method = "maximal-projected";

/// One run, with the time that simulate() takes from the state at the start to the one at the end.
void run_once(const State& start, JetRun& run, bool first) {
  const study::SimulateOptions options{.method = method, .time = 10, .interval = 0.1, .options = {{"accuracy", run.accuracy}}};
  const auto begin = std::chrono::steady_clock::now();
  const study::SimulateSummary summary = study::simulate(start, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.finished = summary.completed;
  run.reason = summary.failure;
  run.seconds = first ? seconds : std::min(run.seconds, seconds);
  run.steps = summary.steps.steps;
  run.rejected = summary.steps.rejected;
  run.evaluations = summary.steps.evaluations;
  run.energy_span = summary.energy_span();
  run.constraint_error = summary.constraint_error;
}

}  // namespace

std::vector<JetRun> run_jets(int rounds) {
  const auto methods = study::method_names();
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) return {};
  std::vector<JetRun> runs{{"jet_pendulum.pol", 1e-6}, {"jet_quadrangle.pol", 1e-8}, {"jet_crank.pol", 1e-7}};
  for (JetRun& run : runs) {
    try {
      const format::Model model = format::load_model(std::string(POLHODE_BENCH_MODELS) + "/" + run.model);
      State start = tree::initial_state(model.mechanism);
      if (!tree::assemble(start, tree::given_by_model(model.mechanism)).assembled)  // the paper's tables have three decimals
        throw std::runtime_error("the model's start does not fit");
      for (int round = 0; round < rounds && (round == 0 || run.finished); ++round) run_once(start, run, round == 0);
    } catch (const std::exception& error) {
      run.finished = false;
      run.reason = error.what();
    }
  }
  return runs;
}

}  // namespace polhode::bench
