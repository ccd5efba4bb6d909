#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/paths.h"

/// Runs the program through a real shell, for redirections and closed streams; program.h runs it directly.
namespace polhode::shell_test {

struct Outcome {
  int status = -1;   ///< as the program returned it; 128 and more when a signal ended it
  std::string text;  ///< what the shell command put on standard output
};

/// `$P` in the command is the program.
inline Outcome shell(const std::string& command) {
  setenv("P", testing_support::program_path(), 1);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  Outcome outcome;
  std::array<char, 4096> chunk;
  for (std::size_t n = 0; (n = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) outcome.text.append(chunk.data(), n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// A folder of its own for each test, gone at its end.
class Shell : public ::testing::Test {
 protected:
  Shell() {
    std::string pattern = (std::filesystem::temp_directory_path() / "polhode-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("D", folder_.c_str(), 1);
    setenv("MODELS", testing_support::models_folder().c_str(), 1);
  }
  ~Shell() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path path(const std::string& name) const { return std::filesystem::path(folder_) / name; }

 private:
  std::string folder_;
};

}  // namespace polhode::shell_test
