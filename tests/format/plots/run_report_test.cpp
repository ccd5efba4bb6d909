#include "polhode/format/plots/run_report.h"

#include <gtest/gtest.h>

#include "polhode/format/plots/markup.h"
#include "polhode/format/plots/run_facts.h"
#include "polhode/tree/assemble.h"
#include "tests/format/plots/well_formed.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

/// The page of a run of one of the models.
std::string page_of(const Model& model, study::SimulateOptions options, const ReportRecord& record = {}) {
  State start(model.mechanism);
  tree::assemble(start);
  RunSamples samples(model.mechanism, {});
  const study::SimulateSummary summary = study::simulate(start, options, [&](const State& s) { samples.add(s); });
  return run_report(summary, samples, model, start, record);
}

Model model_file(const std::string& name) { return load_model(testing_support::models_folder() + "/" + name); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(RunReport, IsOneWellFormedPageThatNeedsNothingElse) {
  for (const char* name : {"double_pendulum.pol", "closed_chain_device.pol", "bicycle.pol"}) {
    const std::string page = page_of(model_file(name), {.method = "tree-projected", .time = 0.5});
    EXPECT_EQ(test::unclosed_tag(page), "") << name;
    EXPECT_EQ(test::outside_reference(page), "") << name;
  }
}

TEST(RunReport, HasAllThatIsNeededToRepeatTheRun) {
  const Model model = model_file("double_pendulum.pol");
  const std::string page =
      page_of(model, {.time = 0.5, .dt = 0.02}, {{"version", "polhode 1.2.3"}, {"command", "polhode run <it>"}});
  EXPECT_NE(page.find(for_markup(model.text)), std::string::npos);
  EXPECT_NE(page.find("tree-variational, dt 0.02"), std::string::npos);
  EXPECT_NE(page.find("polhode 1.2.3"), std::string::npos);
  EXPECT_NE(page.find("polhode run &lt;it&gt;"), std::string::npos);
}

TEST(RunReport, SaysWhyARunStopped) {
  const Model model = read_model(
      "(system (ry \"a\" (tz -1 (mass 1 0.1 0.1 0.1))) (initial (\"a\" 1)) (event \"enough\" (at 0.1) (stop)))", "stop.pol");
  const std::string page = page_of(model, {.method = "tree-projected", .time = 1});
  EXPECT_NE(page.find("stopped by"), std::string::npos);
  EXPECT_NE(page.find("enough"), std::string::npos);
}

TEST(RunReport, DrawsManyCoordinatesInABoundedNumberOfPlots) {
  std::string text = "(system ";
  for (int i = 0; i < 100; ++i) text += "(ry \"q" + std::to_string(i) + "\" (tz -1 (mass 1 0.1 0.1 0.1) ";
  text += std::string(200, ')') + ")";
  const std::string page = page_of(read_model(text, "chain.pol"), {.time = 0.05});
  EXPECT_LT(count(page, "<figure>"), 25u);
  EXPECT_NE(page.find("52 more of them are not drawn"), std::string::npos) << "6 plots of 8 curves leave 52 of 100";
}

}  // namespace
}  // namespace polhode::format
