#include "experiments/common/lineup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "bench/step/entrants.h"
#include "bench/step/problems.h"

namespace polhode::experiments {
namespace {

Labels everybody() {
  return joined(joined(our_labels(), our_labels_of_more_orders()),
                joined(peer_labels(), {"tree-variational, order 6", "Heun", "explicit RK, tree"}));
}

/// As the style's rule in the sheet names it.
std::string colour_of(const std::string& label) {
  const std::string css = format::plot_css(), name = format::stroke_class(style_of(label)).substr(7);
  const std::size_t at = css.find("--series-", css.find(".plot ." + name + "{"));
  return css.substr(at, css.find(')', at) - at);
}

std::string engine_of(const std::string& label) { return is_ours(label) ? "ours" : label.substr(0, label.find(' ')); }

TEST(Lineup, GivesEveryMethodALookOfItsOwn) {
  std::set<std::string> labels;
  std::set<int> styles;
  for (const std::string& label : joined(our_labels_of_more_orders(), peer_labels())) {
    labels.insert(label);
    styles.insert(style_of(label));
  }
  EXPECT_EQ(styles.size(), labels.size());
}

TEST(Lineup, ShowsAPeerInOneColourThatNobodyElseHas) {
  for (const std::string& a : peer_labels()) {
    for (const std::string& b : joined(our_labels_of_more_orders(), peer_labels())) {
      EXPECT_EQ(colour_of(a) == colour_of(b), engine_of(a) == engine_of(b)) << a << ", " << b;
    }
  }
}

TEST(Lineup, LooksTheSameWhateverIsSaidAfterALabel) {
  EXPECT_EQ(style_of("ODE exact, 10 ms"), style_of("ODE exact"));
  EXPECT_EQ(style_of("tree-variational, order 4, 10 ms"), style_of("tree-variational, order 4"));
  EXPECT_NE(style_of("tree-variational, order 4"), style_of("tree-variational"));
  EXPECT_TRUE(series_of("maximal-projected, 1e-6").bold);
  EXPECT_FALSE(series_of("MuJoCo RK4").bold);
}

TEST(Lineup, TellsTheStepsOfOneMethodApartWithinItsColour) {
  format::Plot plot;
  for (const char* name : {"ODE exact, 10 ms", "ODE quick, 10 ms", "ODE exact, 1 ms", "DART Euler"}) {
    plot.series.push_back(series_of(name));
  }
  tell_apart(plot);
  std::set<int> styles;
  for (const format::PlotSeries& series : plot.series) styles.insert(series.style);
  EXPECT_EQ(styles.size(), 4u);
  EXPECT_EQ(plot.series[0].style, style_of("ODE exact"));
  EXPECT_EQ(plot.series[1].style, style_of("ODE quick"));
  EXPECT_EQ(plot.series[3].style, style_of("DART Euler"));
}

TEST(Lineup, NamesOnlyWhatTheBenchmarksKnow) {
  for (const std::string& label : everybody()) {
    if (!entrant_of(label).starts_with("polhode")) continue;  // peers need not be installed
    const Curve curve = curve_of(label, {{0.01}, {1e-6}, 0.1});
    ASSERT_EQ(curve.settings.size(), 1u);
    const auto entrants = bench::entrants_named({curve.settings[0].entrant});
    ASSERT_EQ(entrants.size(), 1u) << label;
    EXPECT_NO_THROW(entrants[0].make(bench::planar_chain(2, 0.5), entrants[0].method)) << label;
  }
  EXPECT_THROW(entrant_of("ODE step"), std::logic_error);
  EXPECT_THROW(entrant_of("ODE exact, 10 ms"), std::logic_error);
}

TEST(Lineup, GivesStepsToThoseThatTakeThemAndAccuraciesToTheOthers) {
  const Fineness fineness{{0.01, 0.005}, {1e-3, 1e-5, 1e-7}, 0.25};
  EXPECT_EQ(curve_of("ODE exact", fineness).settings.size(), 2u);
  const Curve merson = curve_of("Simbody Merson", fineness);
  ASSERT_EQ(merson.settings.size(), 3u);
  EXPECT_EQ(merson.settings[2].entrant, "simbody merson-1e-07");
  EXPECT_EQ(merson.settings[2].dt, 0.25);
}

Lap lap(const std::string& label, double seconds, double error) {
  Lap lap{.label = label, .setting = {"", 0.01}, .outcome = {}, .course = {}, .seconds = seconds, .error_rms = error};
  lap.outcome.finished = true;
  return lap;
}

TEST(Fastest, IsReadOffBetweenRunsAndCountsWhoIsBetterAtHisCoarsest) {
  // Ten times the time for a hundredth of the error: at 1e-3, half way in logarithms, the root of ten.
  const std::vector<Lap> laps{lap("a", 1, 1e-2), lap("a", 10, 1e-4), lap("b", 2, 1e-5), lap("c", 1, 1e-1)};
  const auto of_a = fastest(laps, {"a"}, 1e-3), of_all = fastest(laps, {"a", "b", "c"}, 1e-3);
  ASSERT_TRUE(of_a && of_all);
  EXPECT_NEAR(of_a->seconds, std::sqrt(10.0), 1e-12);
  EXPECT_EQ(of_all->label, "b");
  EXPECT_EQ(of_all->seconds, 2);
  EXPECT_FALSE(fastest(laps, {"c"}, 1e-3));
}

}  // namespace
}  // namespace polhode::experiments
