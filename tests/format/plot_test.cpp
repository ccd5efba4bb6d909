#include "polhode/format/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "polhode/format/markup.h"
#include "polhode/format/report_page.h"
#include "tests/format/well_formed.h"

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
      const std::string svg = plot_file({simple(y, log)});
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
