#pragma once
#include <span>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// Throws std::invalid_argument where a state misses its constraints by more than what interpolating between steps can do:
/// methods would each make something else of it. It names the row, how far it is off, and what to call. The constraints must be
/// those that the state enables. Leaves kinematics(w, q, u) behind.
/// `errors` by row and `values` by entry are memory to work in.
void require_met(const Constraints& constraints, Workspace& w, const State& state, NumbersOut errors, NumbersOut values);

/// The same for those who have neither constraints nor a workspace at hand. Does not allocate.
class MetCheck {
 public:
  explicit MetCheck(const Mechanism& mechanism);
  void require(const State& state);
  /// Rows that no speed changes in the state that was asked about last: how many, and whether that is so but for rounding
  /// (otherwise, but for the digits that the model was written with).
  struct RowsWithoutMotion {
    int count = 0;
    bool exactly = true;
  };
  RowsWithoutMotion rows_without_motion(const State& state);

 private:
  void size_for(int rows, int entries);

  Workspace workspace_;
  Constraints constraints_;
  std::vector<double> errors_, values_, speeds_;
};

}  // namespace polhode::tree
