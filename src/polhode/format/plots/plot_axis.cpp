#include "polhode/format/plots/plot_axis.h"

#include <fmt/format.h>

#include "polhode/format/plots/markup.h"

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

/// As a power of ten where the axis has very small or large numbers.
std::string text_of(double value, bool plain) {
  if (plain) return fmt::format("{:g}", value);
  const int exponent = int(std::floor(std::log10(value) + 1e-9));
  const double mantissa = value / std::pow(10.0, exponent);
  return mantissa < 1.5 ? power_of_ten(exponent) : fmt::format("{:.0f}×{}", mantissa, power_of_ten(exponent));
}

/// Decades between low and high, numbered as many as can be read; twice and five times those where there are few.
void label_log(Axis& axis, int most) {
  constexpr double slack = 1e-9;
  const int first = int(std::ceil(axis.low - slack)), last = int(std::floor(axis.high + slack));
  const bool plain = axis.low > -2 - slack && axis.high < 4 + slack, is_short = last - first < 2;
  const int every = std::max(1, (last - first + most - 1) / std::max(most - 1, 1));
  for (int decade = first - 1; decade <= last; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = decade + std::log10(double(digit));
      if (at < axis.low - slack || at > axis.high + slack) continue;
      const bool is_numbered = digit == 1 ? (last - decade) % every == 0 : is_short && (digit == 2 || digit == 5);
      if (is_numbered) axis.ticks.emplace_back(at, text_of(digit * std::pow(10.0, decade), plain));
      if (!is_numbered && (digit == 1 || last - first <= 8)) axis.minor.push_back(at);
    }
  }
}

/// Over whole decades; what is further down than doubles resolve is at the bottom.
Axis log_axis(const Range& positive, const std::string& name, const std::string& unit) {
  constexpr int most_decades = 20, most_ticks = 7;
  const int high = int(std::ceil(std::log10(positive.high) - 1e-9));
  int low = std::max(int(std::floor(std::log10(positive.low) + 1e-9)), high - most_decades);
  if (low >= high) low = high - 1;
  Axis axis{.low = double(low), .high = double(high), .log = true};
  label_log(axis, most_ticks);
  axis.label = with_unit(name, "", unit);
  return axis;
}

/// From the least to the largest number, as a linear one goes.
Axis log_axis_of_data(const Range& positive, const std::string& name, const std::string& unit) {
  constexpr int most_decades = 20, most_ticks = 9;
  Axis axis{.low = std::log10(positive.low), .high = std::log10(positive.high), .log = true};
  axis.low = std::max(axis.low, axis.high - most_decades);
  if (axis.high - axis.low < 0.3) {  // no two of 1, 2, 5 might be inside
    const double middle = (axis.low + axis.high) / 2;
    axis.low = middle - 0.3, axis.high = middle + 0.3;
  }
  label_log(axis, most_ticks);
  axis.label = with_unit(name, "", unit);
  return axis;
}

void end_at(Axis& axis, double low, double high) {
  const double slack = 1e-9 * (high - low);
  const auto is_outside = [&](double at) { return at < low - slack || at > high + slack; };
  std::erase_if(axis.ticks, [&](const auto& tick) { return is_outside(tick.first); });
  std::erase_if(axis.minor, is_outside);
  axis.low = low, axis.high = high;
}

Range only_positive(const std::vector<double>& values, Range range) {
  for (const double value : values)
    if (drawable(value) > 0) range.add(value);
  return range;
}

}  // namespace

Axis x_axis(const Plot& plot) {
  Range range, positive;
  for (const PlotSeries& s : plot.series) {
    std::for_each(s.x.begin(), s.x.end(), [&](double x) { range.add(x); });
    positive = only_positive(s.x, positive);
  }
  if (plot.log_x && !positive.empty()) return log_axis_of_data(positive, plot.x_name, plot.x_unit);
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
  for (const PlotSeries& s : plot.series) {
    std::for_each(s.y.begin(), s.y.end(), [&](double y) { all.add(y); });
    positive = only_positive(s.y, positive);
  }
  const bool log = plot.log_y && !positive.empty();
  Range& range = log ? positive : all;
  const auto can_be = [&](double y) { return std::isfinite(drawable(y)) && (!log || drawable(y) > 0); };
  for (const PlotMark& mark : plot.marks)
    if (can_be(mark.y)) range.add(mark.y);
  const bool is_low = plot.y_low && can_be(*plot.y_low), is_high = plot.y_high && can_be(*plot.y_high);
  if (is_low) range.low = *plot.y_low;
  if (is_high) range.high = *plot.y_high;
  if (is_low && range.high < range.low) range.high = range.low;  // all the data is outside
  if (is_high && range.high < range.low) range.low = range.high;
  Axis axis = log ? log_axis(range, plot.y_name, plot.y_unit) : linear_axis(range, plot.y_name, plot.y_unit);
  axis.is_cut = is_low;
  const double low = log ? std::log10(range.low) : range.low, high = log ? std::log10(range.high) : range.high;
  if ((is_low || is_high) && low < high) end_at(axis, is_low ? low : axis.low, is_high ? high : axis.high);
  return axis;
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
