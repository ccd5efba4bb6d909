#include "program.h"
#include "tests/format/plots/well_formed.h"

namespace polhode::cli_test {
namespace {

using Compares = Program;

TEST_F(Compares, PrintsATableOfTheMethodsAndSaysWhatDistancesAreFrom) {
  const Outcome outcome = polhode({"compare", model("double_pendulum"), "--time", "2", "--no-report"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* word :
       {"tree-variational", "tree-projected", "wall time [s]", "steps", "Newton iterations", "evaluations", "energy span [J]",
        "energy slope [W]", "largest distance [m]", "agrees until [s]", "Distances are from"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << "\n" << outcome.out;
}

// A sleigh's blade holds velocities and no positions: its error is one of velocities, and models without such have none.
TEST_F(Compares, ShowsHowWellVelocitiesAreHeld) {
  const auto has_line = [&](const char* name) {
    return polhode({"compare", model(name), "--time", "0.2", "--no-report"}).out.find("velocity error [m/s, rad/s]") !=
           std::string::npos;
  };
  EXPECT_TRUE(has_line("chaplygin_sleigh"));
  EXPECT_FALSE(has_line("four_bar"));
}

TEST_F(Compares, WritesAPageThatIsWellFormedAndNeedsNothingElse) {
  const std::string report = path("report.html");
  const Outcome outcome = polhode({"compare", model("four_bar"), "--time", "1", "--report", report});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(report), std::string::npos) << outcome.out;
  const std::string html = read(report);
  EXPECT_EQ(test::unclosed_tag(html), "");
  EXPECT_EQ(test::outside_reference(html), "");
  for (const char* word : {"tree-variational", "tree-projected", "Distance to the reference", "Energy error",
                           "Constraint error", "options in force", "tolerance 1e-12", "(system", "--report"})
    EXPECT_NE(html.find(word), std::string::npos) << word;
  for (const char* word : {"nan", "inf "}) EXPECT_EQ(html.find(std::string(">") + word), std::string::npos) << word;
}

TEST_F(Compares, EscapesWhatAModelSays) {
  const std::string file = write("a<b>.pol", R"((system (name "<script>alert(1)</script>")
    (body "x&<y" (mass 1) (inertia 1 1 1)) (joint revolute "p" ground "x&<y" (at 0 0 0) (axis 0 1 0)) (initial ("p" 1)))
    ; </pre></details><script>)");
  const std::string report = path("r.html");
  ASSERT_EQ(polhode({"compare", file, "--time", "0.1", "--report", report}).status, 0);
  const std::string html = read(report);
  EXPECT_EQ(test::unclosed_tag(html), "");
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

/// An acceleration that is held, which only tree-projected can do.
constexpr const char* thrust = R"((system (body "cart" (mass 1) (inertia 1 1 1))
  (joint prismatic "x" ground "cart" (at 0 0 0) (axis 1 0 0))
  (constant-acceleration "x" 0.2 (name "thrust"))))";

TEST_F(Compares, SaysWhyAMethodDoesNotApplyWithThePlaceInTheModel) {
  const std::string report = path("r.html");
  const Outcome outcome = polhode({"compare", write("thrust.pol", thrust), "--time", "1", "--report", report});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("tree-variational does not apply:\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("thrust.pol:3:3:"), std::string::npos) << outcome.out;
  EXPECT_NE(read(report).find("tree-variational does not apply"), std::string::npos);
}

TEST_F(Compares, PrintsTheSameAsJson) {
  const nlohmann::json r =
      json_of({"compare", model("pendulum"), "--time", "1", "--dt", "0.02", "--accuracy", "1e-8", "--no-report"});
  EXPECT_EQ(r["completed"], true);
  EXPECT_FALSE(r.contains("report"));
  EXPECT_GE(r["methods"].size(), 2u);
  for (const auto& method : r["methods"]) {
    EXPECT_TRUE(method["applies"].get<bool>()) << method;
    EXPECT_GE(method["distance"]["largest"].get<double>(), 0);
    EXPECT_TRUE(method["distance"]["agrees_until"].is_null()) << method;
    if (method["method"] == "tree-variational") {
      EXPECT_EQ(method["steps"], 50);
    }
    if (method["method"] == "tree-projected") {
      EXPECT_EQ(method["options"]["accuracy"], 1e-8);
    }
  }
  EXPECT_EQ(r["reference"]["extra"], true);
}

TEST_F(Compares, ThatBreakDownFailAndStillHaveTheirReport) {
  const std::string file = write("stiff.pol", R"((system (gravity 0 0 0) (body "weight" (mass 1))
    (joint prismatic "rail" ground "weight" (axis 1 0 0)) (torsion-spring "rail" 1e8 0) (initial ("rail" 1))))");
  // Explicit steps of 0.1 s under a frequency of 10^4 rad/s blow up within a second.
  const nlohmann::json r = json_of({"compare", file, "--time", "20", "--methods", "tree-projected", "--dt", "0.1",
                                    "--reference", "tree-projected", "--report", path("r.html")},
                                   1);
  EXPECT_EQ(r["completed"], false);
  EXPECT_TRUE(r["methods"][0]["failure"].is_string());
  const std::string html = read(path("r.html"));
  EXPECT_EQ(test::unclosed_tag(html), "");
  EXPECT_NE(html.find("stopped at"), std::string::npos);
}

// All that roll stop at 0.36 s, where the wheel lies flat: nobody knows how far motions are apart at the end.
TEST_F(Compares, HasNoDistanceAtAnEndThatWasNotReached) {
  const std::string wheel = write("wheel.pol", R"((system (rolling-disk "disk" ground 0.2)
    (body "disk" (mass 2) (inertia 0.02 0.02 0.04) (pose 0.5 0 0.1879385241571817 (rpy 0 (deg 70) 0)))))");
  const auto r = json_of({"compare", wheel, "--time", "2", "--no-report"}, 1);
  EXPECT_EQ(r["completed"], false);
  int compared = 0;
  for (const auto& method : r["methods"])
    if (method["applies"] == true) {
      EXPECT_TRUE(method["distance"]["at_end"].is_null()) << method["method"];
      EXPECT_LT(method["distance"]["compared_until"].get<double>(), 0.4) << method["method"];
      ++compared;
    }
  EXPECT_EQ(compared, 4);
}

TEST_F(Compares, RefusesBadOptions) {
  const std::string m = model("pendulum");
  EXPECT_TRUE(refused(polhode({"compare", m, "--methods", "tree-projectd"}), {"\"tree-projectd\"", "did you mean"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--report", "out.txt"}), {"--report", "out.txt", ".html"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--report", "x.html", "--no-report"}), {"--report", "--no-report"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--time", "-1"}), {"--time", "-1"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--interval", "0"}), {"--interval"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--order", "3", "--no-report"}), {"order 3"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--method", "tree-projected"}), {"\"--method\"", "--methods"}));
  EXPECT_TRUE(refused(polhode({"compare", m, "--methods", "tree-projected", "--order", "2", "--no-report"}),
                      {"order", "tree-projected"}));
  EXPECT_TRUE(refused(polhode({"compare", write("thrust.pol", thrust), "--methods", "tree-variational", "--no-report"}),
                      {"thrust.pol:3:3:", "tree-variational"}));
  EXPECT_TRUE(refused(polhode({"compare", path("absent.pol")}), {"absent.pol"}));
  const std::string page = write("model.html", read(m));
  EXPECT_TRUE(refused(polhode({"compare", page, "--report", page}), {"itself, which would be lost"}));
}

TEST_F(Compares, FailsWhenItsReportCannotBeWritten) {
  const Outcome outcome = polhode({"compare", model("pendulum"), "--time", "0.1", "--report", path("absent/r.html")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("absent/r.html"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace polhode::cli_test
