#include "polhode/format/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/markup.h"
#include "polhode/format/plot_axis.h"
#include "polhode/format/plot_style.h"

namespace polhode::format {
namespace {

constexpr double width = 480, height = 300, left = 70, right = 12, bottom = 44;
constexpr double line = 17;  ///< of text

/// Every so many points, and the last.
PlotSeries spread(const PlotSeries& series, std::size_t most) {
  const std::size_t n = std::min(series.x.size(), series.y.size()), step = n / most + 1;
  PlotSeries result{series.name, {}, {}, series.style};
  for (std::size_t k = 0; k < n; k += step) result.x.push_back(series.x[k]), result.y.push_back(series.y[k]);
  if (n > 0 && (n - 1) % step != 0) result.x.push_back(series.x[n - 1]), result.y.push_back(series.y[n - 1]);
  return result;
}

/// Draws one plot. Every coordinate on the page is rounded to a tenth.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_(x_axis(plot)), y_(y_axis(plot)) {}

  std::string element() {
    return fmt::format(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "aria-label=\"{}\">\n{}</svg>\n",
        width, height, for_markup(plot_.title), contents());
  }
  /// For a larger picture, so far down in it.
  std::string group(double down) {
    return fmt::format("<g class=\"plot\" transform=\"translate(0 {})\">\n{}</g>\n", down, contents());
  }

 private:
  std::string contents() {
    const std::string legend_items = legend();  // first: it says how much room is left
    std::string result = fmt::format("<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", left, for_markup(plot_.title));
    result += legend_items + axes();
    for (const PlotMark& mark : plot_.marks) result += mark_line(mark);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) result += curve(i);
    return result;
  }

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
    for (double& x : measured.x) x = x_.measure(x);
    for (double& y : measured.y) y = y_.measure(y);
    const PlotSeries kept = plot_.is_path ? spread(measured, 20000) : thinned(measured, 700);
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

std::string plot_svg(const Plot& plot) { return Drawing(plot).element(); }

std::string plot_file(const std::vector<Plot>& plots) {
  std::string titles, drawings;
  for (const Plot& plot : plots) {
    const double down = height * double(&plot - plots.data());
    titles += (titles.empty() ? "" : ", ") + plot.title;
    drawings += Drawing(plot).group(down);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">\n<style>\n{3}</style>\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"{4}\"/>\n{5}</svg>\n",
      width, height * double(plots.size()), for_markup(titles), css_for_files(), paper_of_files, drawings);
}

}  // namespace polhode::format
