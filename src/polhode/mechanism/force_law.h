#pragma once
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/scalar_function.h"
#include "polhode/mechanism/table_curve.h"
#include "polhode/spatial/dual.h"

namespace polhode {

/// How a spring's force [N] or [N m] grows with its extension [m] or [rad]; positive pulls back towards zero extension.
/// The energy is the exact integral of the force and zero at zero extension.
class ForceLaw {
 public:
  /// k1 x + k2 x^2 + k3 x^3 + ...; with one number the spring is linear.
  static ForceLaw polynomial(std::vector<double> stiffnesses);
  /// How the points of a table are joined.
  enum class Joining {
    monotone,  ///< smooth, and between two points never beyond them: a dead band stays one
    linear,    ///< straight pieces
    natural    ///< the natural cubic spline: the smoothest, which may swing beyond the points
  };
  /// Through the points, straight beyond them. Extensions increase; there are at least two.
  static ForceLaw table(std::vector<double> extensions, std::vector<double> forces, Joining joining = Joining::monotone);

  double force(double x) const;
  double stiffness(double x) const;  ///< d(force)/dx
  double energy(double x) const;
  Dual<double> force(const Dual<double>& x) const { return {force(x.value), stiffness(x.value) * x.slope}; }
  Dual<double> energy(const Dual<double>& x) const { return {energy(x.value), force(x.value) * x.slope}; }

  /// What is wrong with the numbers, in words; empty when they are good. A law that is not must not be evaluated.
  std::string problem() const;

  // As it was made.
  struct Powers {
    std::vector<double> stiffnesses;
  };
  struct Table {
    std::vector<double> extensions, forces;
    Joining joining;
    std::variant<std::monostate, CubicSpline, TableCurve> curve{};  ///< there is one if the numbers are good
  };
  const std::variant<Powers, Table>& form() const { return form_; }

 private:
  explicit ForceLaw(std::variant<Powers, Table> form) : form_(std::move(form)) {}
  std::variant<Powers, Table> form_;
};

}  // namespace polhode
