#pragma once
#include <array>
#include <string_view>

/// Explicit Runge-Kutta methods as data.
///
/// x1 = x0 + h sum_i b[i] k_i with k_i = f(t0 + c[i] h, x0 + h sum_j a[i][j] k_j), i = 0 ... stages - 1, and one slope more:
/// k_stages = f(t1, x1), which the next step begins with. The error estimate is h sum_i e[i] k_i over all of them; it falls as
/// h^error_order. Where e does not use the last slope, a step can be rejected before it is computed.
namespace polhode::projected {

/// The method of order one. Its error is the difference from the trapezoidal rule, whose second slope the next step needs
/// anyhow: an estimate of the leading term h^2/2 x'' that costs nothing.
struct ExplicitEuler {
  static constexpr int stages = 1, order = 1, error_order = 2;
  static constexpr double a[1][1] = {};
  static constexpr double c[1] = {0};
  static constexpr double b[1] = {1};
  static constexpr double e[2] = {1.0 / 2, -1.0 / 2};
};

/// The explicit trapezoidal rule with explicit Euler inside it as error estimate (Simbody theory manual 10.4).
struct ExplicitTrapezoid {
  static constexpr int stages = 2, order = 2, error_order = 2;
  static constexpr double a[2][1] = {{}, {1}};
  static constexpr double c[2] = {0, 1};
  static constexpr double b[2] = {1.0 / 2, 1.0 / 2};
  static constexpr double e[3] = {-1.0 / 2, 1.0 / 2, 0};
};

/// Bogacki and Shampine, order 3 with an embedded 2 (Appl. Math. Letters 2, 1989).
struct BogackiShampine32 {
  static constexpr int stages = 3, order = 3, error_order = 3;
  static constexpr double a[3][2] = {{}, {1.0 / 2}, {0, 3.0 / 4}};
  static constexpr double c[3] = {0, 1.0 / 2, 3.0 / 4};
  static constexpr double b[3] = {2.0 / 9, 1.0 / 3, 4.0 / 9};
  static constexpr double e[4] = {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8};
};

/// Merson 1957 (Hairer, Norsett and Wanner, Solving ODEs I, II.4): order 4. The error is a fifth of the difference
/// between the result and the last stage's argument; it is of order five for linear equations only, of order four in general.
struct Merson4 {
  static constexpr int stages = 5, order = 4, error_order = 4;
  static constexpr double a[5][4] = {
      {}, {1.0 / 3}, {1.0 / 6, 1.0 / 6}, {1.0 / 8, 0, 3.0 / 8}, {1.0 / 2, 0, -3.0 / 2, 2},
  };
  static constexpr double c[5] = {0, 1.0 / 3, 1.0 / 3, 1.0 / 2, 1};
  static constexpr double b[5] = {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6};
  static constexpr double e[6] = {-1.0 / 15, 0, 3.0 / 10, -4.0 / 15, 1.0 / 30, 0};
};

/// Dormand and Prince, order 5 with an embedded 4 (J. Comp. Appl. Math. 6, 1980).
/// The interpolant of order 4 is Hairer, Norsett and Wanner's (Solving ODEs I, II.6).
struct DormandPrince54 {
  static constexpr int stages = 6, order = 5, error_order = 5;
  static constexpr double a[6][5] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
  };
  static constexpr double c[6] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
  static constexpr double b[6] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  /// b - b_hat: the difference of the two solutions.
  static constexpr double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

  /// Weights b_i(s) of the interpolant at the fraction s of the step.
  static constexpr int interpolant_slopes = 7;
  static constexpr std::array<double, 7> interpolant(double s) {
    constexpr double d[7] = {-12715105075.0 / 11282082432.0,  0,
                             87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                             701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                             69997945.0 / 29380423.0};
    std::array<double, 7> weights{};
    for (int i = 0; i < 7; ++i) {
      const double b1 = i < 6 ? b[i] : 0;
      const double first = i == 0 ? 1 : 0, last = i == 6 ? 1 : 0;
      // x0 + s (dx + (1 - s) ((k1 - dx) + s ((dx - k7) - (k1 - dx) + (1 - s) d))), read off per stage.
      const double r3 = first - b1, r4 = b1 - last - r3;
      weights[std::size_t(i)] = s * (b1 + (1 - s) * (r3 + s * (r4 + (1 - s) * d[i])));
    }
    return weights;
  }
};

}  // namespace polhode::projected
