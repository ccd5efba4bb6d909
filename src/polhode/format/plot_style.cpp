#include "polhode/format/plot_style.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "polhode/format/plot.h"

namespace polhode::format {
namespace {

constexpr int styles = 8;

struct Theme {
  const char *ink, *faint, *paper;
  std::array<const char*, styles> series;

  /// Name and colour, as the rules use them.
  std::vector<std::pair<std::string, const char*>> variables() const {
    std::vector<std::pair<std::string, const char*>> all{{"--plot-ink", ink}, {"--plot-faint", faint}, {"--plot-paper", paper}};
    for (int i = 0; i < styles; ++i) all.emplace_back(fmt::format("--series-{}", i), series[std::size_t(i)]);
    return all;
  }
};
constexpr Theme light{
    "#24292f", "#d0d7de", "#fff", {"#0072b2", "#d55e00", "#008f68", "#b5528f", "#4a4a4a", "#b58900", "#3a9bdc", "#7a4a00"}};
constexpr Theme dark{
    "#e6edf3", "#3d444d", "#161b22", {"#56b4e9", "#ff8a3d", "#2fc79a", "#e39ac4", "#c8c8c8", "#f0d000", "#8ab4ff", "#d8a05a"}};

std::string rules() {
  static const char* const dashes[] = {"none", "7 3", "2 3", "9 3 2 3", "none", "7 3", "2 3", "9 3 2 3"};
  std::string css =
      ".plot text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--plot-ink)}\n"
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

}  // namespace

std::string stroke_class(int style) { return fmt::format("series s{}", ((style % styles) + styles) % styles); }

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
