#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "polhode/tree/realize.h"
#include "tests/format/language/reading.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

/// What a text and another one say, printed without parts: the same if they describe the same mechanism.
void expect_same(const std::string& with_parts, const std::string& without) {
  EXPECT_EQ(write_model(sound(with_parts)), write_model(sound(without)));
}

// Repetition.

TEST(Repetition, WritesItsFormsOncePerValueOfItsIndex) {
  expect_same("(system (repeat i 1 3 (body \"b{i}\" (mass i) (pose (* 0.5 i) 0 0)) (frame \"f{i+1}\" \"b{i}\" i 0 0)))",
              R"((system (body "b1" (mass 1) (pose 0.5 0 0)) (frame "f2" "b1" 1 0 0)
                         (body "b2" (mass 2) (pose 1 0 0)) (frame "f3" "b2" 2 0 0)
                         (body "b3" (mass 3) (pose 1.5 0 0)) (frame "f4" "b3" 3 0 0)))");
  expect_same("(system (repeat i -1 0 (body b{i} (mass 1))))", "(system (body \"b-1\" (mass 1)) (body \"b0\" (mass 1)))");
  expect_same("(system (body a (mass 1)) (repeat i 3 2 (body b{i} (mass 1))))", "(system (body a (mass 1)))");
}

TEST(Repetition, MayStandInsideAnother) {
  expect_same("(system (repeat i 1 2 (repeat j i (+ i 1) (body \"b{i}.{j-1}\" (mass (+ (* 10 i) j))))))",
              R"((system (body "b1.0" (mass 11)) (body "b1.1" (mass 12)) (body "b2.1" (mass 22)) (body "b2.2" (mass 23))))");
  // The inner index hides the outer one of its name.
  expect_same("(system (repeat i 1 2 (body o{i} (mass 1)) (repeat k i i (repeat i 5 5 (body \"n{i}{k}\" (mass i))))))",
              "(system (body o1 (mass 1)) (body n51 (mass 5)) (body o2 (mass 1)) (body n52 (mass 5)))");
}

TEST(Repetition, MayStandInAnyList) {
  expect_same(R"((system (tx 0.1 (repeat i 1 3 (tz (* 0.1 i) ry "q{i}" (mass 1 1 1 1))))
                         (attraction 1 (repeat i 1 3 "q{i}"))
                         (generalized-force "q1" (samples (repeat k 0 3 (k (* k k)))))
                         (coupler (repeat i 1 3 ("q{i}" i)))
                         (initial (repeat i 1 3 ("q{i}" (* 0.1 i) i)))))",
              R"((system (tx 0.1 (tz 0.1 ry "q1" (mass 1 1 1 1)) (tz 0.2 ry "q2" (mass 1 1 1 1))
                                 (tz (* 0.1 3) ry "q3" (mass 1 1 1 1)))
                         (attraction 1 "q1" "q2" "q3")
                         (generalized-force "q1" (samples (0 0) (1 1) (2 4) (3 9)))
                         (coupler ("q1" 1) ("q2" 2) ("q3" 3))
                         (initial ("q1" 0.1 1) ("q2" 0.2 2) ("q3" (* 0.1 3) 3))))");
}

TEST(Repetition, WritesChainTenInSixLines) {
  const std::string folder = testing_support::source_folder() + "/models/";
  EXPECT_EQ(write_model(load_model(folder + "chain_repeat.pol").mechanism.description()),
            write_model(load_model(folder + "chain_10.pol").mechanism.description()));
}

TEST(Repetition, LeavesBracesAloneOutside) { expect_same("(system (body \"{i}\" (mass 1)))", "(system (body {i} (mass 1)))"); }

// Submodels.

constexpr const char* leg = R"((submodel "leg"
    (parameter length 0.3)
    (body "thigh" (mass 1) (inertia 0.1 0.1 0.01) (com 0 0 (/ length -2)) (pose 0 0 0.1))
    (joint revolute "hip" ground "thigh" (at 0 0 0.2) (axis 0 1 0))
    (frame "knee" "thigh" 0 0 (- length))
    (frame "hook" ground 0 0 1)
    (spring "hook" "knee" 10 0.1)
    (wire ground "knee" 2 (name "string"))
    (damping "hip" 0.1)
    (event "up" (when "hip" rises 1) (scale-speed "hip'" -1) (disable "string"))
    (initial ("hip" 0.1 0.2))))";

