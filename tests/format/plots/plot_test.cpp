#include "polhode/format/plots/plot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <sstream>

#include "polhode/format/plots/markup.h"
#include "polhode/format/plots/report_page.h"
#include "tests/format/plots/well_formed.h"

namespace polhode::format {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// 1, 2 or 5 times a power of ten.
bool is_round(double step) {
  const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
  for (const double allowed : {1.0, 2.0, 5.0})
    if (std::abs(mantissa - allowed) < 1e-6) return true;
  return false;
}

TEST(RoundTicks, AreRoundFewAndEncloseTheData) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12), mantissa(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double a = mantissa(random) * std::pow(10, exponent(random)),
                 b = a + mantissa(random) * std::pow(10, exponent(random));
    const double low = std::min(a, b), high = std::max(a, b);
    const auto ticks = round_ticks(low, high, 7);
    SCOPED_TRACE(testing::Message() << low << " to " << high);
    ASSERT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.size(), 7u);
    const double step = (ticks.back() - ticks.front()) / double(ticks.size() - 1);
    if (high - low > 1e-6 * std::abs(high)) {
      EXPECT_TRUE(is_round(step)) << step;
    }
    EXPECT_LE(ticks.front(), low + 1e-8 * step);
    EXPECT_GE(ticks.back(), high - 1e-8 * step);
  }
}

TEST(RoundTicks, SurroundAConstantAndRefuseWhatIsNoNumber) {
  for (const double value : {0.0, 3.0, -1e-9, 1e12}) {
    const auto ticks = round_ticks(value, value, 7);
    ASSERT_GE(ticks.size(), 2u) << value;
    EXPECT_LT(ticks.front(), value);
    EXPECT_GT(ticks.back(), value);
  }
  EXPECT_TRUE(round_ticks(nan, 1, 7).empty());
  EXPECT_TRUE(round_ticks(0, inf, 7).empty());
}

TEST(Thinned, KeepsEndsAndExtremesWithFewPoints) {
  PlotSeries series{"noise", {}, {}};
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100000; ++i) series.x.push_back(i), series.y.push_back(normal(random));
  series.y[31415] = 50, series.y[2718] = -60;
  const PlotSeries thin = thinned(series, 700);
  EXPECT_LE(thin.x.size(), 700u);
  EXPECT_EQ(thin.x.front(), 0);
  EXPECT_EQ(thin.x.back(), 99999);
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 50);
  EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), -60);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
}

