#include <unistd.h>
#include <cmath>
#include <filesystem>

#include <fstream>

#include "polhode/format/language/sample_file.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

/// The signal of a coordinate that follows what is written.
Signal signal_of(const std::string& text) {
  const MechanismBuilder builder = sound("(system (tx \"x\" (mass 1)) (kinematic \"x\" " + text + "))");
  if (builder.kinematic().size() == 1) return builder.kinematic()[0].signal;
  ADD_FAILURE() << "no signal in " << text;
  return {};
}

TEST(SignalForms, MeanWhatTheManualSays) {
  EXPECT_EQ(signal_of("2.5").value(9), 2.5);
  EXPECT_EQ(signal_of("(constant 2.5)").value(9), 2.5);
  EXPECT_NEAR(signal_of("(deg 90)").value(0), std::acos(0.0), 1e-15);
  EXPECT_NEAR(signal_of("(sine 2 3)").value(0.4), 2 * std::sin(1.2), 1e-15);
  EXPECT_NEAR(signal_of("(sine 2 (deg 360) 0.5 10)").value(0.4), 10 + 2 * std::sin(0.4 * 4 * std::acos(0.0) + 0.5), 1e-14);
  EXPECT_NEAR(signal_of("(polynomial 1 2 3)").value(2), 17, 1e-14);
  EXPECT_NEAR(signal_of("(samples (0 1) (2 5) (linear))").value(0.5), 2, 1e-15);
  EXPECT_NEAR(signal_of("(samples (0 1) (1 0) (2 5) (clamped))").at(0).rate, 0, 1e-15);
  EXPECT_NEAR(signal_of("(samples (0 1) (1 0) (2 5) (clamped 3 4))").at(2).rate, 4, 1e-14);
  EXPECT_NEAR(signal_of("(SUM 1 (product 2 (polynomial 0 1)))").value(3), 7, 1e-15);
}

TEST(SignalForms, StandInFramesToo) {
  const MechanismBuilder builder = sound("(system (tx (kinematic \"x\" (sine 1 2)) ty (K \"y\" 3) (rz \"q\" (mass 1 1 1 1))))");
  ASSERT_EQ(builder.kinematic().size(), 2u);
  EXPECT_EQ(builder.kinematic()[0].coordinate, "x");
  EXPECT_EQ(builder.kinematic()[1].signal.value(0), 3);
}

class SignalFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("polhode_signal_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string model(const std::string& signal) {
    put("m.pol", "(system (tx \"x\" (mass 1)) (kinematic \"x\" " + signal + "))");
    return (folder_ / "m.pol").string();
  }
  std::string error(const std::string& signal) {
    try {
      load_model(model(signal));
    } catch (const ModelFileError& e) {
      return e.what();
    }
    return {};
  }
  std::filesystem::path folder_;
};

TEST_F(SignalFile, IsReadFromBesideTheModel) {
  put("walk.csv", "t,hip,\"knee, left\"\n0,1,10\n\n1,2,20\r\n2,4,+40\n");
  const auto value = [&](const std::string& signal) {
    return load_model(model(signal)).mechanism.kinematic().at(0).signal.value(1);
  };
  EXPECT_EQ(value("(file \"walk.csv\")"), 2);
  EXPECT_EQ(value("(file \"walk.csv\" 3 (linear))"), 20);
  EXPECT_EQ(value("(file \"walk.csv\" \"knee, left\" (clamped))"), 20);
}

TEST_F(SignalFile, IsWrittenBackAsItsPoints) {
  put("walk.csv", "0,1\n1,2\n");
  const Model read = load_model(model("(file \"walk.csv\" 2 (linear))"));
  EXPECT_TRUE(contains(write_model(read.mechanism.description()), "(samples (0 1) (1 2) (linear))"));
}

TEST_F(SignalFile, MistakesInItAreTold) {
  put("walk.csv", "t,hip\n0,1\n1,x\n");
  put("back.csv", "0,1\n0,2\n");
  put("empty.csv", "t,x\n");
  EXPECT_TRUE(contains(error("(file \"none.csv\")"), "\"none.csv\": there is no such file"));
  EXPECT_TRUE(contains(error("(file \"walk.csv\")"), "line 3: \"x\" is not a finite number"));
  EXPECT_TRUE(contains(error("(file \"walk.csv\" \"hop\")"), "no column \"hop\"; did you mean \"hip\""));
  EXPECT_TRUE(contains(error("(file \"walk.csv\" 5)"), "line 2 has 2 fields"));
  EXPECT_TRUE(contains(error("(file \"back.csv\")"), "line 2: times must increase"));
  EXPECT_TRUE(contains(error("(file \"back.csv\" \"hip\")"), "has no header"));
  EXPECT_TRUE(contains(error("(file \"back.csv\" 1)"), "the first is time"));
  EXPECT_TRUE(contains(error("(file \"empty.csv\")"), "has no numbers"));
  EXPECT_TRUE(contains(error("(file \".\")"), "not a regular file"));
}

TEST(SignalForms, NameNoFilesInAModelThatIsNone) {
  EXPECT_TRUE(contains(error_of("(system (tx \"x\" (mass 1)) (kinematic \"x\" (file \"a.csv\")))"), "(samples ...)"));
}

TEST(SignalForms, NestedTooDeepAreRefused) {
  std::string text = "1";
  for (int i = 0; i < 2000; ++i) text = "(sum " + text + ")";
  EXPECT_TRUE(contains(error_of("(system (tx \"x\" (mass 1)) (kinematic \"x\" " + text + "))"), "nested more than"));
}

}  // namespace
}  // namespace polhode::format
