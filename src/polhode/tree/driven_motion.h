#pragma once
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/dynamics.h"

namespace polhode::tree {

/// How the speeds that are not left to forces move: the model's signals at their level and the locks of a State, which come
/// first (Simbody theory manual 8.3, 10.4.1 and 10.4.2). What a lock holds is what the State has when this is made.
///
/// After construction it neither allocates nor throws (a user's signal aside).
class DrivenMotion {
 public:
  explicit DrivenMotion(const State& state);
  /// For another state of the mechanism: when locks have changed, or what they hold.
  void set(const State& state);

  bool any() const { return any_; }

  /// By speed, not 0 where it is known: du/dt (any level, fast ones included); u (velocity, position, fast); the coordinates
  /// that it moves (position, fast).
  std::span<const char> driven() const { return driven_; }
  std::span<const char> known_speeds() const { return known_speeds_; }
  std::span<const char> known_positions() const { return known_positions_; }
  std::span<const Drive> drives() const { return drives_; }

  /// Each writes what is known and leaves the rest. Fast coordinates are not known to this class: relax.h finds them.
  void prescribe_q(double t, NumbersOut q) const;
  void prescribe_u(double t, Numbers q, NumbersOut u) const;
  void accelerations(double t, Numbers q, Numbers u, NumbersOut u_dot) const;

 private:
  struct Held {
    int index;
    double value;
  };
  Mechanism mechanism_;
  std::vector<const DrivenOrientation*> orientations_;  // of the model, where the State follows them
  std::vector<const DrivenSpeed*> signals_;  // of the model, where the State follows them; fast ones are not among them
  std::vector<Held> held_q_, held_u_;
  std::vector<int> still_;  // speeds whose du/dt is 0: locked and fast ones
  std::vector<char> driven_, known_speeds_, known_positions_;
  std::vector<Drive> drives_;
  bool any_ = false;
};

}  // namespace polhode::tree
