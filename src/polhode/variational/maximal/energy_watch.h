#pragma once
#include "polhode/state/memory.h"

namespace polhode::variational {

/// Kinetic energy against the work of forces, where nothing else does work. Near a place where constraints lose their rank
/// (links that lie on each other) Newton may find another solution than the motion's, twice in 100 000 steps of
/// models/four_bar_chain.pol: energy then jumps by far more than it does from step to step otherwise.
class EnergyWatch {
 public:
  enum class Watching { off, on };
  explicit EnergyWatch(Watching watching) : on_(watching == Watching::on) {}
  void watch(Watching watching) { on_ = watching == Watching::on; }  ///< from the next restart() on

  bool is_on() const { return on_; }
  void restart(double kinetic);

  /// Whether a step starts with other forces from outside than the last one ended with.
  enum class Push { as_before, anew };
  /// The kinetic energy of a step that was tried, and what of its change the forces' work does not account for [J].
  void measure(double kinetic, double jump, Push push);
  double jump() const { return jump_; }
  double kinetic() const { return kinetic_; }
  enum class Jumps { small_ones_too, large_ones };
  /// Whether the step can be trusted, jumps of these sizes counting.
  bool is_credible(Jumps counting) const;
  /// Whether the jump is so small that the step follows the motion, however much it turns bodies.
  bool is_small() const;
  /// The step is taken. The first one after a start has no half of a step before it, and its jump says nothing.
  enum class Step { first, later };
  void learn(Step step);

  void remember(Memory& memory) { memory(usual_jump_, largest_kinetic_, kinetic_, jump_, steps_); }

 private:
  bool on_;
  double kinetic_ = 0, jump_ = 0;  // of the last step measured
  Push push_ = Push::as_before;
  double usual_jump_ = 0, largest_kinetic_ = 0;
  int steps_ = 0;
};

}  // namespace polhode::variational