Plot simple(std::vector<double> y, bool log = false) {
  Plot plot{.title = "T", .x_name = "time", .x_unit = "s", .y_name = "error", .y_unit = "J", .log_y = log, .series = {}};
  PlotSeries series{"one", {}, std::move(y)};
  for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(double(i));
  plot.series.push_back(series);
  return plot;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

/// How many separate pieces the curves of a plot have: moves in paths of class series.
std::size_t pieces(const std::string& svg) {
  std::size_t n = 0;
  for (std::size_t at = svg.find("class=\"series"); at != std::string::npos; at = svg.find("class=\"series", at + 1)) {
    const std::size_t d = svg.find("d=\"", at) + 3;
    n += count(svg.substr(d, svg.find('"', d) - d), "M");
  }
  return n;
}

TEST(Plot, OfAnythingIsWellFormedAndHasOnlyFiniteNumbers) {
  const std::vector<std::vector<double>> data{
      {},          {1},           {nan, nan},      {0, 0, 0},       {5, 5, 5},   {1, nan, 2},
      {inf, 1, 2}, {-1e-300, 0},  {1e300, -1e300}, {1e308, -1e308}, {5e-324, 0}, {9e299, -9e299},
      {1, 2, 3},   {0, 1e-9, 1e9}};
  for (const auto& y : data)
    for (const bool log : {false, true}) {
      Plot plot = simple(y, log);
      plot.log_x = log;
      plot.series[0].markers = log;
      const std::string svg = plot_file({plot});
      EXPECT_EQ(test::unclosed_tag(svg), "");
      EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    }
}

TEST(Plot, LeavesGapsWhereThereIsNoNumber) {
  EXPECT_EQ(pieces(plot_svg(simple({1, 2, 3, 4, 5}))), 1u);
  EXPECT_EQ(pieces(plot_svg(simple({1, 2, nan, 4, 5}))), 2u);
  EXPECT_EQ(pieces(plot_svg(simple({1, 2, 0, 4, 5}, true))), 2u) << "zero has no logarithm";
  EXPECT_EQ(pieces(plot_svg(simple({1, 2, 0, 4, 5}))), 1u);
}

TEST(Plot, WithALogarithmicAxisShowsPowersOfTen) {
  const std::string svg = plot_svg(simple({1e-6, 1e-3, 1}, true));
  EXPECT_NE(svg.find("10⁻⁶"), std::string::npos) << svg;
  EXPECT_NE(svg.find("10⁰"), std::string::npos) << svg;
  EXPECT_EQ(plot_svg(simple({0, 0}, true)).find("10⁻"), std::string::npos) << "nothing positive: linear";
}

/// Where the curves of a plot go, on the page.
std::vector<std::pair<double, double>> places(const std::string& svg) {
  const std::size_t at = svg.find("class=\"series"), d = svg.find("d=\"M", at) + 4;
  std::string path = svg.substr(d, svg.find('"', d) - d);
  std::replace(path.begin(), path.end(), 'M', ' ');
  std::istringstream in(path);
  std::vector<std::pair<double, double>> result;
  for (double x, y; in >> x >> y;) result.emplace_back(x, y);
  return result;
}

TEST(Plot, WithTwoLogarithmicAxesDrawsAPowerAsAStraightLine) {
  Plot plot{.title = "T", .x_name = "links", .y_name = "error", .log_x = true, .log_y = true};
  plot.series.push_back({"cubic", {}, {}});
  for (double n = 10; n <= 1000; n *= 1.5) plot.series[0].x.push_back(n), plot.series[0].y.push_back(1e-12 * n * n * n);
  const auto points = places(plot_svg(plot));
  ASSERT_EQ(points.size(), plot.series[0].x.size());
  const auto [x0, y0] = points.front();
  const auto [x1, y1] = points.back();
  // Places are rounded to 0.1, three of them in each comparison, and the line is about as steep as it is long.
  for (const auto& [x, y] : points) EXPECT_NEAR(y, y0 + (y1 - y0) * (x - x0) / (x1 - x0), 0.3);
  for (std::size_t i = 2; i < points.size(); ++i)
    EXPECT_NEAR(points[i].first - points[i - 1].first, points[1].first - points[0].first, 0.21) << "equal factors, equal steps";
}

TEST(Plot, OfALogarithmicXLeavesOutWhatHasNoLogarithm) {
  Plot plot = simple({1, 2, 3, 4});  // x from 0
  plot.log_x = true;
  EXPECT_EQ(places(plot_svg(plot)).size(), 3u);
  plot.series[0].x = {0, 0, -1, -2};
  EXPECT_EQ(pieces(plot_svg(plot)), 1u) << "nothing positive: linear";
}

TEST(Plot, NumbersShortLogarithmicAxesToo) {
  Plot plot = simple({1, 2, 3});
  plot.log_x = true;
  plot.series[0].x = {30, 60, 200};
  const std::string svg = plot_svg(plot);
  for (const char* number : {">50<", ">100<", ">200<"}) EXPECT_NE(svg.find(number), std::string::npos) << number << svg;
}

TEST(Plot, OfLongSeriesAlongALogarithmicXKeepsTheFirstDecades) {
  Plot plot{.title = "T", .log_x = true};
  plot.series.push_back({"s", {}, {}});
  for (int i = 1; i <= 1000000; ++i) plot.series[0].x.push_back(i), plot.series[0].y.push_back(std::sin(std::log(double(i))));
  const auto points = places(plot_svg(plot));
  const double middle = (points.front().first + points.back().first) / 2;  // x of 1000
  const auto before = std::count_if(points.begin(), points.end(), [&](const auto& p) { return p.first < middle; });
  EXPECT_GT(before, 100) << "the first thousand of a million points take half of the axis";
  EXPECT_LT(points.size(), 701u);
}

/// Marks at points in a plot, legends included: closed shapes.
std::size_t markers_in(const std::string& svg) {
  std::size_t n = 0;
  for (std::size_t at = svg.find(" point"); at != std::string::npos; at = svg.find(" point", at + 1)) {
    const std::size_t d = svg.find("d=\"", at) + 3;
    n += count(svg.substr(d, svg.find('"', d) - d), "z");
  }
  return n;
}

TEST(Plot, MarksEveryPointThatIsThere) {
  Plot plot = simple({1, 2, nan, 4, 5});
  EXPECT_EQ(markers_in(plot_svg(plot)), 0u);
  plot.series[0].markers = true;
  EXPECT_EQ(markers_in(plot_svg(plot)), 4u);
  EXPECT_EQ(markers_in(plot_file({plot})), 4u);
  plot.y_high = 3;
  EXPECT_EQ(markers_in(plot_svg(plot)), 2u) << "where a line is cut off nothing was measured";
}

TEST(Plot, GivesTwelveSeriesTwelveLooks) {
  Plot plot = simple({1, 2});
  plot.series.clear();
  for (int i = 0; i < 12; ++i) plot.series.push_back({.name = "Simbody 3.7 merson", .x = {0, 1}, .y = {1, 2}, .markers = true});
  const std::string svg = plot_svg(plot);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(count(svg, "class=\"" + stroke_class(i) + "\""), 2u) << "a line and its sample in the legend, and no other";
  }
  EXPECT_EQ(count(svg, " hollow\""), 8u) << "the four that share their colours with others, and their samples";
  // The legend does not take the room of the plot.
  const std::size_t box = svg.find("viewBox=\"0 0 480 ") + 17;
  EXPECT_GT(std::stod(svg.substr(box)), 300);
}

