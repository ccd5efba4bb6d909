#pragma once
/// Runs that cannot hurt the benchmark, whatever the engine does.

#include "run.h"

namespace polhode::bench {

/// run_here in a child process.  What the child says (peers print where they like) is kept from the terminal; if it is
/// killed by a signal or takes longer than the limit, the outcome says so and keeps how far it had come.  Samples, if the plan
/// wants them, become the course.
RunOutcome run_isolated(MakeStepSubject make, const std::string& method, const Problem& problem, const RunPlan& plan,
                        double limit_seconds, Course* course = nullptr);

}  // namespace polhode::bench
