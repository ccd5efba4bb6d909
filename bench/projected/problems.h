#pragma once
/// The mechanisms of polhode_bench_projected.

#include "problem.h"

namespace polhode::bench {

/// The chain of polhode_bench_step: n links of mass 1 and length 1 on hinges about y, straight at 0.5 rad, at rest.
LoopProblem projected_chain(int n);

/// n squares of rods of 1 m and 1 kg side by side, pushed at 1 m/s (IFToMM A02): models/four_bars.pol.
LoopProblem four_bars(int n, LoopClosure::Kind closure);

/// models/four_bar.pol: a crank that turns all the way round.
LoopProblem crank_rocker(LoopClosure::Kind closure);

/// models/bricard.pol: six pins; one of the five rows that close the loop is redundant (none with free_pin).
LoopProblem bricard(LoopClosure::Kind closure);

/// models/spatial_slider_crank.pol: closed by a ball joint.
LoopProblem spatial_slider_crank();

}  // namespace polhode::bench
