#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace polhode::projected {

/// Keeps a multistep method's past good where rates jump, because inputs do.
///
/// A method that lives on its past integrates Y = y - S(t) instead of y, with a function S of time alone that takes the jump:
///   S(t) = S0 + S1 (t - t_S) + S2 (t - t_S)^2 / 2,      Y' = f(t, Y + S) - S'
/// is the same problem for whatever S. At a jump by df, S1 becomes larger by df and S2 by the jump of the second derivative, so
/// Y goes on smoothly. S itself stays continuous.
class PastShift {
 public:
  void resize(std::size_t n) {
    for (auto* numbers : {&value_, &rate_, &curve_}) numbers->assign(n, 0.0);
  }
  void forget() {
    for (auto* numbers : {&value_, &rate_, &curve_}) std::fill(numbers->begin(), numbers->end(), 0.0);
    any_ = false;
  }
  /// The next jump is at t.
  void move_to(double t) {
    const double s = t - t_;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      value_[i] += s * (rate_[i] + 0.5 * s * curve_[i]);
      rate_[i] += s * curve_[i];
    }
    t_ = t;
    any_ = true;
  }
  void add_jump(std::size_t i, double of_rate, double of_second_derivative) {
    rate_[i] += of_rate;
    curve_[i] += of_second_derivative;
  }
  double rate(std::size_t i) const { return rate_[i]; }  ///< S' at t_S

  /// From Y to y, and the other way with sign -1.
  void add(double t, double* y, double sign = 1) const {
    if (!any_) return;
    const double s = t - t_;
    for (std::size_t i = 0; i < value_.size(); ++i) y[i] += sign * (value_[i] + s * (rate_[i] + 0.5 * s * curve_[i]));
  }
  void subtract_rate(double t, double* y_dot) const {
    if (!any_) return;
    const double s = t - t_;
    for (std::size_t i = 0; i < rate_.size(); ++i) y_dot[i] -= rate_[i] + s * curve_[i];
  }
  /// S grows as what inputs have done so far. Where it is much larger than y, digits are lost.
  bool is_large(std::span<const double> q, std::span<const double> v) const {
    constexpr double much = 1e3;
    const auto lost = [&](std::size_t i, double y) { return std::abs(value_[i]) > much * std::max(1.0, std::abs(y)); };
    for (std::size_t i = 0; i < q.size(); ++i)
      if (lost(i, q[i])) return true;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (lost(q.size() + i, v[i])) return true;
    return false;
  }

 private:
  double t_ = 0;
  bool any_ = false;
  std::vector<double> value_, rate_, curve_;
};

}  // namespace polhode::projected