TEST(Submodels, HaveNamesOfTheirOwnInEveryUse) {
  expect_same(std::string("(system ") + leg + R"( (use "leg" "left") (spring "left.knee" ground 5 1) (damping "left.hip" 2)))",
              R"((system (body "left.thigh" (mass 1) (inertia 0.1 0.1 0.01) (com 0 0 -0.15) (pose 0 0 0.1))
    (joint revolute "left.hip" ground "left.thigh" (at 0 0 0.2) (axis 0 1 0))
    (frame "left.knee" "left.thigh" 0 0 -0.3)
    (frame "left.hook" ground 0 0 1)
    (spring "left.hook" "left.knee" 10 0.1)
    (wire ground "left.knee" 2 (name "left.string"))
    (damping "left.hip" 0.1)
    (event "left.up" (when "left.hip" rises 1) (scale-speed "left.hip'" -1) (disable "left.string"))
    (initial ("left.hip" 0.1 0.2))
    (spring "left.knee" ground 5 1) (damping "left.hip" 2)))");
}

// Ground is the frame that a use is on, and the drawing is that of the frame: here a body at (1, 2, 3), turned by 90 degrees
// about z, and in it a place 0.5 along x, which is y of Ground.
TEST(Submodels, ArePlacedOnABody) {
  expect_same(
      std::string("(system ") + leg + R"((body "torso" (mass 9) (inertia 1 1 1) (pose 1 2 3 (rotation 0 -1 0 1 0 0 0 0 1)))
    (use "leg" "left" (length 0.4) (on "torso") (at 0.5 0 0))))",
      R"((system (body "torso" (mass 9) (inertia 1 1 1) (pose 1 2 3 (rotation 0 -1 0 1 0 0 0 0 1)))
    (body "left.thigh" (mass 1) (inertia 0.1 0.1 0.01) (com 0 0 -0.2) (pose 1 2.5 3.1 (rotation 0 -1 0 1 0 0 0 0 1)))
    (joint revolute "left.hip" "torso" "left.thigh" (at 1 2.5 3.2) (axis -1 0 0))
    (frame "left.knee" "left.thigh" 0 0 -0.4)
    (frame "left.hook" "torso" 0.5 0 1)
    (frame "left" "torso" 0.5 0 0)
    (spring "left.hook" "left.knee" 10 0.1)
    (wire "left" "left.knee" 2 (name "left.string"))
    (damping "left.hip" 0.1)
    (event "left.up" (when "left.hip" rises 1) (scale-speed "left.hip'" -1) (disable "left.string"))
    (initial ("left.hip" 0.1 0.2))))");
}

TEST(Submodels, MayUseOthersThatAreDefinedLater) {
  expect_same(R"((system
      (use "pair" "p" (at 1 0 0))
      (submodel "pair" (body "bar" (mass 2) (inertia 1 1 1)) (use "bob" "a" (on "bar") (at 0 0 1)) (use "bob" "b" (weight 3)))
      (submodel "bob" (parameter weight 1) (body "stone" (mass weight))
        (joint prismatic "rail" ground "stone" (parent-frame 0 0 0.5)) (spring ground "stone" 4 1))))",
              R"((system
      (body "p.bar" (mass 2) (inertia 1 1 1) (pose 1 0 0))
      (body "p.a.stone" (mass 1) (pose 1 0 1))
      (joint prismatic "p.a.rail" "p.bar" "p.a.stone" (parent-frame 0 0 1.5)) 
      (body "p.b.stone" (mass 3) (pose 1 0 0))
      (joint prismatic "p.b.rail" ground "p.b.stone" (parent-frame 1 0 0.5))
      (frame "p" ground 1 0 0) (frame "p.a" "p.bar" 0 0 1)
      (spring "p.a" "p.a.stone" 4 1) (spring "p" "p.b.stone" 4 1)))");
}

TEST(Submodels, OfNestedFramesHangWhereTheyAreUsed) {
  const std::string link =
      "(submodel \"link\" (parameter l 1) (ry \"q\" (tz (- l) (name \"bob\") (mass 1))) (damping \"q\" 0.5))";
  expect_same("(system " + link + "(rx \"swing\" (tz -2 (mass 1) (use \"link\" \"a\") (use \"link\" \"b\" (l 3)))))",
              R"((system (rx "swing" (tz -2 (mass 1) (ry "a.q" (tz -1 (name "a.bob") (mass 1)))
                                                     (ry "b.q" (tz -3 (name "b.bob") (mass 1)))))
                         (damping "a.q" 0.5) (damping "b.q" 0.5)))");
  expect_same(
      "(system " + link + "(use \"link\" \"a\" (at 0 0 5)))",
      "(system (tz 5 (ry \"a.q\" (tz -1 (name \"a.bob\") (mass 1)))) (damping \"a.q\" 0.5) (frame \"a\" ground 0 0 5))");
}

