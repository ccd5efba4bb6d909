#include "experiments/common/findings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "experiments/common/record.h"
#include "tests/experiments/scratch_folder.h"

namespace polhode::experiments {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Findings, QuoteWhatCsvWouldReadAsItsOwn) {
  const test::ScratchFolder folder;
  Findings findings(folder.path, false);
  findings.table({.name = "t",
                  .caption = "c",
                  .columns = {"engine", "time, wall [s]"},
                  .rows = {{"says \"no\"", 0.1}, {"a\nb", 1e-300}, {"plain", 1.0 / 3}}});
  EXPECT_EQ(content(folder.path / "t.csv"),
            "engine,\"time, wall [s]\"\n\"says \"\"no\"\"\",0.1\n\"a\nb\",1e-300\nplain,0.3333333333333333\n");
}

TEST(Findings, WriteAPictureItsDataAndAPng) {
  const test::ScratchFolder folder;
  Findings findings(folder.path, false);
  format::Plot plot{.title = "error, energy", .x_name = "time", .x_unit = "s", .y_name = "e", .y_unit = "J"};
  plot.series.push_back({"a", {0, 1}, {2, 3}});
  findings.plot("p", "caption", plot);
  EXPECT_EQ(content(folder.path / "p.csv"), "plot,series,x,y\n\"error, energy\",a,0,2\n\"error, energy\",a,1,3\n");
  EXPECT_NE(content(folder.path / "p.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(content(folder.path / "p.png").substr(1, 3), "PNG");
  ASSERT_EQ(findings.pictures().size(), 1u);
  EXPECT_EQ(findings.pictures()[0].caption, "caption");
}

TEST(Findings, PickLessWhenQuick) {
  const test::ScratchFolder folder;
  EXPECT_EQ(Findings(folder.path, true).pick(1000, 10), 10);
  EXPECT_EQ(Findings(folder.path, false).pick(1000, 10), 1000);
}

Record with(bench::Verdict verdict, About about) {
  Record record;
  record.verdicts.push_back({std::move(verdict), about});
  return record;
}

TEST(Record, FailsARunForMechanicsAndForSpeedAndAimsOnlyIfStrict) {
  EXPECT_FALSE(fails(with(bench::at_most("c", 1, 2), About::mechanics), true, true));
  EXPECT_TRUE(fails(with(bench::at_most("c", 3, 2), About::mechanics), false, true));
  EXPECT_FALSE(fails(with(bench::at_most("c", 3, 2), About::speed), false, true));
  EXPECT_TRUE(fails(with(bench::at_most("c", 3, 2), About::speed), true, true));
  EXPECT_FALSE(fails(with(bench::at_most("c", 3, 2), About::aim), false, true));
  EXPECT_TRUE(fails(with(bench::at_most("c", 3, 2), About::aim), true, true));
  EXPECT_TRUE(fails(with(bench::at_most("c", std::nullopt, 2), About::mechanics), false, true)) << "nothing is no success";
  EXPECT_FALSE(fails(with(bench::at_most("c", std::nullopt, 2), About::mechanics), true, false)) << "an engine is missing";
  EXPECT_TRUE(fails(with(bench::at_most("c", std::nan(""), 2), About::mechanics), false, true)) << "no number is not small";
}

TEST(Record, CountsVerdictsByOutcome) {
  Record record;
  for (const double measured : {1.0, 2.0, 3.0}) record.verdicts.push_back({bench::at_most("c", measured, 2), About::mechanics});
  record.verdicts.push_back({bench::at_least("c", std::nullopt, 2), About::speed});
  const Counts counts = counts_of(record);
  EXPECT_EQ(counts.met, 2);
  EXPECT_EQ(counts.missed, 1);
  EXPECT_EQ(counts.not_measured, 1);
}

TEST(Record, ComesBackFromItsFileAsItWas) {
  const test::ScratchFolder folder;
  Record record{.name = "e", .title = "T \"x\"", .source = "Seed, Fig. 1", .claim = "ζ < 1"};
  record.seconds = 1.5, record.quick = true, record.date = "then", record.machine = "m";
  record.verdicts = {{bench::at_most("a", 1e-13, 0), About::mechanics},
                     {bench::at_least("b", inf, 40), About::speed},
                     {bench::at_least("c", std::nullopt, -1), About::mechanics}};
  record.tables = {{.name = "t", .caption = "c", .columns = {"x", "y"}, .rows = {{"word", 0.1}, {"1", inf}}}};
  record.pictures = {{"p", "caption", "<svg></svg>"}};
  record.notes = {"one", "two"};
  save(record, folder.path);
  const auto back = load("e", folder.path);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->title, record.title);
  EXPECT_EQ(back->claim, record.claim);
  EXPECT_EQ(back->seconds, 1.5);
  EXPECT_TRUE(back->quick);
  EXPECT_EQ(back->notes, record.notes);
  EXPECT_EQ(back->pictures[0].svg, "<svg></svg>");
  ASSERT_EQ(back->verdicts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back->verdicts[i].about, record.verdicts[i].about);
    EXPECT_EQ(back->verdicts[i].verdict.kind, record.verdicts[i].verdict.kind);
    EXPECT_EQ(back->verdicts[i].verdict.measured, record.verdicts[i].verdict.measured);
    EXPECT_EQ(back->verdicts[i].verdict.bound, record.verdicts[i].verdict.bound);
    EXPECT_EQ(back->verdicts[i].verdict.at_most, record.verdicts[i].verdict.at_most);
  }
  EXPECT_EQ(std::get<double>(back->tables[0].rows[0][1]), 0.1);
  EXPECT_EQ(std::get<std::string>(back->tables[0].rows[1][0]), "1") << "a word that looks like a number stays a word";
}