TEST(Plot, GivesFamiliesOfSeriesOneColourEachAndEveryMemberALookOfItsOwn) {
  const std::string css = plot_css();
  std::set<std::string> looks;
  for (int colour = 0; colour < 9; ++colour) {
    for (int variant = 0; variant < 4; ++variant) {
      const int style = style_of_family(colour, variant);
      const std::string name = stroke_class(style).substr(7), rule = css.substr(css.find(".plot ." + name + "{"));
      EXPECT_EQ(rule.find(fmt::format("stroke:var(--series-{})", colour)), name.size() + 8) << rule.substr(0, 80);
      Plot plot = simple({1, 2});
      plot.series[0].style = style, plot.series[0].markers = true;
      const std::string svg = plot_svg(plot), marks = svg.substr(svg.find(" point"));
      const std::size_t dashes = rule.find("dasharray:"), shape = marks.find_first_of("mz", marks.find("d=\"M"));
      // Told apart without colours too: by dashes, shape and filling of marks.
      looks.insert(marks.substr(0, marks.find('"')) + rule.substr(dashes, rule.find('}') - dashes) +
                   marks.substr(shape, marks.find('z') - shape));
    }
  }
  EXPECT_EQ(looks.size(), 36u);
}

TEST(Plot, DrawsThickerWhatItIsAbout) {
  Plot plot = simple({1, 2});
  plot.series.push_back({.name = "two", .x = {0, 1}, .y = {2, 1}, .bold = true});
  EXPECT_EQ(count(plot_svg(plot), " bold\""), 2u) << "the line and its sample in the legend";
  EXPECT_TRUE(thinned(plot.series[1], 1).bold);
}