TEST(Submodels, GetNamesFromOutside) {
  expect_same(R"((system (body "floor" (mass 1)) (body "roof" (mass 1))
      (submodel "s" (outside "goal") (body "b" (mass 1)) (spring "b" "goal" 1 1) (spring "b" "roof" 2 2))
      (use "s" "one" (goal "floor"))))",
              R"((system (body "floor" (mass 1)) (body "roof" (mass 1)) (body "one.b" (mass 1))
      (spring "one.b" "floor" 1 1) (spring "one.b" "roof" 2 2)))");
}

TEST(Submodels, HaveParametersThatCanBeSetFromOutside) {
  const std::string text =
      std::string("(system (parameter l 0.2) ") + leg + "(use \"leg\" \"left\" (length (* 2 l))) (use \"leg\" \"right\"))";
  const auto lengths = [&](const ParameterValues& values) {
    const Mechanism m = read_model(text, "m.pol", {}, values).mechanism;
    return std::pair(-m.frames()[std::size_t(m.frame("left.knee"))].X_BF.p.z,
                     -m.frames()[std::size_t(m.frame("right.knee"))].X_BF.p.z);
  };
  EXPECT_EQ(lengths({}), std::pair(0.4, 0.3));
  EXPECT_EQ(lengths({{"l", 0.5}, {"right.length", 7}}), std::pair(1.0, 7.0));
  EXPECT_EQ(lengths({{"left.length", 2}}), std::pair(2.0, 0.3));
}

// Six legs that are equal but for where they are: by symmetry their hips feel the same.
TEST(Submodels, OfTheHexapodAreDrawnAroundItsTrunk) {
  const Mechanism m = load_model(testing_support::source_folder() + "/models/hexapod.pol").mechanism;
  EXPECT_EQ(m.num_u(), 6 + 12);
  State state = tree::initial_state(m);
  for (int i = 0; i < m.num_q(); ++i)
    if (m.coordinate_names()[std::size_t(i)].starts_with("leg")) state.set_q(i, 0);
  tree::realize(state, Stage::position);
  for (int i = 1; i <= 6; ++i) {
    const double angle = std::acos(-1.0) / 3 * i, reach = 0.15 + 0.12;
    const Vec3<double> toe = state.frame_pose(m.frame("leg " + std::to_string(i) + ".toe")).p;
    EXPECT_LT(norm(toe - Vec3<double>{reach * std::cos(angle), reach * std::sin(angle), 0.5 - 0.18}), 1e-14);
  }
}

// Files.

