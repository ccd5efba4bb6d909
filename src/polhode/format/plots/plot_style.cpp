#include "polhode/format/plots/plot_style.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "polhode/format/plots/plot.h"

namespace polhode::format {
namespace {

// Eight colours with two kinds of dashes each, for series without order; then nine in four variants each, for families.
constexpr int colours = 8, plain = 2 * colours, families = 9, variants = 4, styles = plain + variants * families;

/// How a style is made up.
struct Look {
  int colour, dashes, shape;
  bool hollow;
};

constexpr Look look_of(int style) {
  if (style < plain) return {style % colours, (style + style / colours) % 4, style % colours, style >= colours};
  const int colour = (style - plain) / variants, variant = (style - plain) % variants;
  return {colour, variant, (colour + 3 * variant) % colours, (variant + colour / colours) % 2 == 1};
}

struct Theme {
  const char *ink, *faint, *paper;
  std::array<const char*, families> series;

  /// Name and colour, as the rules use them.
  std::vector<std::pair<std::string, const char*>> variables() const {
    std::vector<std::pair<std::string, const char*>> all{{"--plot-ink", ink}, {"--plot-faint", faint}, {"--plot-paper", paper}};
    for (int i = 0; i < families; ++i) all.emplace_back(fmt::format("--series-{}", i), series[std::size_t(i)]);
    return all;
  }
};
constexpr Theme light{"#24292f",
                      "#d0d7de",
                      "#fff",
                      {"#0072b2", "#d55e00", "#008f68", "#b5528f", "#4a4a4a", "#b58900", "#3a9bdc", "#7a4a00", "#7b4fd6"}};
constexpr Theme dark{"#e6edf3",
                     "#3d444d",
                     "#161b22",
                     {"#56b4e9", "#ff8a3d", "#2fc79a", "#e39ac4", "#c8c8c8", "#f0d000", "#8ab4ff", "#d8a05a", "#b79bff"}};

std::string rules() {
  static constexpr const char* dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};
  std::string css =
      ".plot text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--plot-ink)}\n"
      ".plot .title{font-weight:600;font-size:14px}\n"
      ".plot .end{text-anchor:end}\n.plot .middle{text-anchor:middle}\n"
      ".plot .grid path{stroke:var(--plot-faint);fill:none}\n"
      ".plot .series{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
      ".plot .bold{stroke-width:2.3}\n"
      ".plot .mark{fill:none;stroke:var(--plot-ink);stroke-dasharray:1 4;stroke-linecap:round}\n"
      ".plot .path{stroke-width:1;opacity:.75}\n"
      ".plot .spoke{fill:none;stroke:var(--plot-ink);stroke-width:2.5;stroke-linecap:round}\n"
      ".plot .link{fill:none;stroke:var(--plot-ink);stroke-width:1.2;stroke-dasharray:4 3}\n"
      ".plot .center{fill:var(--plot-ink)}\n"
      ".plot .joint{fill:var(--plot-paper);stroke:var(--plot-ink);stroke-width:1.5}\n"
      ".plot .anchor{fill:var(--plot-ink);opacity:.35}\n";
  for (int i = 0; i < styles; ++i)
    css += fmt::format(".plot .s{0}{{stroke:var(--series-{1});color:var(--series-{1});stroke-dasharray:{2}}}\n", i,
                       look_of(i).colour, dashes[look_of(i).dashes]);
  return css +
         ".plot .point{fill:currentColor;stroke-width:1.4;stroke-dasharray:none}\n.plot .hollow{fill:var(--plot-paper)}\n";
}

/// About a place that a path has just moved to; all look equally large.
constexpr std::array<const char*, colours> shapes{
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",             // disc
    "m-2.9 -2.9h5.8v5.8h-5.8z",                                      // square
    "m0 -3.9l3.7 6.4h-7.4z",                                         // triangle
    "m0 -4.1l4.1 4.1l-4.1 4.1l-4.1 -4.1z",                           // diamond
    "m0 3.9l3.7 -6.4h-7.4z",                                         // triangle, the other way up
    "m-1.2 -3.8h2.4v2.6h2.6v2.4h-2.6v2.6h-2.4v-2.6h-2.6v-2.4h2.6z",  // cross
    "m-3.9 0l6.4 -3.7v7.4z",                                         // triangle to the left
    "m0 -2.2l1.8 -1.8l2.2 2.2l-1.8 1.8l1.8 1.8l-2.2 2.2l-1.8 -1.8l-1.8 1.8l-2.2 -2.2l1.8 -1.8l-1.8 -1.8l2.2 -2.2z"};  // x

int known(int style) { return ((style % styles) + styles) % styles; }

}  // namespace

int style_of_family(int colour, int variant) { return plain + variants * colour + variant; }

std::string stroke_class(int style) { return fmt::format("series s{}", known(style)); }

std::string markers(int style, const std::vector<std::pair<double, double>>& places) {
  const int i = known(style);
  const Look look = look_of(i);
  std::string path;
  for (const auto& [x, y] : places) path += fmt::format("M{:.1f} {:.1f}{}", x, y, shapes[std::size_t(look.shape)]);
  if (path.empty()) return {};
  return fmt::format("<path class=\"s{} point{}\" d=\"{}\"/>\n", i, look.hollow ? " hollow" : "", path);
}

std::string plot_css() {
  const auto declared = [](const Theme& theme) {
    std::string result;
    for (const auto& [name, colour] : theme.variables()) result += fmt::format("{}:{};", name, colour);
    return result;
  };
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{}", declared(light),
                     declared(dark), rules());
}

std::string css_for_files() {
  std::string css = rules();
  for (const auto& [name, colour] : light.variables()) {
    const std::string use = fmt::format("var({})", name);
    for (std::size_t at = 0; (at = css.find(use, at)) != std::string::npos;) css.replace(at, use.size(), colour);
  }
  return css;
}

}  // namespace polhode::format
