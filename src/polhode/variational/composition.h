#pragma once
#include <array>
#include <span>
#include <stdexcept>

namespace polhode::variational {

/// Steps of a symmetric method of order two, one after another with these fractions of a step, make a symmetric method of
/// higher order (Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.2). Some go backwards in time.
///   order 4: Suzuki's five;  order 6: Kahan and Li's nine.
inline std::span<const double> composition(int order) {
  static constexpr std::array<double, 1> second{1};
  static constexpr double a = 0.41449077179437573714;  // 1 / (4 - 4^(1/3))
  static constexpr std::array<double, 5> fourth{a, a, 1 - 4 * a, a, a};
  static constexpr double c1 = 0.39216144400731413928, c2 = 0.33259913678935943860, c3 = -0.70624617255763935981,
                          c4 = 0.082213596293550800230;
  static constexpr std::array<double, 9> sixth{c1, c2, c3, c4, 1 - 2 * (c1 + c2 + c3 + c4), c4, c3, c2, c1};
  switch (order) {
    case 2: return second;
    case 4: return fourth;
    case 6: return sixth;
    default: throw std::invalid_argument("orders are 2, 4 and 6");
  }
}

}  // namespace polhode::variational