class Includes : public testing::Test {
 protected:
  Includes() {
    folder_ = std::filesystem::temp_directory_path() / ("polhode_parts_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "parts");
  }
  ~Includes() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::string printed(const std::string& name) const { return write_model(load_model(path(name)).mechanism.description()); }
  std::string mistake(const std::string& name) const {
    try {
      load_model(path(name));
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return {};
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Includes, PutInTheFormsOfAnotherFile) {
  write("main.pol", "(system (include \"parts/a.pol\") (use \"s\" \"x\") (include \"parts/model.pol\"))");
  write("parts/a.pol", "(body \"a\" (mass 1)) (include \"b.pol\")");  // beside the file that says so
  write("parts/b.pol", "(submodel \"s\" (tx \"q\" (mass 1) (include \"frame.pol\"))\n (kinematic \"q\" (file \"t.csv\")))");
  write("parts/frame.pol", "(tz 2 (name \"tip\") (mass 3))");
  write("parts/t.csv", "0,0\n1,2\n");
  write("parts/model.pol", "(system (name \"other\") (body \"m\" (mass 2)))");
  EXPECT_EQ(printed("main.pol"),
            write_model(sound(R"((system (body "a" (mass 1)) (tx "x.q" (mass 1) (tz 2 (name "x.tip") (mass 3)))
      (kinematic "x.q" (samples (0 0) (1 2))) (body "m" (mass 2))))")));
}

TEST_F(Includes, AreKeptWithTheModel) {
  write("main.pol", "(system (include \"parts/a.pol\"))");
  write("parts/a.pol", "(body \"a\" (mass 1)) (include \"b.pol\")");
  write("parts/b.pol", "(body \"b\" (mass 2))");
  const Model model = load_model(path("main.pol"));
  std::filesystem::remove_all(path("parts"));
  const Model again = read_kept_model(model.text, model.file, model.files, {});
  EXPECT_EQ(write_model(again.mechanism.description()), write_model(model.mechanism.description()));
  EXPECT_EQ(model.files.size(), 2u);
}

TEST_F(Includes, TellOfMistakesInTheRightFile) {
  write("main.pol", "(system\n  (include \"parts/a.pol\")\n  (use \"s\" \"x\"))");
  write("parts/a.pol", "(body \"a\" (mass 1))\n(submodel \"s\"\n  (body \"b\" (mass one)))");
  const std::string told = mistake("main.pol");
  const std::string a = path("parts/a.pol").string(), main = path("main.pol").string();
  EXPECT_TRUE(told.starts_with(a + ":3:19: body \"x.b\": mass: mass must be a number, not the word \"one\"")) << told;
  EXPECT_TRUE(contains(told, "  (body \"b\" (mass one)))\n" + std::string(20, ' ') + "^\n")) << told;
  EXPECT_TRUE(contains(told, main + ":3:3: note: used here as \"x\"\n")) << told;
  write("parts/a.pol", "(body \"a\" (mass 1)");
  EXPECT_TRUE(mistake("main.pol").starts_with(a + ":1:1: this ( is never closed")) << mistake("main.pol");
  EXPECT_TRUE(contains(mistake("main.pol"), main + ":2:3: note: included here\n")) << mistake("main.pol");
  write("main.pol", "(system (body \"a\" (mass 1))\n  (include \"parts/a.pol\"))");
  write("parts/a.pol", "\n(body \"a\" (mass 1))");  // found when the mechanism is built
  EXPECT_TRUE(contains(mistake("main.pol"), a + ":2:1: ")) << mistake("main.pol");
  EXPECT_TRUE(contains(mistake("main.pol"), main + ":1:9: note: ")) << mistake("main.pol");
}

TEST_F(Includes, ThatCannotBeAreRefused) {
  write("self.pol", "(system (include \"loop.pol\"))");
  write("loop.pol", "(include \"loop.pol\")");
  EXPECT_TRUE(contains(mistake("self.pol"), "nested more than 20 deep; does a file include itself?")) << mistake("self.pol");
  write("none.pol", "(system (include \"gone.pol\"))");
  EXPECT_TRUE(contains(mistake("none.pol"), "include: \"gone.pol\": there is no such file")) << mistake("none.pol");
  write("folder.pol", "(system (include \"parts\"))");
  EXPECT_TRUE(contains(mistake("folder.pol"), "not a regular file")) << mistake("folder.pol");
  write("bytes.pol", "(system (include \"bad.pol\"))");
  write("bad.pol", "(body \"\xFF\")");
  EXPECT_TRUE(contains(mistake("bytes.pol"), "bad.pol:1:8")) << mistake("bytes.pol");
  write("two.pol", "(system (include \"a\" \"b\"))");
  EXPECT_TRUE(contains(mistake("two.pol"), "names no file, or more than one")) << mistake("two.pol");
  // A text that comes from nowhere may name no files.
  EXPECT_TRUE(contains(error_of("(system (include \"/etc/passwd\"))"), "only a model that is itself read from a file"));
}

// Nonsense.

TEST(Parts, ThatMeanNothingAreRefused) {
  const std::vector<std::pair<const char*, const char*>> mistakes{
      {"(repeat)", "write (repeat index first last forms ...)"},
      {"(repeat i 1 2)", "something is missing"},
      {"(repeat \"i\" 1 2 (body b{i} (mass 1)))", "cannot be an index"},
      {"(repeat 3 1 2 (body b (mass 1)))", "cannot be an index"},
      {"(repeat tx 1 2 (body b (mass 1)))", "cannot be an index"},
      {"(repeat m 1 2 (body b (mass 1)))", "cannot be an index"},
      {"(repeat i 1 2.5 (body b{i} (mass 1)))", "the number 2.5 cannot be a bound"},
      {"(repeat i 1 n (body b{i} (mass 1)))", "the word \"n\" cannot be a bound"},
      {"(repeat i 1 1e300 (body b{i} (mass 1)))", "cannot be a bound"},
      {"(repeat i 1 1000000000 (body b{i} (mass 1)))", "are more than 20000 times"},
      {"(repeat i 1 15000 (repeat j 1 15000 ()))", "more than 20000 times in all"},
      {"(repeat i 1 2 (body b{j} (mass 1)))", "\"{j}\" in a name must be an index"},
      {"(repeat i 1 2 (body b{i*2} (mass 1)))", "\"{i*2}\" in a name must be an index"},
      {"(repeat i 1 2 (body b{i (mass 1)))", "in a name must be an index"},
      {"(repeat i 1 2 (body b (mass 1)))", "with i = 2"},
      {"(repeat i 1 2 (submodel \"s\"))", "must stand directly in the system"},
      {"(use)", "needs a submodel's name and its own"},
      {"(use \"s\")", "needs a submodel's name and its own"},
      {"(use \"leq\" \"a\")", "there is no submodel \"leq\"; did you mean \"leg\"?"},
      {"(use \"leg\" \"a\" (lenght 1))", "has no parameter \"lenght\"; did you mean \"length\"?"},
      {"(use \"leg\" \"a\" (length 1) (length 2))", "\"length\" is given twice"},
      {"(use \"leg\" \"a\" (length))", "\"length\" takes one number"},
      {"(use \"leg\" \"a\" (on \"nobody\"))", "there is no body or frame \"nobody\" to be on"},
      {"(use \"leg\" \"a\" (on \"a.thigh\"))", "it is placed on itself"},
      {"(use \"leg\" \"a\" (on))", "is not complete"},
      {"(use \"leg\" \"a\" (at 1 2))", "z is missing"},
      {"(use \"leg\" \"a\" (at 0 0 (kg 1)))", "is a quantity in m"},
      {"(use \"leg\" \"a\" 3)", "has no parameter"},
      {"(use \"leg\" ground)", "must be one that is not taken"},
      {"(use \"leg\" \"a\") (use \"leg\" \"a\")", "a.thigh"},
      {"(rx \"x\" (mass 1 1 1 1) (use \"leg\" \"a\" (on \"x\")))", "cannot stand inside a frame"},
      {"(submodel)", "its name is missing"},
      {"(submodel \"leg\")", "is defined twice"},
      {"(submodel \"a\" (use \"a\" \"b\")) (use \"a\" \"c\")", "submodel \"a\" is made of itself"},
      {"(submodel \"a\" (use \"b\" \"b\")) (submodel \"b\" (use \"a\" \"c\")) (use \"a\" \"c\")", "is made of itself"},
      {"(submodel \"a\" (gravity 0 0 0)) (use \"a\" \"c\")", "belongs to the whole model"},
      {"(submodel \"a\" (parameter x)) (use \"a\" \"c\")", "parameter \"x\" has no value of its own; write (x value)"},
      {"(submodel \"a\" (outside \"x\")) (use \"a\" \"c\")", "needs a name from here; write (x \"...\")"},
      {"(submodel \"a\" (outside \"x\")) (use \"a\" \"c\" (x 3))", "\"x\" takes one name"},
      {"(submodel \"a\" (rx \"q\" (mass 1 1 1 1))) (body \"b\" (mass 1)) (use \"a\" \"c\" (on \"b\"))", "inside that frame"},
      {"(body \"b\" (use \"leg\" \"a\"))", "there is no option \"use\" here"},
      {"(body \"b\" (include \"a.pol\"))", "there is no option \"include\" here"},
  };
  for (const auto& [form, words] : mistakes) {
    const std::string told = error_of(std::string("(system (body \"plain\" (mass 1)) ") + leg + form + ")");
    EXPECT_TRUE(contains(told, words)) << form << "\nsays:\n" << told;
  }
}

// Twenty submodels of which each uses the next twice would be a million.
TEST(Parts, ThatGrowBeyondReasonAreRefusedSoon) {
  std::string doubling = "(system (use \"s0\" \"x\")";
  for (int i = 0; i < 19; ++i) {
    const std::string next = "(use \"s" + std::to_string(i + 1) + "\" ";
    doubling += "(submodel \"s" + std::to_string(i) + "\" " + next + "\"a\")" + next + "\"b\"))";
  }
  doubling += "(submodel \"s19\" (body \"b\" (mass 1))))";
  std::string names = "(system (repeat i 1 19999 (body \"" + std::string(990, 'x') + "{i}\" (mass 1))))";
  std::string wide = "(system (repeat i 1 15000 (discrete \"d{i}\" (+";
  for (int i = 0; i < 200; ++i) wide += " 1";
  wide += "))))";
  for (const std::string& text : {doubling, names, wide}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(contains(error_of(text), "when its parts are put in") || contains(error_of(text), "times in all"))
        << error_of(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));  // bounds work, not speed
  }
}

TEST(Parts, TellOnceOfWhatIsWrongInEveryTurn) {
  const std::string told = error_of("(system\n (repeat i 1 100\n  (body \"b{i}\" (mass -1))))");
  EXPECT_TRUE(told.starts_with("m.pol:3:3: ")) << told;
  EXPECT_TRUE(contains(told, "m.pol:2:2: note: here with i = 1\n")) << told;
  EXPECT_TRUE(contains(told, "m.pol: and 99 more mistakes of these")) << told;
}

}  // namespace
}  // namespace polhode::format
