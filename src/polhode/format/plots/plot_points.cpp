#include "polhode/format/plots/plot_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::format {
namespace {

std::size_t size(const PlotSeries& series) { return std::min(series.x.size(), series.y.size()); }

void keep(PlotSeries& result, double x, double y) { result.x.push_back(x), result.y.push_back(y); }

/// Where each of so many stretches of x begins, and the end; of as many points each where x does not increase.
std::vector<std::size_t> stretches(const PlotSeries& series, std::size_t count) {
  const std::size_t n = size(series);
  const auto first = series.x.begin(), last = first + std::ptrdiff_t(n);
  const double low = series.x[0], width = series.x[n - 1] - low;
  const bool increases = std::isfinite(width) && width > 0 && std::is_sorted(first, last);
  std::vector<std::size_t> begins{0};
  for (std::size_t b = 1; b < count; ++b) {
    const double at = low + width * double(b) / double(count);
    begins.push_back(increases ? std::size_t(std::lower_bound(first, last, at) - first) : b * n / count);
  }
  begins.push_back(n);
  return begins;
}

/// The first, least, greatest and last of some points, in order.
std::vector<std::size_t> outline(const PlotSeries& series, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> kept{begin, end - 1};
  std::size_t least = end, greatest = end;
  for (std::size_t k = begin; k < end; ++k) {
    if (!std::isfinite(series.y[k])) continue;
    if (least == end || series.y[k] < series.y[least]) least = k;
    if (greatest == end || series.y[k] > series.y[greatest]) greatest = k;
  }
  if (least < end) kept.push_back(least), kept.push_back(greatest);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

PlotSeries without_points(const PlotSeries& series) {
  return {.name = series.name, .x = {}, .y = {}, .style = series.style, .markers = series.markers, .bold = series.bold};
}

PlotSeries spread(const PlotSeries& series, int most) {
  const std::size_t n = size(series), step = n / std::size_t(most) + 1;
  PlotSeries result = without_points(series);
  for (std::size_t k = 0; k < n; k += step) keep(result, series.x[k], series.y[k]);
  if (n > 0 && (n - 1) % step != 0) keep(result, series.x[n - 1], series.y[n - 1]);
  return result;
}

PlotSeries thinned(const PlotSeries& series, int most) {
  if (size(series) <= std::size_t(most)) return series;
  PlotSeries result = without_points(series);
  const std::vector<std::size_t> begins = stretches(series, std::size_t(std::max(most / 4, 1)));
  for (std::size_t b = 0; b + 1 < begins.size(); ++b) {
    if (begins[b] == begins[b + 1]) continue;
    for (const std::size_t k : outline(series, begins[b], begins[b + 1])) keep(result, series.x[k], series.y[k]);
  }
  return result;
}

PlotSeries cut(const PlotSeries& series, double low, double high) {
  PlotSeries result = without_points(series);
  const auto side = [&](std::size_t k) { return series.y[k] < low ? -1 : series.y[k] > high ? 1 : 0; };
  const auto crossing = [&](std::size_t k, double y) {  // between k - 1 and k
    const double part = (y - series.y[k - 1]) / (series.y[k] - series.y[k - 1]);
    keep(result, series.x[k - 1] + part * (series.x[k] - series.x[k - 1]), y);
  };
  for (std::size_t k = 0; k < size(series); ++k) {
    const bool is_joined = k > 0 && std::isfinite(series.y[k - 1]) && std::isfinite(series.y[k]);
    const int before = is_joined ? side(k - 1) : 0, now = side(k);
    if (before != now && before != 0) crossing(k, before < 0 ? low : high);
    if (before != now && now != 0 && is_joined) crossing(k, now < 0 ? low : high);
    if (now == 0) keep(result, series.x[k], series.y[k]);
    if (now != 0) keep(result, series.x[k], std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

}  // namespace polhode::format
