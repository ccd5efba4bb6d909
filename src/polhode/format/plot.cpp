#include "polhode/format/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/format/markup.h"

namespace polhode::format {
namespace {

constexpr int styles = 8;
constexpr double width = 480, height = 300, left = 70, right = 12, bottom = 44;
constexpr double line = 17;  ///< of text
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

/// An axis from low to high, with numbers at some places.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<std::pair<double, std::string>> ticks{};  ///< in the axis' own measure: logarithms where it is logarithmic
  std::string label{};

  double measure(double value) const { return !log ? value : value > 0 ? std::max(std::log10(value), low) : nothing; }
  double place(double measured) const { return (measured - low) / (high - low); }
};

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

Axis time_axis(Range range, const std::string& name, const std::string& unit) {
  if (range.empty()) range.low = 0, range.high = 1;
  if (!(range.low < range.high)) range.low -= 0.5, range.high += 0.5;
  Axis axis{range.low, range.high};
  std::vector<double> inside;
  const double slack = 1e-9 * (range.high - range.low);
  for (const double tick : round_ticks(range.low, range.high, 9))
    if (tick >= range.low - slack && tick <= range.high + slack) inside.push_back(tick);
  label_linear(axis, inside, name, unit);
  return axis;
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

Axis y_axis(const Plot& plot) {
  Range all, positive;
  const auto add = [&](double y) {
    all.add(y);
    if (y > 0) positive.add(y);
  };
  for (const PlotSeries& s : plot.series) std::for_each(s.y.begin(), s.y.end(), add);
  const Range of_series = positive;
  for (const PlotMark& mark : plot.marks) add(mark.y);
  return plot.log_y && !of_series.empty() ? log_axis(positive, plot.y_name, plot.y_unit)
                                          : linear_axis(all, plot.y_name, plot.y_unit);
}

/// Draws one plot. Every coordinate on the page is rounded to a tenth.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), y_(y_axis(plot)) {
    Range times;
    for (const PlotSeries& s : plot.series) std::for_each(s.x.begin(), s.x.end(), [&](double t) { times.add(t); });
    x_ = time_axis(times, plot.x_name, plot.x_unit);
  }

  std::string svg(const std::string& style) {
    const std::string legend_items = legend();  // first: it says how much room is left
    std::string result = fmt::format(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        width, height, for_markup(plot_.title));
    result += style;
    result += fmt::format("<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", left, for_markup(plot_.title));
    result += legend_items + axes();
    for (const PlotMark& mark : plot_.marks) result += mark_line(mark);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) result += curve(i);
    return result + "</svg>\n";
  }

 private:
  double px(double measured) const { return left + x_.place(measured) * (width - left - right); }
  double py(double measured) const { return height - bottom - y_.place(measured) * (height - bottom - top_); }
  int style_of(std::size_t i) const { return plot_.series[i].style >= 0 ? plot_.series[i].style : int(i); }

  /// In as many lines as it takes; widths are estimates, as the reader's font is not known.
  std::string legend() {
    std::string result;
    double x = left, y = 32;
    const auto item = [&](const std::string& name, const std::string& sample_class) {
      const double needed =
          30 + 6.6 * double(std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xC0) != 0x80; }));
      if (x > left && x + needed > width - right) x = left, y += line;
      result += fmt::format(
          "<path class=\"{}\" d=\"M{:.1f} {:.1f}h20\"/><text class=\"legend\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          sample_class, x, y - 4, x + 25, y, for_markup(name));
      x += needed + 8;
    };
    const bool several = plot_.series.size() > 1 || !plot_.marks.empty();
    for (std::size_t i = 0; i < plot_.series.size() && several; ++i) item(plot_.series[i].name, stroke_class(style_of(i)));
    for (const PlotMark& mark : plot_.marks) item(mark.name, "mark");
    top_ = several ? y + 12 : 28;
    return result;
  }

  std::string axes() const {
    std::string result = "<g class=\"grid\">";
    for (const auto& [at, text] : y_.ticks)
      result += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, py(at), width - right);
    for (const auto& [at, text] : x_.ticks) result += fmt::format("<path d=\"M{:.1f} {:.1f}v4\"/>", px(at), height - bottom);
    result += "</g>\n<g class=\"ticks\">";
    for (const auto& [at, text] : y_.ticks)
      result += fmt::format("<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left - 6, py(at) + 4, text);
    for (const auto& [at, text] : x_.ticks)
      result += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", px(at), height - bottom + 17, text);
    result += fmt::format("</g>\n<text class=\"name middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", (left + width - right) / 2,
                          height - 8, for_markup(x_.label));
    const double middle = (top_ + height - bottom) / 2;
    result += fmt::format("<text class=\"name middle\" transform=\"translate(12 {:.1f}) rotate(-90)\">{}</text>\n", middle,
                          for_markup(y_.label));
    return result;
  }

  std::string mark_line(const PlotMark& mark) const {
    const double at = y_.measure(mark.y);
    if (!std::isfinite(at)) return {};
    return fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, py(at), width - right);
  }

  std::string curve(std::size_t i) const {
    PlotSeries measured = plot_.series[i];
    for (double& y : measured.y) y = y_.measure(y);
    const PlotSeries kept = thinned(measured, 700);
    std::string path, alone;
    int points = 0;
    for (std::size_t k = 0; k <= kept.x.size(); ++k) {
      const bool is_there = k < kept.x.size() && std::isfinite(kept.x[k]) && std::isfinite(kept.y[k]);
      if (is_there) path += fmt::format("{}{:.1f} {:.1f}", points++ == 0 ? "M" : " ", px(kept.x[k]), py(kept.y[k]));
      if (is_there) continue;
      if (points == 1) path += "h0.1";  // a point between gaps is seen too
      points = 0;
    }
    if (path.empty()) return {};
    return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", stroke_class(style_of(i)), path);
  }

  const Plot& plot_;
  Axis x_, y_;
  double top_ = 28;
};

}  // namespace

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

