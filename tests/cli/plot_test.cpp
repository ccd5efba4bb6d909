#include "program.h"
#include "tests/format/plots/well_formed.h"

namespace polhode::cli_test {
namespace {

/// Runs a pendulum into a table, and works in the folder of that.
class Plots : public Program {
 protected:
  Plots() { EXPECT_EQ(polhode({"run", model("double_pendulum"), "--time", "2", "--track", "tip", "--out", run_}).status, 0); }
  const std::string run_ = path("run.csv");
};

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(bytes[at + i]);
  return value;
}

TEST_F(Plots, AreWrittenAsSvgAndAsPngOfTheWidthAskedFor) {
  const std::string svg = path("p.svg"), png = path("p.png");
  const Outcome outcome = polhode({"plot", run_, "shoulder", "elbow", "--out", svg, "--out", png, "--width", "960"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string picture = read(svg), image = read(png);
  EXPECT_EQ(test::unclosed_tag(picture), "");
  EXPECT_EQ(test::outside_reference(picture), "");
  EXPECT_EQ(picture.find("var("), std::string::npos) << "drawing programs know no variables";
  ASSERT_GT(image.size(), 5000u);
  EXPECT_EQ(image.substr(1, 3), "PNG");
  EXPECT_EQ(big_endian(image, 16), 960u);
  EXPECT_EQ(big_endian(image, 20), 600u) << "a plot is 480 by 300";
}

TEST_F(Plots, OfDifferentUnitsStandOneAboveTheOther) {
  const std::string one = path("one.png"), two = path("two.png");
  ASSERT_EQ(polhode({"plot", run_, "kinetic", "energy", "--out", one, "--width", "480"}).status, 0);
  ASSERT_EQ(polhode({"plot", run_, "kinetic", "shoulder", "--out", two, "--width", "480"}).status, 0);
  EXPECT_EQ(big_endian(read(one), 20), 300u);
  EXPECT_EQ(big_endian(read(two), 20), 600u);
}

/// The numbers in the curve of a plot's only series, on the page.
std::vector<std::pair<double, double>> curve(const std::string& svg) {
  const std::size_t start = svg.rfind("class=\"series s0\" d=\"M") + 22;
  std::istringstream numbers(svg.substr(start, svg.find('"', start) - start));
  std::vector<std::pair<double, double>> points;
  for (double x, y; numbers >> x >> y;) points.emplace_back(x, y);
  return points;
}

TEST_F(Plots, ShowTheNumbersOfTheTable) {
  const std::string svg = path("p.svg");
  ASSERT_EQ(polhode({"plot", run_, "energy:change", "--out", svg}).status, 0);
  const std::vector<double> energy = table(run_).column("energy"), t = table(run_).column("t");
  const auto points = curve(read(svg));
  ASSERT_EQ(points.size(), energy.size());
  // A straight line takes the table to the page: least and largest fix it, and the others must be on it to its tenth of a unit.
  const auto [low, high] = std::minmax_element(energy.begin(), energy.end());
  const auto at = [&](auto place) { return points[std::size_t(place - energy.begin())].second; };
  const double scale = (at(high) - at(low)) / (*high - *low);
  EXPECT_LT(scale, 0) << "up is up";
  for (std::size_t i = 0; i < energy.size(); ++i) {
    EXPECT_NEAR(points[i].second, at(low) + scale * (energy[i] - *low), 0.15) << i;
    EXPECT_NEAR(points[i].first, points[0].first + t[i] / 2 * (points.back().first - points[0].first), 0.15) << i;
  }
}

TEST_F(Plots, OfARunFileAreThoseOfItsTableWithUnits) {
  const std::string run = path("run.h5"), from_table = path("a.svg"), from_file = path("b.svg");
  ASSERT_EQ(polhode({"run", model("double_pendulum"), "--time", "2", "--track", "tip", "--out", run}).status, 0);
  ASSERT_EQ(polhode({"plot", run_, "energy", "--out", from_table}).status, 0);
  ASSERT_EQ(polhode({"plot", run, "energy", "--out", from_file}).status, 0);
  EXPECT_EQ(read(from_table), read(from_file));
  ASSERT_EQ(polhode({"plot", run, "shoulder'", "--out", from_file}).status, 0);
  EXPECT_NE(read(from_file).find("[rad/s]"), std::string::npos);
}

TEST_F(Plots, WithoutColumnsListThem) {
  const Outcome outcome = polhode({"plot", run_});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* word : {"201 states from 0 to 2 s", "shoulder", "elbow'", "constraint", "tip.z"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << "\n" << outcome.out;
}

TEST_F(Plots, RefuseWhatMakesNoSense) {
  const auto refuses = [&](std::vector<std::string> arguments, const std::string& words, int status = 2) {
    arguments.insert(arguments.begin(), {"plot"});
    const Outcome outcome = polhode(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.out;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  const std::string svg = path("p.svg");
  refuses({run_, "sholder", "--out", svg}, "there is no column \"sholder\"; there are \"t\", \"shoulder\"");
  refuses({run_, "shoulder", "--out", path("p.jpg")}, "name it FILE.svg or FILE.png");
  refuses({run_, "shoulder", "--from", "3", "--to", "4", "--out", svg}, "it goes from 0 to 2 s");
  refuses({run_, "shoulder", "--from", "2", "--to", "1", "--out", svg}, "must be before");
  refuses({run_, "shoulder", "--width", "0", "--out", svg}, "--width");
  refuses({path("none.csv"), "shoulder", "--out", svg}, "none.csv");
  refuses({write("bad.csv", "t,x\n0,1\n1\n"), "x", "--out", svg}, "bad.csv");
  refuses({write("empty.csv", ""), "x", "--out", svg}, "empty.csv");
  refuses({run_, "shoulder", "--out", path("no/such/folder.svg")}, "cannot be written", 1);
}

}  // namespace
}  // namespace polhode::cli_test
