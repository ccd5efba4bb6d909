#include "polhode/format/plot_axis.h"

#include <fmt/format.h>

#include "polhode/format/markup.h"

namespace polhode::format {
namespace {

std::string with_unit(const std::string& name, const std::string& factor, const std::string& unit) {
  if (factor.empty() && unit.empty()) return name;
  return fmt::format("{} [{}{}{}]", name, factor, factor.empty() || unit.empty() ? "" : " ", unit);
}

/// Ticks in units of a power of a thousand, when the numbers would be long.
void label_linear(Axis& axis, const std::vector<double>& ticks, const std::string& name, const std::string& unit) {
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  int exponent = 0;
  if (largest > 0 && (largest >= 1e5 || largest < 1e-2)) exponent = 3 * int(std::floor(std::log10(largest) / 3));
  const double scale = std::pow(10.0, exponent);
  const double step = ticks.size() > 1 ? (ticks[1] - ticks[0]) / scale : 1;
  const int decimals = std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  for (const double tick : ticks) {
    const double shown = std::abs(tick / scale) < 1e-9 * step ? 0.0 : tick / scale;
    axis.ticks.emplace_back(tick, typographic(fmt::format("{:.{}f}", shown, decimals)));
  }
  axis.label = with_unit(name, exponent == 0 ? "" : power_of_ten(exponent), unit);
}

Axis linear_axis(Range range, const std::string& name, const std::string& unit) {
  if (range.empty()) range.low = 0, range.high = 1;
  const std::vector<double> ticks = round_ticks(range.low, range.high, 7);
  Axis axis{ticks.front(), ticks.back()};
  label_linear(axis, ticks, name, unit);
  return axis;
}

/// Whole decades; what is further down than doubles resolve is at the bottom.
Axis log_axis(const Range& positive, const std::string& name, const std::string& unit) {
  constexpr int most_decades = 20, most_ticks = 7;
  const int high = int(std::ceil(std::log10(positive.high) - 1e-9));
  int low = std::max(int(std::floor(std::log10(positive.low) + 1e-9)), high - most_decades);
  if (low >= high) low = high - 1;
  Axis axis{double(low), double(high), true};
  const int every = (high - low + most_ticks - 2) / (most_ticks - 1);
  for (int decade = high; decade >= low; decade -= every) axis.ticks.emplace_back(decade, power_of_ten(decade));
  axis.label = with_unit(name, "", unit);
  return axis;
}

}  // namespace

Axis x_axis(const Plot& plot) {
  Range range;
  for (const PlotSeries& s : plot.series) std::for_each(s.x.begin(), s.x.end(), [&](double x) { range.add(x); });
  if (range.empty()) range.low = 0, range.high = 1;
  if (!(range.low < range.high)) range.low -= 0.5, range.high += 0.5;
  Axis axis{range.low, range.high};
  std::vector<double> inside;
  const double slack = 1e-9 * (range.high - range.low);
  for (const double tick : round_ticks(range.low, range.high, 9))
    if (tick >= range.low - slack && tick <= range.high + slack) inside.push_back(tick);
  label_linear(axis, inside, plot.x_name, plot.x_unit);
  return axis;
}

Axis y_axis(const Plot& plot) {
  Range all, positive;
  const auto add = [&](double y) {
    all.add(y);
    if (drawable(y) > 0) positive.add(y);
  };
  for (const PlotSeries& s : plot.series) std::for_each(s.y.begin(), s.y.end(), add);
  const Range of_series = positive;
  for (const PlotMark& mark : plot.marks) add(mark.y);
  return plot.log_y && !of_series.empty() ? log_axis(positive, plot.y_name, plot.y_unit)
                                          : linear_axis(all, plot.y_name, plot.y_unit);
}

std::vector<double> round_ticks(double low, double high, int most) {
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return {};
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-12 * size)) {  // as good as constant: no digits are left to tell ticks apart
    const double half = size > 0 ? 0.5 * size : 0.5;
    low -= half, high += half;
  }
  most = std::max(most, 3);
  const double rough = (high - low) / (most - 1);
  double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (;; power *= 10) {
    for (const double step : {power, 2 * power, 5 * power}) {
      const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
      if (last - first + 1 > most) continue;
      std::vector<double> ticks;
      for (double k = first; k <= last; ++k) ticks.push_back(k * step + 0.0);
      return ticks;
    }
  }
}

}  // namespace polhode::format
