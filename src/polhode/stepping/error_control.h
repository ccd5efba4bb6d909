#pragma once
#include <cmath>
#include <limits>

#include "polhode/stepping/step_clock.h"
#include "polhode/stepping/step_pace.h"

namespace polhode::stepping {

/// What is thought of an attempt at a step.
struct Verdict {
  enum class Kind { accept, reject, fail };
  Kind kind = Kind::fail;
  double factor = 1;    ///< how many times as long the next attempt, or after an accepted one the next step, is to be
  double at_least = 0;  ///< how long the next step is to be at least [s]
};

/// Steps of sizes that their errors choose: the loop of attempts and what it remembers. How sizes follow from errors is the
/// business of a controller (step_controllers.h).
class ErrorControl {
 public:
  enum class Outcome { accepted, failed, too_small };
  struct Found {
    Outcome outcome;
    NextStep step;
    double t_end(double t0, double t_limit) const { return step.last ? t_limit : t0 + step.h; }
  };

  /// The size to try first.
  void start(double h) { next_step_ = h; }
  void forget_pace() { pace_ = {}; }

  /// Attempts from t0 until one is accepted, fails, or would be too small. judge(h, rejections) makes one of size h and gives
  /// its verdict.
  template <class Judge>
  Found find(double t0, double t_limit, double largest, long& rejected, const Judge& judge) {
    double h = std::min(next_step_, largest);
    for (int rejections = 0;; ++rejections, ++rejected) {
      const NextStep step = toward(t_limit, t0, h);
      if (is_too_small(step, t0)) return {Outcome::too_small, step};
      const Verdict verdict = judge(step.h, rejections);
      if (verdict.kind == Verdict::Kind::fail) return {Outcome::failed, step};
      h = step.h * verdict.factor;
      if (verdict.kind == Verdict::Kind::reject) continue;
      // A step cut short by the limit says nothing about a longer one.
      next_step_ = std::max(step.last ? std::max(next_step_, h) : h, verdict.at_least);
      if (!step.last) pace_.add(step.h);
      return {Outcome::accepted, step};
    }
  }

 private:
  bool is_too_small(NextStep step, double t0) const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return (step.h <= 16 * eps * std::max(1.0, std::abs(t0)) && !step.last) || pace_.is_stuck();
  }

  StepPace pace_;
  double next_step_ = 0;
};

}  // namespace polhode::stepping
