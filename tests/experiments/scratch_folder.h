#pragma once
#include <gtest/gtest.h>

#include <filesystem>

namespace polhode::test {

/// A folder of a test's own, empty, and gone when it ends.
struct ScratchFolder {
  std::filesystem::path path;

  ScratchFolder() {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    path = std::filesystem::path(testing::TempDir()) / ("polhode_" + std::string(info->test_suite_name()) + "_" + info->name());
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

}  // namespace polhode::test
