#include <algorithm>
#include <set>

#include "polhode/format/runs/run_table.h"
#include "tests/cli/program.h"

/// What joints and frames are called changes no number: every command gives the same for a model with names that are hard to
/// take as for the same model with plain ones.
namespace polhode::cli_test {
namespace {

std::string in_quotes(const std::string& name, const std::string& quote) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? quote + c : std::string(1, c);
  return text + "\"";
}
std::string in_model(const std::string& name) { return in_quotes(name, "\\"); }
/// As one field of a list.
std::string in_list(const std::string& name) { return in_quotes(name, "\""); }

/// A double pendulum whose first joint and whose tip have the name.
std::string arm(const std::string& name) {
  return "(system (ry " + in_model(name) + " (tz -1 (mass 1) (ry \"b\" (tz -1 (name " + in_model(name) +
         ") (mass 1))))) (damping " + in_model(name) + " 0.1) (initial (" + in_model(name) + " 0.5) (\"b\" 0.3)))";
}

bool is_built_in(const std::string& name) {
  for (const char* word : {"t", "kinetic", "potential", "energy", "constraint", "momentum.x", "rms", "largest"})
    if (name == word) return true;
  return false;
}

class Names : public Program, public ::testing::WithParamInterface<const char*> {
 protected:
  struct One {
    std::string name, column, model;
  };
  One named(const std::string& name) const {
    return {name, is_built_in(name) ? "coordinate." + name : name, write("m" + std::to_string(models_++) + ".pol", arm(name))};
  }
  One hard_ = named(GetParam()), plain_ = named("a");

