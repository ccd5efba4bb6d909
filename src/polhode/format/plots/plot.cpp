#include "polhode/format/plots/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/plots/markup.h"
#include "polhode/format/plots/plot_axis.h"
#include "polhode/format/plots/plot_points.h"
#include "polhode/format/plots/plot_style.h"

namespace polhode::format {
namespace {

constexpr double width = 480, left = 70, right = 12, bottom = 44;
constexpr double usual_height = 300;
constexpr double line = 17;        ///< of text
constexpr int usual_lines = 2;     ///< of legends; with more, the plot becomes higher
constexpr double of_letter = 6.6;  ///< its width, an estimate: the reader's font is not known
constexpr double of_sample = 31;   ///< a piece of the line before a name, and what is left free after it

double width_of_text(const std::string& text) {
  return of_letter * double(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

double width_of_item(const std::string& name) { return of_sample + width_of_text(name); }

/// Below its tick, but not beyond the edge.
double middle_of_number(double x, const std::string& text) { return std::min(x, width - 2 - width_of_text(text) / 2); }

/// Draws one plot. Every coordinate on the page is rounded to a tenth.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_(x_axis(plot)), y_(y_axis(plot)), legend_(legend()) {}

  double height() const { return height_; }

  std::string element() const {
    return fmt::format(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "aria-label=\"{}\">\n{}</svg>\n",
        width, height_, for_markup(plot_.title), contents());
  }
  /// For a larger picture, so far down in it.
  std::string group(double down) const {
    return fmt::format("<g class=\"plot\" transform=\"translate(0 {})\">\n{}</g>\n", down, contents());
  }

 private:
  std::string contents() const {
    std::string result = fmt::format("<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", left, for_markup(plot_.title));
    result += legend_ + axes();
    for (const PlotMark& mark : plot_.marks) result += mark_line(mark);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) result += curve(i);
    return result;
  }

  double px(double measured) const { return left + x_.place(measured) * (width - left - right); }
  double py(double measured) const { return height_ - bottom - y_.place(measured) * (height_ - bottom - top_); }
  std::string class_of(std::size_t i) const { return stroke_class(style_of(i)) + (plot_.series[i].bold ? " bold" : ""); }
  int style_of(std::size_t i) const { return plot_.series[i].style >= 0 ? plot_.series[i].style : int(i); }

  /// In as many lines as it takes, many names in columns. Leaves how high the plot is and where its lines may begin.
  std::string legend() {
    if (plot_.series.size() < 2 && plot_.marks.empty()) return {};
    std::vector<std::string> names;
    for (const PlotSeries& series : plot_.series) names.push_back(series.name);
    for (const PlotMark& mark : plot_.marks) names.push_back(mark.name);
    double widest = 0;
    for (const std::string& name : names) widest = std::max(widest, width_of_item(name));
    const bool in_columns = names.size() > 5;
    const double begin = in_columns ? 8 : left, end = width - (in_columns ? 0 : right);
    const double column = std::max(widest, (end - begin) / std::max(1.0, std::floor((end - begin) / widest)) - 0.01);
    std::string result;
    double x = begin, y = 32;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double needed = in_columns ? column : width_of_item(names[i]);
      if (x > begin && x + needed > end) x = begin, y += line;
      result += sample(i, x, y - 4) +
                fmt::format("<text class=\"legend\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 25, y, for_markup(names[i]));
      x += needed + (in_columns ? 0 : 7);
    }
    top_ = y + 12;
    height_ = usual_height + std::max(0.0, y - 32 - (usual_lines - 1) * line);
    return result;
  }

  /// A short piece of the line that a name belongs to: of the series, then of the marks.
  std::string sample(std::size_t i, double x, double y) const {
    const bool is_series = i < plot_.series.size();
    std::string result = fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}h20\"/>", is_series ? class_of(i) : "mark", x, y);
    if (is_series && plot_.series[i].markers) result += markers(style_of(i), {{x + 10, y}});
    return result;
  }

