#pragma once
#include <array>

/// Runge-Kutta methods as data.
namespace polhode::projected {

/// Dormand and Prince, order 5 with an embedded 4 (J. Comp. Appl. Math. 6, 1980), the last stage being the next step's first.
/// The interpolant of order 4 is Hairer, Norsett and Wanner's (Solving ODEs I, II.6).
struct DormandPrince54 {
  static constexpr int stages = 7;
  static constexpr int order = 5;
  static constexpr double a[7][6] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
  };
  static constexpr double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  /// b - b_hat: the difference of the two solutions.
  static constexpr double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

  /// Weights b_i(s) of the interpolant at the fraction s of the step.
  static constexpr std::array<double, 7> interpolant(double s) {
    constexpr double d[7] = {-12715105075.0 / 11282082432.0,  0,
                             87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                             701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                             69997945.0 / 29380423.0};
    std::array<double, 7> b{};
    for (int i = 0; i < 7; ++i) {
      const double b1 = i < 6 ? a[6][i] : 0;
      const double first = i == 0 ? 1 : 0, last = i == 6 ? 1 : 0;
      // y0 + s (dy + (1 - s) ((k1 - dy) + s ((dy - k7) - (k1 - dy) + (1 - s) d))), read off per stage.
      const double r3 = first - b1, r4 = b1 - last - r3;
      b[i] = s * (b1 + (1 - s) * (r3 + s * (r4 + (1 - s) * d[i])));
    }
    return b;
  }
};

}  // namespace polhode::projected
