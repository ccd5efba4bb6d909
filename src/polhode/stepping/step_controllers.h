#pragma once
#include <algorithm>
#include <cmath>

/// Rules that choose step sizes from error estimates. Errors are in units of what is allowed: a step is accepted when it is
/// <= 1.
namespace polhode::stepping {

/// Gustafsson's proportional-integral controller, which avoids the saw-tooth of rejections at the stability limit (Hairer and
/// Wanner, Solving ODEs II, IV.2).
class GustafssonController {
 public:
  explicit GustafssonController(int order) : proportional_(0.7 / order), integral_(0.4 / order) {}

  /// Factor for the next step, from this step's error.
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

/// The classical rule (Hairer, Norsett and Wanner, Solving ODEs I, II.4), with facmax 3, as Tuomela, Arponen & Normi have it.
/// It knows nothing of earlier steps.
inline double classical_factor(double error, int order, bool after_rejection) {
  constexpr double most = 3, least = 0.2, safety = 0.9;
  const double by_error = safety * std::pow(std::max(error, 1e-10), -1.0 / order);
  return std::clamp(by_error, least, after_rejection ? 1.0 : most);
}

}  // namespace polhode::stepping