  std::string run(const One& one, const std::string& suffix) const {
    const std::string out = one.model + suffix;
    const Outcome outcome = polhode({"run", one.model, "--time", "0.4", "--out", out, "--track", in_list(one.name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find(one.column + "\", because") != std::string::npos, is_built_in(one.name)) << outcome.out;
    return out;
  }

 private:
  mutable int models_ = 0;
};

void expect_same_columns(const format::RunTable& hard, const format::RunTable& plain, const std::string& column,
                         const std::string& name) {
  ASSERT_EQ(hard.columns.size(), plain.columns.size());
  std::set<std::string> different;
  for (const auto& c : hard.columns) different.insert(c.name);
  EXPECT_EQ(different.size(), hard.columns.size());
  EXPECT_EQ(hard.column(column).values, plain.column("a").values);
  EXPECT_EQ(hard.column(name + "'").values, plain.column("a'").values);
  EXPECT_EQ(hard.column(name + ".z").values, plain.column("a.z").values);
  for (const char* same : {"t", "b", "kinetic", "potential", "energy", "constraint"})
    EXPECT_EQ(hard.column(same).values, plain.column(same).values) << same;
}

TEST_P(Names, AreColumnsOfTheirOwnInTables) {
  for (const char* suffix : {".csv", ".h5"})
    expect_same_columns(format::read_run_table(run(hard_, suffix)), format::read_run_table(run(plain_, suffix)), hard_.column,
                        hard_.name);
}

TEST_P(Names, CanBePlotted) {
  // The curves are the same; only what is written beside them differs.
  const auto curve = [&](const std::string& table, const std::string& against, const std::string& column) {
    const std::string out = path("plot.svg");
    const Outcome outcome =
        polhode({"plot", table, "--out", out, "--title", "x", "--against=" + against, "--column=" + column});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::string svg = read(out);
    const std::size_t begin = svg.find("class=\"series s0\"");
    EXPECT_NE(begin, std::string::npos) << svg.substr(0, 3000);
    return begin == std::string::npos ? std::string() : svg.substr(begin, svg.find("/>", begin) - begin);
  };
  const std::string hard = run(hard_, ".csv"), plain = run(plain_, ".csv");
  for (const std::string& how : {std::string(), std::string(":change")})
    EXPECT_EQ(curve(hard, hard_.name + "'", hard_.column + how), curve(plain, "a'", "a" + how));
}

TEST_P(Names, AreFoundInTablesThatAreRead) {
  const std::string table = run(hard_, ".csv"), plain = run(plain_, ".csv");
  const auto forces = json_of({"inverse", hard_.model, table}), plain_forces = json_of({"inverse", plain_.model, plain});
  EXPECT_EQ(forces["largest_forces"][hard_.name + "'"], plain_forces["largest_forces"]["a'"]);
  const auto actuated = json_of({"inverse", hard_.model, table, "--actuators=" + in_list(hard_.name)});
  EXPECT_EQ(actuated["residual"], json_of({"inverse", plain_.model, plain, "--actuators", "a"})["residual"]);

  const auto fit =
      json_of({"fit", hard_.model, table, "--parameter=" + in_list(hard_.name), "--column=" + hard_.column, "--column=b"});
  const auto plain_fit = json_of({"fit", plain_.model, plain, "--parameter", "a", "--column", "a", "--column", "b"});
  EXPECT_EQ(fit["values"][0]["value"], plain_fit["values"][0]["value"]);
  EXPECT_EQ(json_of({"fit", hard_.model, table, "--parameter=" + in_list(hard_.name)})["points"],
            json_of({"fit", plain_.model, plain, "--parameter", "a"})["points"])
      << "all columns but the built-in ones";
}

TEST_P(Names, CanBeVariedAndMeasured) {
  const auto sweep = [&](const One& one) {
    return json_of({"sweep", one.model, "--vary=" + in_list(one.name) + "=0.1,0.2", "--time", "0.2", "--measure=" + one.column,
                    "--measure=" + one.column + ":max", "--measure=" + one.name + ".z:min", "--measure=energy"});
  };
  const auto hard = sweep(hard_), plain = sweep(plain_);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(hard["rows"][i][hard_.column + ":final"], plain["rows"][i]["a:final"]);
    EXPECT_EQ(hard["rows"][i][hard_.column + ":max"], plain["rows"][i]["a:max"]);
    EXPECT_EQ(hard["rows"][i][hard_.name + ".z:min"], plain["rows"][i]["a.z:min"]);
    EXPECT_EQ(hard["rows"][i]["energy:final"], plain["rows"][i]["energy:final"]);
  }
}

TEST_P(Names, CanBeLockedAndAimedAt) {
  const auto aim = [&](const One& one) {
    return json_of({"assemble", one.model, "--target=" + one.name + "=1,0,-1", "--lock=b," + in_list(one.name)});
  };
  EXPECT_EQ(aim(hard_)["goal_after"], aim(plain_)["goal_after"]);
  EXPECT_EQ(aim(hard_)["coordinates"][hard_.name], 0.5);
  const auto rest = [&](const One& one) { return json_of({"equilibrium", one.model, "--lock=" + in_list(one.name)}); };
  EXPECT_EQ(rest(hard_)["coordinates"]["b"], rest(plain_)["coordinates"]["b"]);
}

TEST_P(Names, DoNotDisturbReportsPagesAndComparisons) {
  const auto pages = [&](const One& one) {
    const std::string report = path("report.html"), page = path("page.html"), compared = path("compared.html");
    EXPECT_EQ(polhode({"run", one.model, "--time", "0.2", "--report", report}).status, 0);
    EXPECT_EQ(polhode({"view", one.model, "--time", "0.2", "--export", page}).status, 0);
    EXPECT_GT(std::filesystem::file_size(page), 1000u);
    const std::string text = read(report);
    const std::size_t energy = text.find(">Energy<");
    EXPECT_NE(energy, std::string::npos);
    return std::pair(text.substr(energy),
                     json_of({"compare", one.model, "--time", "0.2", "--report", compared})["methods"].size());
  };
  const auto [hard, hard_methods] = pages(hard_);
  const auto [plain, plain_methods] = pages(plain_);
  EXPECT_EQ(hard_methods, plain_methods);
  // The plots of energy, up to the change of it, are those of the plain model.
  const auto energies = [](const std::string& text) { return text.substr(0, text.find("Constraint error")); };
  EXPECT_EQ(energies(hard).substr(0, 2000), energies(plain).substr(0, 2000));
}

INSTANTIATE_TEST_SUITE_P(, Names,
                         ::testing::Values("t", "kinetic", "potential", "energy", "constraint", "momentum.x", "rms", "x,y",
                                           "a:max", "a:change", "p=q", "say \"hi\"", " blank ", "[a]", "-x", "10"));

TEST_F(Program, TrackedFrameGivesWayToACoordinateOfItsName) {
  const std::string model =
      write("ball.pol", "(system (body \"ball\" (mass 1) (inertia 1 1 1)) (joint free \"ball\" ground \"ball\"))");
  const std::string out = path("ball.csv");
  const Outcome outcome = polhode({"run", model, "--time", "0.1", "--out", out, "--track", "ball"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"frame.ball.x\", because another column is called \"ball.x\""), std::string::npos)
      << outcome.out;
  const Table rows = table(out);
  EXPECT_EQ(rows.column("frame.ball.z"), rows.column("ball.z"));
  EXPECT_EQ(std::count(rows.columns.begin(), rows.columns.end(), "ball.x"), 1);
}

TEST_F(Program, SweptParameterMayBeCalledLikeAColumn) {
  const std::string model =
      write("p.pol", "(system (parameter time 1) (parameter steps 2) (ry \"a\" (tz (- time) (mass steps))))");
  const std::string out = path("sweep.csv");
  json_of({"sweep", model, "--vary", "time=1,2", "--vary", "steps=3", "--time", "0.1", "--out", out});
  std::ifstream file(out);
  std::string header;
  std::getline(file, header);
  EXPECT_TRUE(header.starts_with("run,varied.time,varied.steps,completed,time,steps,")) << header;
}

TEST_F(Program, ListsOfNamesHaveNoEmptyOnes) {
  const std::string model = write("a.pol", arm("a"));
  EXPECT_TRUE(refused(polhode({"compare", model, "--methods", "tree-projected,"}), {"--methods", "empty name"}));
  EXPECT_TRUE(refused(polhode({"compare", model, "--methods", ""}), {"--methods", "empty name"}));
  EXPECT_TRUE(
      refused(polhode({"view", model, "--method", ",tree-projected", "--export", path("x.html")}), {"--method", "empty"}));
  EXPECT_TRUE(refused(polhode({"assemble", model, "--lock", "a,,b"}), {"--lock", "empty name"}));
  EXPECT_TRUE(refused(polhode({"assemble", model, "--lock", "\"a"}), {"--lock", "not closed"}));
}

TEST_F(Program, RefusesNumbersThatAreNone) {
  const std::string model = write("a.pol", arm("a"));
  for (const char* order : {"", "0x4", "2.9", "four"})
    EXPECT_TRUE(refused(polhode({"run", model, "--order", order}), {"--order", "whole number"})) << order;
  for (const char* alpha : {"", "0x1", "nan", "half"})
    EXPECT_TRUE(refused(polhode({"run", model, "--alpha", alpha}), {"--alpha", "is not a number", "between 0 and 1"})) << alpha;
  EXPECT_TRUE(refused(polhode({"run", model, "--every", "0x2"}), {"--every", "whole number"}));
  EXPECT_TRUE(refused(polhode({"generate", "chain", "--angle", ""}), {"--angle", "finite number"}));
}

// A leading zero means nothing, and a power of ten is a whole number.
TEST_F(Program, ReadsWholeNumbersAsPeopleDo) {
  const std::string model = write("a.pol", arm("a"));
  const auto reports = [&](const char* every) {
    return json_of({"run", model, "--time", "10", "--dt", "0.01", "--every", every, "--out", path("x.csv")})["reports"];
  };
  EXPECT_EQ(reports("010"), reports("10"));
  EXPECT_EQ(reports("1e2"), reports("100"));
}

}  // namespace
}  // namespace polhode::cli_test
