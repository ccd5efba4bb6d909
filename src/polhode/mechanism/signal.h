#pragma once
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "polhode/mechanism/scalar_function.h"

namespace polhode {

/// A given function of time: what a kinematic coordinate follows, and what drives a force. Immutable and cheap to copy.
/// It has a value at every time, with the exact first two derivatives where they exist.
///
///   Signal::sine(0.1, 2 * pi)                       0.1 sin(2 pi t)
///   Signal::samples({0, 1, 3}, {0, 0.5, 0.2})       a cubic spline through the points
///   Signal::of([](auto t) { return t * t * t; })    a function of yours, differentiated by dual numbers
class Signal {
 public:
  /// The value and its first two derivatives with respect to time.
  struct Sample {
    double value = 0, rate = 0, acceleration = 0;
  };

  /// How sampled data are joined. Before the first and after the last point a signal keeps that point's value, and stands
  /// still: unless the curve ends at rest, its rate jumps there.
  enum class Joining {
    natural,  ///< cubic spline whose curvature vanishes at both ends; twice continuously differentiable between them
    clamped,  ///< cubic spline with given rates at both ends (0 and 0: it starts and stops smoothly)
    linear,   ///< straight pieces; the rate jumps at the points, and is that of the piece to the right
    hold      ///< each value stays until the next point, where it jumps
  };

  // How a signal was made, for whoever writes it down.
  struct Samples {
    std::vector<double> times, values;
    Joining joining;
    double first_rate, last_rate;         ///< of a clamped spline
    std::optional<CubicSpline> spline{};  ///< of natural and clamped ones
  };
  struct Wave {
    Sinusoid sinusoid;
    double offset;
  };
  struct Sum {
    std::vector<Signal> terms;
  };
  struct Product {
    std::vector<Signal> factors;
  };
  using Function = std::function<Sample(double)>;
  using Form = std::variant<Polynomial, Wave, Samples, Sum, Product, Function>;

  Signal() : Signal(constant(0)) {}

  // Each of these throws std::invalid_argument when numbers are not finite or do not fit together.
  static Signal constant(double value) { return polynomial({value}); }
  /// c0 + c1 t + c2 t^2 + ...; {a, b} is a ramp.
  static Signal polynomial(std::vector<double> coefficients);
  /// offset + amplitude sin(frequency t + phase), frequency in rad/s.
  static Signal sine(double amplitude, double frequency, double phase = 0, double offset = 0);
  /// Times in s, increasing; as many values, at least one.
  static Signal samples(std::vector<double> times, std::vector<double> values, Joining joining = Joining::natural,
                        double first_rate = 0, double last_rate = 0);
  static Signal sum(std::vector<Signal> terms);
  static Signal product(std::vector<Signal> factors);
  /// A function that gives value, rate and acceleration itself. It must be safe to call from several threads.
  static Signal function(Function f);
  /// A function template, or a lambda of `auto`, that computes with dual numbers: derivatives follow by arithmetic.
  template <class F>
  requires std::convertible_to<std::invoke_result_t<const F&, Dual<Dual<double>>>, Dual<Dual<double>>>
  static Signal of(F f) {
    return function([f = std::move(f)](double t) {
      const Dual<Dual<double>> y = f(Dual<Dual<double>>{{t, 1}, {1, 0}});
      return Sample{y.value.value, y.value.slope, y.slope.slope};
    });
  }

  /// Does not allocate (a user's function aside).
  Sample at(double t) const;
  double value(double t) const { return at(t).value; }
  /// Never changes.
  bool is_constant() const;
  /// Whether the value itself jumps somewhere, as held values do. Jumps of a user's function are not known.
  bool jumps() const;
  /// Adds the times at which the value, the rate or the acceleration may jump: where data begin and end, and all points of
  /// straight pieces. Jumps of a user's function are not known.
  void add_breaks(std::vector<double>& times) const;

  const Form& form() const { return *form_; }

 private:
  explicit Signal(Form form) : form_(std::make_shared<const Form>(std::move(form))) {}
  std::shared_ptr<const Form> form_;
};

}  // namespace polhode
