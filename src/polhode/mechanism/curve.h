#pragma once
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "polhode/mechanism/scalar_function.h"

namespace polhode {

/// A smooth function of one coordinate, with its exact first two derivatives: what a cam does. Immutable and cheap to copy.
///
///   Curve::polynomial({0, 2, 0.1})                  2 x + 0.1 x^2
///   Curve::table(angles, lifts, Curve::Ends::closed)  a cam's table, over and over
///   Curve::of([](auto x) { return x * x * x; })     a function of yours, differentiated by dual numbers
class Curve {
 public:
  struct Sample {
    double value = 0, slope = 0, curvature = 0;
  };
  /// What a table's cubic spline does at its ends.
  enum class Ends {
    straight,  ///< goes on straight: its curvature vanishes there, so it stays twice continuously differentiable
    closed     ///< begins again: the table is one period, and its last value is its first
  };

  // How it was made, for whoever writes it down.
  struct Wave {
    Sinusoid sinusoid;
    double offset;
  };
  struct Table {
    std::vector<double> x, y;
    Ends ends;
    std::vector<double> second{};  ///< derivatives at the points, where the numbers are good
  };
  struct Sum {
    std::vector<Curve> terms;
  };
  using Function = std::function<Sample(double)>;
  using Form = std::variant<Polynomial, Wave, Table, Sum, Function>;

  /// Zero.
  Curve() : Curve(Polynomial({0})) {}
  static Curve polynomial(std::vector<double> coefficients) { return Curve(Polynomial(std::move(coefficients))); }
  /// offset + amplitude sin(frequency x + phase).
  static Curve sine(double amplitude, double frequency, double phase = 0, double offset = 0) {
    return Curve(Wave{Sinusoid(amplitude, frequency, phase), offset});
  }
  /// The cubic spline through the points.
  static Curve table(std::vector<double> x, std::vector<double> y, Ends ends = Ends::straight);
  static Curve sum(std::vector<Curve> terms) { return Curve(Sum{std::move(terms)}); }
  /// A function that gives value, slope and curvature itself. It must be safe to call from several threads.
  static Curve function(Function f) { return Curve(std::move(f)); }
  static Curve function(std::shared_ptr<const FunctionOfOne> f);
  /// A function template, or a lambda of `auto`, that computes with dual numbers.
  template <class F>
  requires std::convertible_to<std::invoke_result_t<const F&, Dual<Dual<double>>>, Dual<Dual<double>>>
  static Curve of(F f) {
    return function([f = std::move(f)](double x) {
      const Dual<Dual<double>> y = f(Dual<Dual<double>>{{x, 1}, {1, 0}});
      return Sample{y.value.value, y.value.slope, y.slope.slope};
    });
  }

  /// What is wrong with the numbers, in words; empty when they are good. A curve that is not must not be evaluated.
  std::string problem() const;
  /// Does not allocate (a user's function aside).
  Sample at(double x) const;
  const Form& form() const { return *form_; }

 private:
  explicit Curve(Form form) : form_(std::make_shared<const Form>(std::move(form))) {}
  std::shared_ptr<const Form> form_;
};

}  // namespace polhode
