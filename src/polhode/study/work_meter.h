#pragma once
#include <array>
#include <vector>

#include "polhode/state/stepper.h"
#include "polhode/tree/workspace.h"

namespace polhode::study {

/// Sums up the work of every force along a run: the integral of its power over time by Simpson's rule, on the motion that the
/// method interpolates, from one end of a step, report or event to the next. Such a piece is halved until its two halves agree
/// with the whole, so that long steps do no harm; at most 64 pieces are made of one. The error is then that of the motion.
///
/// The numbers are those of gravity, of elements (tree::element_powers), and by speed of what drives it (motion forces). What
/// impulses do at events is no work of a force.
class WorkMeter {
 public:
  /// Keeps a reference to the stepper.
  WorkMeter(const Mechanism& mechanism, const Stepper& stepper);

  /// From this state on, at the start of a run or after an event: the sums go on.
  void go_on_from(State& state);
  /// Up to this state of the stepper's last step.
  void advance(State& state);
  /// The work up to a state of the last step, kept with it; the sums stay where they are.
  void tell(State& state);

  double time() const { return time_; }  ///< up to which the sums are [s]
  void remember(Memory& memory);

 private:
  void powers_of(State& state, std::vector<double>& powers);
  /// Of the powers from where the sums are to the state; into until_.
  void integrate_to(State& state);
  /// A piece of a step, with the powers at its ends and in its middle.
  struct Piece {
    double t = 0, h = 0;
    std::vector<double> first{}, middle{}, last{};
  };
  void add_piece(int halvings);
  void powers_at(double t, std::vector<double>& powers);

  const Stepper& stepper_;
  tree::Workspace workspace_;
  State between_;
  double time_ = 0;
  std::vector<double> sums_, from_, to_, until_;
  static constexpr int most_halvings = 5;
  std::array<Piece, most_halvings + 1> pieces_{};  // one inside the other
  std::vector<double> left_middle_, right_middle_, halves_;
};

}  // namespace polhode::study
