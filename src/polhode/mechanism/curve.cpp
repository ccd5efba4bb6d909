#include "polhode/mechanism/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

/// Solves a tridiagonal system, l_i x_{i-1} + d_i x_i + u_i x_{i+1} = b_i, that is diagonally dominant. Leaves x in b.
void solve_tridiagonal(const std::vector<double>& l, std::vector<double> d, const std::vector<double>& u,
                       std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = l[i] / d[i - 1];
    d[i] -= factor * u[i - 1];
    b[i] -= factor * b[i - 1];
  }
  b[n - 1] /= d[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) b[i] = (b[i] - u[i] * b[i + 1]) / d[i];
}

/// Second derivatives m of the closed spline at its points: as in a natural one, h_l m_{i-1} + 2 (h_l + h_r) m_i + h_r m_{i+1}
/// = 6 (d_r - d_l), with the last point being the first. The two corners of that cyclic matrix are a change of rank one
/// (Sherman & Morrison).
std::vector<double> closed_second_derivatives(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size() - 1;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  std::vector<double> l(n), d(n), u(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? n - 1 : i - 1;
    l[i] = h(before), u[i] = h(i), d[i] = 2 * (h(before) + h(i));
    b[i] = 6 * (chord(i) - chord(before));
  }
  if (n == 2) {  // each point has the other one on both sides
    const double off = l[0] + u[0], det = d[0] * d[1] - off * off;
    return {(d[1] * b[0] - off * b[1]) / det, (d[0] * b[1] - off * b[0]) / det, (d[1] * b[0] - off * b[1]) / det};
  }
  const double corner = l[0], gamma = -d[0];  // the corners are equal: h of the last piece
  std::vector<double> w(n, 0.0);
  w[0] = gamma, w[n - 1] = corner;
  d[0] -= gamma, d[n - 1] -= corner * corner / gamma;
  solve_tridiagonal(l, d, u, b);
  solve_tridiagonal(l, d, u, w);
  const double factor = (b[0] + b[n - 1] * corner / gamma) / (1 + w[0] + w[n - 1] * corner / gamma);
  for (std::size_t i = 0; i < n; ++i) b[i] -= factor * w[i];
  b.push_back(b[0]);
  return b;
}

Curve::Sample of_spline(const Curve::Table& table, double x) {
  const auto& [knots, y, ends, second] = table;
  const double first = knots.front(), last = knots.back();
  double beyond = 0;
  if (ends == Curve::Ends::closed) {
    x -= (last - first) * std::floor((x - first) / (last - first));
    x = std::clamp(x, first, last);  // rounding
  } else {
    beyond = x < first ? x - first : std::max(x - last, 0.0);
    x -= beyond;
  }
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
  const std::size_t i = std::size_t(after - knots.begin()) - 1;
  const double h = knots[i + 1] - knots[i], s = (x - knots[i]) / h, r = 1 - s, a = second[i], b = second[i + 1];
  Curve::Sample at{r * y[i] + s * y[i + 1] + h * h / 6 * ((r * r * r - r) * a + (s * s * s - s) * b),
                   (y[i + 1] - y[i]) / h + h / 6 * ((1 - 3 * r * r) * a + (3 * s * s - 1) * b), r * a + s * b};
  if (beyond != 0) at = {at.value + beyond * at.slope, at.slope, 0};
  return at;
}

std::string problem_with(const Polynomial& p) {
  if (p.coefficients().empty()) return "it has no coefficient; give at least one number";
  for (const double c : p.coefficients())
    if (!std::isfinite(c)) return fmt::format("coefficient {} is not a finite number", c);
  return {};
}
std::string problem_with(const Curve::Wave& wave) {
  for (const double x : {wave.sinusoid.amplitude(), wave.sinusoid.frequency(), wave.sinusoid.phase(), wave.offset})
    if (!std::isfinite(x)) return fmt::format("{} in its sine is not a finite number", x);
  return {};
}
std::string problem_with(const Curve::Table& table) {
  const auto& [x, y, ends, second] = table;
  if (x.size() != y.size())
    return fmt::format("its table has {} places and {} values; give as many of each", x.size(), y.size());
  const std::size_t least = ends == Curve::Ends::closed ? 3 : 2;
  if (x.size() < least) return fmt::format("its table has {} points; give at least {}", x.size(), least);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return fmt::format("point {} of its table is not finite", i + 1);
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i - 1] < x[i])) return fmt::format("places must increase, but {:.9g} follows {:.9g}", x[i], x[i - 1]);
  if (ends == Curve::Ends::closed && y.front() != y.back())
    return fmt::format(
        "its closed table begins with {:.9g} and ends with {:.9g}; the last point is the first one again, so give "
        "it the same value",
        y.front(), y.back());
  return {};
}
std::string problem_with(const Curve::Sum& sum) {
  if (sum.terms.empty()) return "its sum has no terms; give at least one";
  for (const Curve& term : sum.terms)
    if (std::string wrong = term.problem(); !wrong.empty()) return wrong;
  return {};
}
std::string problem_with(const Curve::Function& f) { return f ? "" : "its function is empty"; }

}  // namespace

Curve Curve::table(std::vector<double> x, std::vector<double> y, Ends ends) {
  Table table{std::move(x), std::move(y), ends};
  if (problem_with(table).empty()) {
    if (ends == Ends::closed) {
      table.second = closed_second_derivatives(table.x, table.y);
    } else {
      const CubicSpline spline(table.x, table.y);
      for (const double knot : table.x) table.second.push_back(spline.derivative_of_order(2, knot));
    }
  }
  return Curve(std::move(table));
}

Curve Curve::function(std::shared_ptr<const FunctionOfOne> f) {
  if (!f) return Curve(Function());
  return function([f = std::move(f)](double x) {
    return Sample{f->derivative_of_order(0, x), f->derivative_of_order(1, x), f->derivative_of_order(2, x)};
  });
}

std::string Curve::problem() const {
  return std::visit([](const auto& form) { return problem_with(form); }, *form_);
}

Curve::Sample Curve::at(double x) const {
  const auto of = [x](const FunctionOfOne& f) {
    return Sample{f.derivative_of_order(0, x), f.derivative_of_order(1, x), f.derivative_of_order(2, x)};
  };
  if (const auto* polynomial = std::get_if<Polynomial>(form_.get())) return of(*polynomial);
  if (const auto* table = std::get_if<Table>(form_.get())) return of_spline(*table, x);
  if (const auto* f = std::get_if<Function>(form_.get())) return (*f)(x);
  if (const auto* wave = std::get_if<Wave>(form_.get())) {
    Sample at = of(wave->sinusoid);
    at.value += wave->offset;
    return at;
  }
  Sample total;
  for (const Curve& term : std::get<Sum>(*form_).terms) {
    const Sample one = term.at(x);
    total.value += one.value, total.slope += one.slope, total.curvature += one.curvature;
  }
  return total;
}

}  // namespace polhode
