#include "polhode/mechanism/table_curve.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

/// At a point between two pieces of lengths h0, h1 and slopes d0, d1: their harmonic mean, weighted for unequal lengths, which
/// keeps monotone data monotone (Fritsch & Butland 1984; the conditions are those of Fritsch & Carlson 1980).
double mean_slope(double h0, double d0, double h1, double d1) {
  if (!(d0 * d1 > 0)) return 0;
  const double w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// At the end beside the piece (h0, d0): that of the parabola through three points, as far as it keeps the piece monotone.
double end_slope(double h0, double d0, double h1, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (!(slope * d0 > 0)) return 0;
  if (!(d0 * d1 > 0) && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
  return slope;
}

std::vector<double> monotone_slopes(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t n = h.size();
  std::vector<double> m(n + 1, d[0]);
  if (n == 1) return m;
  m[0] = end_slope(h[0], d[0], h[1], d[1]);
  for (std::size_t i = 1; i < n; ++i) m[i] = mean_slope(h[i - 1], d[i - 1], h[i], d[i]);
  m[n] = end_slope(h[n - 1], d[n - 1], h[n - 2], d[n - 2]);
  return m;
}

}  // namespace

TableCurve::TableCurve(std::vector<double> x, std::vector<double> y, Joining joining) {
  const std::size_t n = x.size() - 1;
  std::vector<double> h(n), d(n);
  for (std::size_t i = 0; i < n; ++i) h[i] = x[i + 1] - x[i], d[i] = (y[i + 1] - y[i]) / h[i];
  const std::vector<double> m = joining == Joining::monotone ? monotone_slopes(h, d) : std::vector<double>{};
  double area = 0;
  pieces_.push_back({x[0], y[0], m.empty() ? d[0] : m[0], 0, 0, 0});
  for (std::size_t i = 0; i < n; ++i) {
    Piece piece{x[i], y[i], d[i], 0, 0, area};
    if (!m.empty())
      piece.c1 = m[i], piece.c2 = (3 * d[i] - 2 * m[i] - m[i + 1]) / h[i],
      piece.c3 = (m[i] + m[i + 1] - 2 * d[i]) / (h[i] * h[i]);
    pieces_.push_back(piece);
    area += h[i] * (piece.y0 + h[i] * (piece.c1 / 2 + h[i] * (piece.c2 / 3 + h[i] * piece.c3 / 4)));
  }
  pieces_.push_back({x[n], y[n], m.empty() ? d[n - 1] : m[n], 0, 0, area});
}

const TableCurve::Piece& TableCurve::at(double x) const {
  // The first piece but one begins where the first ends.
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x, [](double t, const Piece& p) { return t < p.x0; });
  return *(after - 1);
}

double TableCurve::value(double x) const {
  const Piece& p = at(x);
  const double s = x - p.x0;
  return p.y0 + s * (p.c1 + s * (p.c2 + s * p.c3));
}

double TableCurve::slope(double x) const {
  const Piece& p = at(x);
  const double s = x - p.x0;
  return p.c1 + s * (2 * p.c2 + s * 3 * p.c3);
}

double TableCurve::integral(double x) const {
  const Piece& p = at(x);
  const double s = x - p.x0;
  return p.area + s * (p.y0 + s * (p.c1 / 2 + s * (p.c2 / 3 + s * p.c3 / 4)));
}

}  // namespace polhode
