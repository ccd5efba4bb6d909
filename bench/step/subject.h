#pragma once
/// What an engine must offer for its time stepping to be measured.  C++17, for the peers' sake.

#include <memory>
#include <string>
#include <vector>

#include "problem.h"

namespace polhode::bench {

struct StepCounters {
  long steps = 0;              // that the engine took by itself
  long newton_iterations = 0;  // 0 if it has none or does not tell
  long halved = 0;             // steps that it replaced by smaller ones
};

/// One engine holding one problem at its start.
class StepSubject {
 public:
  virtual ~StepSubject() = default;

  /// The problem as this engine runs it: some cannot do without inertia.
  virtual const Problem& problem() const = 0;

  /// Goes on by so many of the problem's steps; an engine that chooses its steps goes on by that time.  May throw.
  virtual void advance(int steps) = 0;

  /// How the links move now.  Does not disturb the motion.
  virtual void observe(std::vector<BodyState>& bodies) = 0;

  /// How far the engine is from its own equations now, where it keeps bodies together by equations [m], [rad].
  virtual double constraint_error() { return 0; }

  /// What the engine itself says is wrong with the run; empty while nothing is.
  virtual std::string trouble() const { return {}; }

  virtual StepCounters counters() const = 0;
};

/// Builds an engine's version of a problem.  Throws std::runtime_error when engine or method cannot do it.
using MakeStepSubject = std::unique_ptr<StepSubject> (*)(const Problem& problem, const std::string& method);

// Each peer is a shared library with everything hidden but its factories (see CMakeLists.txt), hence the attribute.
// The methods that each knows stand at the head of its source.
#define POLHODE_BENCH_PEER(name)                                                                             \
  [[gnu::visibility("default")]] std::unique_ptr<StepSubject> make_##name##_step(const Problem& problem,     \
                                                                                 const std::string& method); \
  [[gnu::visibility("default")]] std::string name##_version();
POLHODE_BENCH_PEER(simbody)
POLHODE_BENCH_PEER(mujoco)
POLHODE_BENCH_PEER(dart)
POLHODE_BENCH_PEER(bullet)
POLHODE_BENCH_PEER(ode)
#undef POLHODE_BENCH_PEER

std::unique_ptr<StepSubject> make_polhode_step(const Problem& problem, const std::string& method);
std::string polhode_version();

}  // namespace polhode::bench