TEST(Record, IsNothingWhereNothingRanAndToldToBeMadeAgainWhereItIsBroken) {
  const test::ScratchFolder folder;
  EXPECT_FALSE(load("never", folder.path));
  std::filesystem::create_directories(folder.path / "broken");
  std::ofstream(folder.path / "broken" / "findings.json") << "{\"name\": ";
  try {
    load("broken", folder.path);
    ADD_FAILURE() << "half a file is no record";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("run broken again"), std::string::npos) << error.what();
  }
}

TEST(Record, IsWrittenWholeOrNotAtAll) {
  const test::ScratchFolder folder;
  const auto own = folder.path / "e", file = own / "findings.json";
  std::filesystem::create_directories(file / "in the way");
  EXPECT_THROW(save({.name = "e", .title = "", .source = "", .claim = ""}, folder.path), std::runtime_error);
  const auto entries = std::distance(std::filesystem::directory_iterator(own), {});
  EXPECT_EQ(entries, 1) << "half a file was left";
}

TEST(Record, HoldsMeasuresAgainstBoundsAgainWhenItIsRead) {
  const test::ScratchFolder folder;
  Record record = with(bench::at_most("c", 3, 2), About::mechanics);
  record.name = "e";
  save(record, folder.path);
  const auto file = folder.path / "e" / "findings.json";
  std::string text = content(file);
  text.replace(text.find("\"missed\""), 8, "\"met\"");
  std::ofstream(file) << text;
  const auto back = load("e", folder.path);
  ASSERT_TRUE(back);
  EXPECT_TRUE(fails(*back, false, true)) << "a word is no verdict";
}

TEST(ShortNumber, KeepsFourDigitsAndWholeNumbers) {
  EXPECT_EQ(short_number(1000), "1000");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(123456), "123456");
  EXPECT_EQ(short_number(3.14159265), "3.142");
  EXPECT_EQ(short_number(1.23456e-9), "1.235e-09");
  EXPECT_EQ(short_number(inf), "inf");
}

}  // namespace
}  // namespace polhode::experiments
