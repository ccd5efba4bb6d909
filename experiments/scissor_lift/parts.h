#pragma once
#include "../common/race.h"

/// The parts of the experiment, each with its figures, tables and verdicts.
namespace polhode::experiments {

/// Fig. 11: ten seconds by everybody, and what an error costs.
void show_ten_seconds(Findings& findings);
/// Fig. 12: the last ten of a thousand seconds.
void show_thousand_seconds(Findings& findings);
/// The exact motion's check values, and how fast our methods come to them through the singular positions.
void show_convergence(Findings& findings);

}  // namespace polhode::experiments
