#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/format/language/reading.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

const std::filesystem::path root = testing_support::source_folder();

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / "models")) {
    if (entry.path().extension() == ".pol") files.push_back(entry.path());
  }
  return files;
}
std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Corpus, EveryModelReadsAndSaysOnItsFirstLineWhatItShows) {
  EXPECT_GE(model_files().size(), 14u);
  for (const auto& file : model_files()) {
    SCOPED_TRACE(file.filename().string());
    const Model model = load_model(file);
    EXPECT_TRUE(model.text.starts_with("; "));
    EXPECT_GT(model.mechanism.num_u(), 0);
    if (file.stem() != "closed_chain_device") {
      EXPECT_TRUE(model.warnings.empty()) << model.rendered_warnings();
    }
  }
}

TEST(Corpus, EveryModelSurvivesWritingAndReading) {
  for (const auto& file : model_files()) {
    SCOPED_TRACE(file.filename().string());
    const Model model = load_model(file);
    const std::string written = write_model(model.mechanism.description());
    const Model again = read_model(written, "written.pol");
    EXPECT_EQ(write_model(again.mechanism.description()), written);
    EXPECT_EQ(again.mechanism.coordinate_names(), model.mechanism.coordinate_names());
    EXPECT_EQ(again.mechanism.initial_q(), model.mechanism.initial_q());
    EXPECT_EQ(again.mechanism.initial_u(), model.mechanism.initial_u());
  }
}

// In the drawing every loop is closed, and there every coordinate is zero: the two frames of a loop joint coincide.
TEST(Corpus, LoopsAreDrawnClosed) {
  for (const char* name : {"slider_crank", "four_bar", "bricard"}) {
    const Model model = load_model(root / "models" / (std::string(name) + ".pol"));
    const Mechanism& m = model.mechanism;
    ASSERT_EQ(m.loop_joints().size(), 1u) << name;
    const LoopJoint& loop = m.loop_joints()[0];
    const auto F = m.bodies()[std::size_t(loop.parent)].drawn_pose * loop.X_PF;
    const auto M = m.bodies()[std::size_t(loop.child)].drawn_pose * loop.X_BM;
    EXPECT_LT(norm(F.p - M.p), 1e-14) << name;  // a few roundings of lengths of order one
  }
  // Link lengths in the drawing are those that the frames on the bodies say.
  const Model bar = load_model(root / "models" / "four_bar.pol");
  const auto& coupler = bar.mechanism.bodies()[std::size_t(bar.mechanism.body("coupler"))].drawn_pose;
  const auto& rocker = bar.mechanism.bodies()[std::size_t(bar.mechanism.body("rocker"))].drawn_pose;
  EXPECT_LT(norm(coupler * Vec3<double>{0.45, 0, 0} - rocker * Vec3<double>{0, 0, 0.35}), 1e-14);
}

TEST(Corpus, HumanoidHasThirtySixDegreesOfFreedom) {
  const Model model = load_model(root / "models" / "humanoid.pol");
  EXPECT_EQ(model.mechanism.num_u(), 6 + 3 + 3 + 2 * (3 + 1 + 2) + 2 * (3 + 1 + 2));
}

// Johnson & Murphey, Listing 1: seven hinges, seven unit masses, four scalar constraints, and a misspelt keyword.
TEST(ListingOne, ParsesAsPrintedWithOneWarningAboutItsSpelling) {
  const Model model = load_model(root / "models" / "closed_chain_device.pol");
  EXPECT_EQ(model.mechanism.num_q(), 7);
  EXPECT_EQ(model.mechanism.constraints().size(), 4u);
  std::set<std::string> names(model.mechanism.coordinate_names().begin(), model.mechanism.coordinate_names().end());
  EXPECT_EQ(names, (std::set<std::string>{"J", "H", "K", "M", "A", "C", "E"}));
  double total = 0;
  for (const Body& body : model.mechanism.bodies()) total += body.mass.mass;
  EXPECT_EQ(total, 7);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_TRUE(contains(model.rendered_warnings(), ":26:2: warning: \"point-constaint\"")) << model.rendered_warnings();
}

TEST(ListingOne, PutsItsFramesWhereItsNumbersSay) {
  const Model model = load_model(root / "models" / "closed_chain_device.pol");
  const auto place = [&](const char* name) {
    const Frame& frame = model.mechanism.frames()[std::size_t(model.mechanism.frame(name))];
    return model.mechanism.bodies()[std::size_t(frame.body)].drawn_pose * frame.X_BF.p;
  };
  EXPECT_EQ(place("O2"), (Vec3<double>{0, 0, -3}));       // 0 - 1 - 2
  EXPECT_EQ(place("O"), (Vec3<double>{-1.5, 0, -3}));     // -2 - 1
  EXPECT_EQ(place("G2"), (Vec3<double>{1.5, 0, -3.75}));  // -2 - 0.75 - 1
}

TEST(LanguageReference, EveryExampleIsAModel) {
  const std::string text = contents(root / "docs" / "language.md");
  const std::string fence = "```pol\n";
  int examples = 0;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at), ++examples) {
    at += fence.size();
    const std::size_t end = text.find("```", at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(error_of(text.substr(at, end - at)), "") << text.substr(at, end - at);
    at = end;
  }
  EXPECT_GE(examples, 10);
}

}  // namespace
}  // namespace polhode::format