  std::string axes() const {
    std::string result = "<g class=\"grid\">";
    for (const auto& [at, text] : y_.ticks)
      result += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, py(at), width - right);
    for (const double at : y_.minor) result += fmt::format("<path d=\"M{:.1f} {:.1f}h4\"/>", left, py(at));
    for (const auto& [at, text] : x_.ticks) {
      result +=
          fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\"/>", px(at), height_ - bottom + 4, x_.log ? top_ : height_ - bottom);
    }
    for (const double at : x_.minor) result += fmt::format("<path d=\"M{:.1f} {:.1f}v-4\"/>", px(at), height_ - bottom);
    result += "</g>\n<g class=\"ticks\">";
    for (const auto& [at, text] : y_.ticks)
      result += fmt::format("<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left - 6, py(at) + 4, text);
    for (const auto& [at, text] : x_.ticks)
      result += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", middle_of_number(px(at), text),
                            height_ - bottom + 17, text);
    result += fmt::format("</g>\n<text class=\"name middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", (left + width - right) / 2,
                          height_ - 8, for_markup(x_.label));
    const double middle = (top_ + height_ - bottom) / 2;
    result += fmt::format("<text class=\"name middle\" transform=\"translate(12 {:.1f}) rotate(-90)\">{}</text>\n", middle,
                          for_markup(y_.label));
    return result;
  }

  std::string mark_line(const PlotMark& mark) const {
    const double at = y_.measure(mark.y);
    if (!(y_.low <= at && at <= y_.high)) return {};
    return fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, py(at), width - right);
  }

  /// In the measures of the axes, and not more points than can be seen.
  PlotSeries measured(std::size_t i) const {
    PlotSeries series = plot_.series[i];
    for (double& x : series.x) x = x_.measure(x);
    for (double& y : series.y) y = y_.measure(y);
    return plot_.is_path ? spread(series, 20000) : thinned(series, 700);
  }

  std::string curve(std::size_t i) const {
    const PlotSeries all = measured(i), kept = cut(all, y_.low, y_.high);
    std::string path;
    int points = 0;
    for (std::size_t k = 0; k <= kept.x.size(); ++k) {
      const bool is_there = k < kept.x.size() && std::isfinite(kept.x[k]) && std::isfinite(kept.y[k]);
      if (is_there) path += fmt::format("{}{:.1f} {:.1f}", points++ == 0 ? "M" : " ", px(kept.x[k]), py(kept.y[k]));
      if (is_there) continue;
      if (points == 1) path += "h0.1";  // a point between gaps is seen too
      points = 0;
    }
    if (path.empty()) return {};
    std::string result = fmt::format("<path class=\"{}\" d=\"{}\"/>\n", class_of(i), path);
    if (all.markers) result += markers_of(i, all);
    return result;
  }

  std::string markers_of(std::size_t i, const PlotSeries& series) const {
    std::vector<std::pair<double, double>> places;
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!std::isfinite(series.x[k]) || !(y_.low <= series.y[k] && series.y[k] <= y_.high)) continue;
      places.emplace_back(px(series.x[k]), py(series.y[k]));
    }
    return markers(style_of(i), places);
  }

  const Plot& plot_;
  Axis x_, y_;
  double top_ = 28, height_ = usual_height;
  std::string legend_;
};

}  // namespace

std::string plot_svg(const Plot& plot) { return Drawing(plot).element(); }

std::string plot_file(const std::vector<Plot>& plots) {
  std::string titles, drawings;
  double height = 0;
  for (const Plot& plot : plots) {
    const Drawing drawing(plot);
    titles += (titles.empty() ? "" : ", ") + plot.title;
    drawings += drawing.group(height);
    height += drawing.height();
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">\n<style>\n{3}</style>\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"{4}\"/>\n{5}</svg>\n",
      width, height, for_markup(titles), css_for_files(), paper_of_files, drawings);
}

}  // namespace polhode::format