TEST(Plot, CutsOffWhatIsBeyondAFixedRange) {
  Plot plot = simple({0, 1, 1e9, 1, -1e9, 1});
  plot.y_low = -2, plot.y_high = 2;
  const std::string svg = plot_svg(plot);
  EXPECT_EQ(pieces(svg), 3u);
  EXPECT_NE(svg.find(">−2<"), std::string::npos);
  for (const auto& [x, y] : places(svg)) {
    EXPECT_GE(y, 0);
    EXPECT_LE(y, 300);
  }
  plot.y_high = -1, plot.y_low = -1.5;  // nothing of it can be seen but what passes through
  EXPECT_EQ(test::unclosed_tag(plot_svg(plot)), "");
  plot = simple({1e-20, 1e-3, 1}, true);
  plot.y_low = 1e-6;
  EXPECT_EQ(plot_svg(plot).find("10⁻⁹"), std::string::npos);
  EXPECT_EQ(places(plot_svg(plot)).size(), 3u) << "where it comes in, and two points";
}

TEST(Thinned, KeepsHowASeriesLooks) {
  PlotSeries series{.name = "s", .x = {}, .y = {}, .style = 3, .markers = true};
  for (int i = 0; i < 5000; ++i) series.x.push_back(i), series.y.push_back(i % 7);
  const PlotSeries thin = thinned(series, 100);
  EXPECT_LE(thin.x.size(), 100u);
  EXPECT_EQ(thin.style, 3);
  EXPECT_TRUE(thin.markers);
}

TEST(Plot, WritesSmallNumbersAsMultiplesOfAPowerOfTenInTheAxisName) {
  const std::string svg = plot_svg(simple({-3e-6, 4e-6}));
  EXPECT_NE(svg.find("error [10⁻⁶ J]"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">−4<"), std::string::npos) << "a minus sign, not a hyphen: " << svg;
}

TEST(Plot, EscapesNamesAndTitles) {
  Plot plot = simple({1, 2});
  plot.title = "a < b & \"c\"";
  plot.series.push_back({"</svg><script>", {0, 1}, {1, 2}});
  const std::string svg = plot_file({plot});
  EXPECT_EQ(test::unclosed_tag(svg), "");
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
}

TEST(Plot, StaysSmallHoweverLongTheSeries) {
  std::vector<double> y;
  for (int i = 0; i < 200000; ++i) y.push_back(std::sin(0.01 * i));
  EXPECT_LT(plot_svg(simple(y)).size(), 20000u);  // 700 points of about a dozen characters, and the axes
}

TEST(Markup, ReplacesWhatAPageMayNotContain) {
  EXPECT_EQ(for_markup("<a href='x'>&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
  EXPECT_EQ(for_markup(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(for_markup("\xff\xc3"), "\uFFFD\uFFFD");
  EXPECT_EQ(for_markup("Ωméga\n"), "Ωméga\n");
}

TEST(Markup, SetsNumbersAndLeavesOtherTextAlone) {
  EXPECT_EQ(typographic("-1.5e-06"), "−1.5×10⁻⁶");
  EXPECT_EQ(typographic("+2e+11"), "+2×10¹¹");
  EXPECT_EQ(typographic("42"), "42");
  EXPECT_EQ(typographic("tree-projected"), "tree-projected");
  EXPECT_EQ(typographic("-"), "-");
}

TEST(ReportPage, IsWellFormedAndEscapesEverything) {
  ReportPage page("x < y");
  page.heading("<h>");
  page.paragraph("a & b");
  page.note("<b>");
  page.table({{"", "<m>"}, {{"row", "-1e-3"}, {"other", "<td>"}}});
  page.figure(plot_svg(simple({1, 2, 3})), "caption <");
  page.figure(plot_svg(simple({1, 2, 3})));
  page.folded("s", "</pre><script>alert(1)</script>");
  page.preformatted("</pre>");
  const std::string html = page.html();
  EXPECT_EQ(test::unclosed_tag(html), "");
  EXPECT_EQ(test::outside_reference(html), "");
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("<title>x &lt; y</title>"), std::string::npos);
}

}  // namespace
}  // namespace polhode::format
