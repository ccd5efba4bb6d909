#pragma once
#include <array>
#include <limits>
#include <string>

#include "../common/findings.h"
#include "jet_run.h"
#include "one_degree.h"

namespace polhode::experiments::jets {

inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// A column of the paper's tables 8 to 11.
struct PaperColumn {
  double steps, rejected;
  double newton_average, newton_most;
  double distributions, projections;
  double cpu_distributions, cpu_projections, cpu_total;  ///< [s], of 1.75 GHz
  double dg, d2g, d3g, dfinv, d2finv;
};

/// Of the four runs of a mechanism: quasi-orthogonal or orthogonal projection, with the energy kept and without.
enum Which { quasi, orthogonal, quasi_free, orthogonal_free };
inline constexpr int num_runs = 4;

inline constexpr double exact_interval = 0.1;  ///< at which motions are compared [s]
inline constexpr double time_of_runs = 10;     ///< of all of the paper's [s]

/// One of the paper's three mechanisms.
struct JetCase {
  std::string name;  ///< "pendulum"
  std::string model;
  std::string table, energies_figure, steps_figure;  ///< of the paper
  double accuracy;
  std::array<PaperColumn, num_runs> paper;
  double paper_speedup;  ///< of quasi-orthogonal against orthogonal projection, in the paper's words
  Drive drive;
  OneDegree (*exact)(double start);  ///< from that angle of body 1
  double race_time;                  ///< as long as most engines are still near the motion [s]
  double look;                       ///< at those that choose their steps, often enough to count turns [s]
};

/// The runs of one mechanism, at a tolerance of Newton's iterations.
using JetRuns = std::array<JetRun, num_runs>;
JetRuns run_all(const State& start, const JetCase& the_case, double tolerance, int rounds);

/// Tables 8, 9 or 10 and the panel of Table 11. The last runs have the paper's tolerance, 1e-5.
void show_characteristics(Findings& findings, const JetCase& the_case, const JetRuns& runs, const JetRuns& at_paper_tolerance);
/// Figs. 6.4 to 6.9.
void show_figures(Findings& findings, const JetCase& the_case, const JetRuns& runs);
/// What the paper says about all three.
void judge_runs(Findings& findings, const JetCase& the_case, const JetRuns& runs);
/// The motion that follows from the mechanism's one degree of freedom, from where body 1 is at the start.
ExactMotion exact_motion(const JetCase& the_case, const State& start);
/// How far the method is from it, at accuracies finer and finer.
void check_against_exact(Findings& findings, const JetCase& the_case, const State& start, const ExactMotion& exact);

/// All of these.
struct CaseResult {
  JetRuns runs;
  ExactMotion exact;
};
CaseResult run_case(Findings& findings, const JetCase& the_case);

/// Every engine on the mechanism.
void hold_race(Findings& findings, const JetCase& the_case, const ExactMotion& exact);

}  // namespace polhode::experiments::jets
