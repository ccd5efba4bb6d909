#include "polhode/format/runs/csv.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "polhode/format/language/model.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

Mechanism pendulum() { return read_model(R"((system (ry "a" (tz -1 (mass 1)))))", "test.pol").mechanism; }
/// A file of the test's own: tests run side by side.
std::filesystem::path file() {
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  return std::filesystem::path(::testing::TempDir()) / ("polhode_" + test + "_" + std::to_string(getpid()) + ".csv");
}

TEST(CsvWriter, RefusesFramesThatAreNotThereBeforeItEmptiesTheFile) {
  std::ofstream(file()) << "precious";
  EXPECT_THROW(CsvWriter(file(), pendulum(), {-1}), std::out_of_range);
  EXPECT_THROW(CsvWriter(file(), pendulum(), {99}), std::out_of_range);
  EXPECT_EQ(std::filesystem::file_size(file()), std::string("precious").size());
  std::filesystem::remove(file());
}

TEST(CsvWriter, RefusesStatesOfAnotherMechanism) {
  const Mechanism mechanism = pendulum(), other = pendulum();
  State own(mechanism), foreign(other);
  tree::realize(own, Stage::velocity);
  tree::realize(foreign, Stage::velocity);
  CsvWriter writer(file(), mechanism, {});
  EXPECT_NO_THROW(writer.write(own));
  EXPECT_THROW(writer.write(foreign), std::invalid_argument);
  writer.close();
  std::filesystem::remove(file());
}

}  // namespace
}  // namespace polhode::format
