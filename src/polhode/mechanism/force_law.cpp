#include "polhode/mechanism/force_law.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

/// sum of k_i x^i factor(i), with i from 1; Horner's rule.
template <class Factor>
double power_sum(const std::vector<double>& k, double x, Factor factor) {
  double y = 0;
  for (int i = int(k.size()); i >= 1; --i) y = y * x + k[std::size_t(i) - 1] * factor(i);
  return y;
}

}  // namespace

ForceLaw ForceLaw::polynomial(std::vector<double> stiffnesses) { return ForceLaw(Powers{std::move(stiffnesses)}); }

ForceLaw ForceLaw::table(std::vector<double> extensions, std::vector<double> forces, Joining joining) {
  ForceLaw law(Table{std::move(extensions), std::move(forces), joining});
  auto& table = std::get<Table>(law.form_);
  try {
    table.curve.emplace<CubicSpline>(table.extensions, table.forces);  // which checks the numbers, whoever joins them
  } catch (const std::invalid_argument&) {                             // told by problem()
    return law;
  }
  if (joining != Joining::natural)
    table.curve.emplace<TableCurve>(table.extensions, table.forces,
                                    joining == Joining::linear ? TableCurve::Joining::linear : TableCurve::Joining::monotone);
  return law;
}

std::string ForceLaw::problem() const {
  if (const auto* powers = std::get_if<Powers>(&form_)) {
    if (powers->stiffnesses.empty()) return "it has no stiffness; give at least one number";
    for (const double k : powers->stiffnesses)
      if (!std::isfinite(k)) return fmt::format("stiffness {} is not a finite number", k);
    return {};
  }
  const auto& table = std::get<Table>(form_);
  if (!std::holds_alternative<std::monostate>(table.curve)) return {};
  try {
    CubicSpline(table.extensions, table.forces);
  } catch (const std::invalid_argument& error) {
    return fmt::format("its table of extensions x and forces y cannot be used ({})", error.what());
  }
  return {};
}

double ForceLaw::force(double x) const {
  if (const auto* powers = std::get_if<Powers>(&form_)) return x * power_sum(powers->stiffnesses, x, [](int) { return 1.0; });
  const auto& curve = std::get<Table>(form_).curve;
  if (const auto* spline = std::get_if<CubicSpline>(&curve)) return spline->derivative_of_order(0, x);
  return std::get<TableCurve>(curve).value(x);
}

double ForceLaw::stiffness(double x) const {
  if (const auto* powers = std::get_if<Powers>(&form_))
    return power_sum(powers->stiffnesses, x, [](int i) { return double(i); });
  const auto& curve = std::get<Table>(form_).curve;
  if (const auto* spline = std::get_if<CubicSpline>(&curve)) return spline->derivative_of_order(1, x);
  return std::get<TableCurve>(curve).slope(x);
}

double ForceLaw::energy(double x) const {
  if (const auto* powers = std::get_if<Powers>(&form_))
    return x * x * power_sum(powers->stiffnesses, x, [](int i) { return 1.0 / (i + 1); });
  const auto& curve = std::get<Table>(form_).curve;
  if (const auto* spline = std::get_if<CubicSpline>(&curve)) return spline->integral(x) - spline->integral(0);
  const auto& pieces = std::get<TableCurve>(curve);
  return pieces.integral(x) - pieces.integral(0);
}

}  // namespace polhode