PlotSeries thinned(const PlotSeries& series, int most) {
  const std::size_t n = std::min(series.x.size(), series.y.size());
  if (n <= std::size_t(most)) return series;
  PlotSeries result{series.name, {}, {}, series.style};
  const std::size_t buckets = std::size_t(std::max(most / 4, 1));
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * n / buckets, end = (b + 1) * n / buckets;
    std::vector<std::size_t> kept{begin, end - 1};
    std::size_t least = n, greatest = n;
    for (std::size_t k = begin; k < end; ++k) {
      if (!std::isfinite(series.y[k])) continue;
      if (least == n || series.y[k] < series.y[least]) least = k;
      if (greatest == n || series.y[k] > series.y[greatest]) greatest = k;
    }
    if (least < n) kept.push_back(least), kept.push_back(greatest);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (const std::size_t k : kept) result.x.push_back(series.x[k]), result.y.push_back(series.y[k]);
  }
  return result;
}

std::string stroke_class(int style) { return fmt::format("series s{}", ((style % styles) + styles) % styles); }

std::string plot_css() {
  static const char* const light[] = {"#0072b2", "#d55e00", "#008f68", "#b5528f", "#4a4a4a", "#b58900", "#3a9bdc", "#7a4a00"};
  static const char* const dark[] = {"#56b4e9", "#ff8a3d", "#2fc79a", "#e39ac4", "#c8c8c8", "#f0d000", "#8ab4ff", "#d8a05a"};
  static const char* const dashes[] = {"none", "7 3", "2 3", "9 3 2 3", "none", "7 3", "2 3", "9 3 2 3"};
  const auto variables = [](const char* const* colours, const char* ink, const char* faint, const char* paper) {
    std::string result = fmt::format("--plot-ink:{};--plot-faint:{};--plot-paper:{};", ink, faint, paper);
    for (int i = 0; i < styles; ++i) result += fmt::format("--series-{}:{};", i, colours[i]);
    return result;
  };
  std::string css =
      fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                  variables(light, "#24292f", "#d0d7de", "#fff"), variables(dark, "#e6edf3", "#3d444d", "#161b22"));
  css +=
      ".plot text{font:12px system-ui,sans-serif;fill:var(--plot-ink)}\n"
      ".plot .title{font-weight:600;font-size:14px}\n"
      ".plot .end{text-anchor:end}\n.plot .middle{text-anchor:middle}\n"
      ".plot .grid path{stroke:var(--plot-faint);fill:none}\n"
      ".plot .series{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
      ".plot .mark{fill:none;stroke:var(--plot-ink);stroke-dasharray:1 4;stroke-linecap:round}\n"
      ".plot .path{stroke-width:1;opacity:.75}\n"
      ".plot .spoke{fill:none;stroke:var(--plot-ink);stroke-width:2.5;stroke-linecap:round}\n"
      ".plot .link{fill:none;stroke:var(--plot-ink);stroke-width:1.2;stroke-dasharray:4 3}\n"
      ".plot .center{fill:var(--plot-ink)}\n"
      ".plot .joint{fill:var(--plot-paper);stroke:var(--plot-ink);stroke-width:1.5}\n"
      ".plot .anchor{fill:var(--plot-ink);opacity:.35}\n";
  for (int i = 0; i < styles; ++i)
    css += fmt::format(".plot .s{}{{stroke:var(--series-{});stroke-dasharray:{}}}\n", i, i, dashes[i]);
  return css;
}

std::string plot_svg(const Plot& plot) { return Drawing(plot).svg(""); }

std::string plot_file(const Plot& plot) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Drawing(plot).svg("<style>\n" + plot_css() + "</style>\n");
}

}  // namespace polhode::format
