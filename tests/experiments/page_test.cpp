#include "experiments/common/page.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "experiments/common/options.h"
#include "tests/experiments/scratch_folder.h"
#include "tests/format/plots/well_formed.h"

namespace polhode::experiments {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void measure(Findings& findings) {
  format::Plot plot{.title = "<b>", .x_name = "n", .y_name = "e", .log_x = true, .log_y = true};
  plot.series.push_back({.name = "</svg><script>", .x = {10, 1000}, .y = {1e-12, 1}, .markers = true});
  findings.plot("p", "<i>caption", {plot, plot});
  Table table{.name = "t", .caption = "a & b", .columns = {"engine", "<m>"}};
  for (int i = 0; i < 30; ++i) table.rows.push_back({"<td>", 1.0 / 3});
  findings.table(table);
  findings.judge(bench::at_most("x < y", 1, 2));
  findings.judge(bench::at_most("too slow", 3, 2), About::speed);
  findings.judge(bench::at_least("who knows", std::nullopt, 2));
  findings.note("</ul>");
}

void stop_halfway(Findings& findings) {
  findings.judge(bench::at_most("before", 1, 2));
  throw std::runtime_error("the <engine> stopped");
}

const Experiment hostile{"hostile", "A < B", "Paper 9, Fig. <1>", "claims & more", measure};
const Experiment thrower{"thrower", "It throws", "Paper 9, Fig. 2", "nothing", stop_halfway};
const Experiment waiting{"waiting", "Not yet", "Paper 9, Fig. 3", "nothing", measure};

/// What a run prints.
std::string log_of(const Experiment& experiment, const std::filesystem::path& out, Record& record) {
  const auto file = out / "log.txt";
  std::FILE* log = std::fopen(file.c_str(), "w");
  record = run(experiment, out, true, log);
  std::fclose(log);
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(RunOfAnExperiment, TellsEachVerdictAndWhatTheyComeTo) {
  const test::ScratchFolder folder;
  Record record;
  const std::string log = log_of(hostile, folder.path, record);
  EXPECT_TRUE(has(log, "A < B")) << log;
  EXPECT_TRUE(has(log, "MISSED       too slow: 3, bound <= 2 (speed)")) << log;
  EXPECT_TRUE(has(log, "1 hold, 1 missed, 1 not measured")) << log;
  EXPECT_FALSE(fails(record, false, false));
  EXPECT_TRUE(fails(record, true, false));
}

TEST(RunOfAnExperiment, ThatThrowsIsKeptWithTheReasonAndWhatWasFoundBefore) {
  const test::ScratchFolder folder;
  Record record;
  const std::string log = log_of(thrower, folder.path, record);
  EXPECT_EQ(record.failure, "the <engine> stopped");
  EXPECT_EQ(record.verdicts.size(), 1u);
  EXPECT_TRUE(has(log, "FAILED: the <engine> stopped")) << log;
  EXPECT_TRUE(fails(record, false, false));
}

TEST(RunOfAnExperiment, ThatHasNowhereToWriteFailsAndSaysSo) {
  const test::ScratchFolder folder;
  std::ofstream(folder.path / "hostile") << "in the way";
  Record record;
  const std::string log = log_of(hostile, folder.path, record);
  EXPECT_TRUE(fails(record, false, false));
  EXPECT_TRUE(has(log, "FAILED: ")) << log;
}

class Page : public testing::Test {
 protected:
  std::string html() const {
    std::vector<std::optional<Record>> records;
    for (const Experiment* experiment : experiments) records.push_back(load(experiment->name, folder.path));
    return page_of({"CPU <1>", "compiler", "today", {"Polhode 1"}, {"ode"}, folder.path}, experiments, records);
  }
  void SetUp() override {
    for (const Experiment* experiment : {&hostile, &thrower}) {
      Record record;
      log_of(*experiment, folder.path, record);
      save(record, folder.path);
    }
  }
  const test::ScratchFolder folder;
  const std::array<const Experiment*, 3> experiments{&hostile, &thrower, &waiting};
};

TEST_F(Page, IsWellFormedAndNeedsNothingElse) {
  const std::string page = html();
  EXPECT_EQ(test::unclosed_tag(page), "");
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "http-equiv"));
  for (const char* outside : {"src=\"http", "href=\"http", "url(", "@import"}) EXPECT_FALSE(has(page, outside)) << outside;
}

TEST_F(Page, EscapesWhateverAnExperimentSays) {
  const std::string page = html();
  for (const char* escaped : {"A &lt; B", "Fig. &lt;1&gt;", "claims &amp; more", "x &lt; y", "&lt;i&gt;caption", "a &amp; b",
                              "&lt;td&gt;", "&lt;/ul&gt;", "the &lt;engine&gt; stopped", "CPU &lt;1&gt;"}) {
    EXPECT_TRUE(has(page, escaped)) << escaped;
  }
}

TEST_F(Page, SaysInWordsAndMarksHowClaimsCameOut) {
  const std::string page = html();
  EXPECT_TRUE(has(page, "✓ holds"));
  EXPECT_TRUE(has(page, "✗ missed"));
  EXPECT_TRUE(has(page, "○ not measured"));
  EXPECT_TRUE(has(page, "✗ 1 missed")) << "in the summary";
  EXPECT_TRUE(has(page, "✗ failed")) << "in the summary";
  EXPECT_TRUE(has(page, "not run yet"));
}

TEST_F(Page, LinksToFilesThatAreThere) {
  const std::string page = html();
  for (const char* file : {"hostile/p.svg", "hostile/p.png", "hostile/p.csv", "hostile/t.csv"}) {
    EXPECT_TRUE(has(page, "href=\"" + std::string(file) + "\"")) << file;
    EXPECT_TRUE(std::filesystem::exists(folder.path / file)) << file;
  }
  EXPECT_FALSE(has(page, "view.html"));
  std::ofstream(folder.path / "hostile" / "view.html") << "moving";
  EXPECT_TRUE(has(html(), "href=\"hostile/view.html\""));
}

TEST_F(Page, TellsOfFindingsThatCannotBeReadAndShowsTheOthers) {
  std::ofstream(folder.path / "thrower" / "findings.json") << "{\"name\": ";
  write_page(folder.path, experiments);
  std::ifstream in(folder.path / "index.html");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(test::unclosed_tag(page), "");
  EXPECT_TRUE(has(page, "run thrower again"));
  EXPECT_TRUE(has(page, "✗ failed"));
  EXPECT_TRUE(has(page, "x &lt; y")) << "of the other one";
}

TEST_F(Page, FoldsLongTables) {
  EXPECT_TRUE(has(html(), "30 rows</summary>"));
  EXPECT_TRUE(has(html(), ">0.3333<"));
}

TEST(Options, NameTheExperimentsThatThereAre) {
  const std::array<const Experiment*, 2> known{&hostile, &thrower};
  EXPECT_EQ(parse({}, known).chosen.size(), 2u);
  const Options options = parse({"thrower", "--quick", "--out=there"}, known);
  ASSERT_EQ(options.chosen.size(), 1u);
  EXPECT_EQ(options.chosen[0], &thrower);
  EXPECT_TRUE(options.quick);
  EXPECT_EQ(options.out, "there");
  try {
    parse({"throwre"}, known);
    ADD_FAILURE() << "there is no such experiment";
  } catch (const std::invalid_argument& error) {
    EXPECT_TRUE(has(error.what(), "\"throwre\"") && has(error.what(), "hostile, thrower")) << error.what();
  }
  EXPECT_THROW(parse({"--out"}, known), std::invalid_argument);
  EXPECT_THROW(parse({"--fast"}, known), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::experiments
