#pragma once
#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "polhode/spatial/dual.h"

namespace polhode {

/// What a driven speed follows instead of a signal: a law of time and of other coordinates, u = v(t, x) at level velocity or
/// du/dt = a(t, x, dx/dt) at level acceleration (Simbody theory manual 8.3 and 10.3: u_p(t, q), du_p/dt (t, q, u)).
///
///   MotionLaw::velocity({"arm"}, [](auto t, const auto* x) { return 2.0 + 0.5 * x[0] * t; })
///
/// x are the named coordinates, whose rates must be speeds, in this order. A law must be safe to call from several threads.
class MotionLaw {
 public:
  static constexpr int most_coordinates = 16;
  struct Value {
    double value = 0;  ///< the speed, or its rate
    double rate = 0;   ///< at level velocity: the derivative of the value along the motion
  };
  using Function = std::function<Value(double t, const double* x, const double* x_dot)>;

  /// A function template, or a lambda of `auto`, of a number t and a pointer to numbers x: differentiated along the motion by
  /// dual numbers.
  template <class F>
  requires std::convertible_to < std::invoke_result_t < const F&, Dual<double>,
  const Dual<double>* >, Dual < double >> static MotionLaw velocity(std::vector<std::string> coordinates, F f) {
    const int n = int(coordinates.size());
    return {std::move(coordinates), [f = std::move(f), n](double t, const double* x, const double* x_dot) {
              Dual<double> seeded[most_coordinates];
              for (int i = 0; i < n && i < most_coordinates; ++i) seeded[i] = {x[i], x_dot[i]};
              const Dual<double> y = f(Dual<double>{t, 1}, static_cast<const Dual<double>*>(seeded));
              return Value{y.value, y.slope};
            }};
  }
  /// With x' the coordinates' rates.
  static MotionLaw acceleration(std::vector<std::string> coordinates,
                                std::function<double(double t, const double* x, const double* x_dot)> f) {
    return {std::move(coordinates), [f = std::move(f)](double t, const double* x, const double* x_dot) {
              return Value{f(t, x, x_dot), 0};
            }};
  }

  MotionLaw(std::vector<std::string> names, Function f) : coordinates(std::move(names)), function(std::move(f)) {}

  std::vector<std::string> coordinates;
  Function function;
};

}  // namespace polhode
