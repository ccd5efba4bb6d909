#include "jet_case.h"

#include "polhode/format/language/model.h"

namespace polhode::experiments::jets {

JetRuns run_all(const State& start, const JetCase& the_case, double tolerance, int rounds) {
  using Kind = projected::JetProjection::Kind;
  JetRuns runs;
  for (const Which which : {quasi, orthogonal, quasi_free, orthogonal_free}) {
    const JetPlan plan{.accuracy = the_case.accuracy,
                       .projection = which == quasi || which == quasi_free ? Kind::quasi : Kind::orthogonal,
                       .energy = which == quasi || which == orthogonal,
                       .tolerance = tolerance};
    runs[which] = run_jet(start, the_case.drive, plan, rounds);
  }
  return runs;
}

CaseResult run_case(Findings& findings, const JetCase& the_case) {
  const Mechanism mechanism = format::load_model(std::string(POLHODE_MODELS) + "/" + the_case.model).mechanism;
  const State start = start_of(mechanism);
  CaseResult result{run_all(start, the_case, 1e-10, findings.pick(5, 1)), exact_motion(the_case, start)};
  const JetRuns& runs = result.runs;
  show_characteristics(findings, the_case, runs, run_all(start, the_case, 1e-5, findings.pick(5, 1)));
  show_figures(findings, the_case, runs);
  judge_runs(findings, the_case, runs);
  check_against_exact(findings, the_case, start, result.exact);
  return result;
}

}  // namespace polhode::experiments::jets
