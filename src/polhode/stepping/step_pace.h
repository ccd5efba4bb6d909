#pragma once
#include <algorithm>

namespace polhode::stepping {

/// Tells a run that gets nowhere: steps that error control has cut far below the longest one, thousands in a row. At a force
/// that has no direction or no limit they would go on so, and hardly ever become as short as rounding.
class StepPace {
 public:
  static constexpr int most_in_a_row = 5000;
  static constexpr double tiny = 1e-6;  ///< of the longest step

  void add(double h) {
    longest_ = std::max(longest_, h);
    in_a_row_ = h < tiny * longest_ ? in_a_row_ + 1 : 0;
  }
  bool is_stuck() const { return in_a_row_ >= most_in_a_row; }

 private:
  double longest_ = 0;
  int in_a_row_ = 0;
};

}  // namespace polhode::stepping
