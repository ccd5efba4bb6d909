#pragma once
#include <algorithm>
#include <cmath>

namespace polhode::projected {

/// Chooses step sizes from error estimates: Gustafsson's proportional-integral controller, which avoids the saw-tooth of
/// rejections at the stability limit (Hairer and Wanner, Solving ODEs II, IV.2).
class StepController {
 public:
  explicit StepController(int order) : proportional_(0.7 / order), integral_(0.4 / order) {}

  /// Factor for the next step, from this step's error in units of what is allowed (accepted when <= 1).
  double factor(double error) {
    const double e = std::max(error, 1e-10);
    if (error > 1) {
      rejected_ = true;
      return std::clamp(safety * std::pow(e, -proportional_ - 0.3 * integral_), 0.1, 0.9);
    }
    const double f = safety * std::pow(e, -proportional_) * std::pow(last_error_, integral_);
    last_error_ = std::max(e, 1e-4);
    const double most = rejected_ ? 1.0 : 5.0;  // no growth straight after a rejection
    rejected_ = false;
    return std::clamp(f, 0.2, most);
  }

 private:
  static constexpr double safety = 0.9;
  double proportional_, integral_;
  double last_error_ = 1e-4;
  bool rejected_ = false;
};

}  // namespace polhode::projected
