#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/paths.h"

extern char** environ;

/// Running the program as a user's shell would, in a folder of the test's own.
namespace polhode::cli_test {

/// Exit status, or -1 when a signal ended the program.
struct Outcome {
  int status;
  std::string out, err;
};

/// A result file: the header's names, and the rows below it.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  std::vector<double> column(const std::string& name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    EXPECT_NE(found, columns.end()) << "no column " << name;
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row.at(std::size_t(found - columns.begin())));
    return values;
  }
};

inline std::string model(const std::string& name) { return testing_support::model_path(name); }

class Program : public ::testing::Test {
 protected:
  Program() {
    std::string pattern = (std::filesystem::temp_directory_path() / "polhode_cli_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Program() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// A path in the test's folder.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  Outcome polhode(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), testing_support::program_path());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string out = path("stdout"), err = path("stderr");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int spawned = posix_spawn(&child, testing_support::program_path(), &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    EXPECT_EQ(spawned, 0) << "cannot start " << testing_support::program_path();
    int status = 0;
    if (spawned == 0) waitpid(child, &status, 0);
    return {spawned == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
  }

  /// The one object that --json prints; nothing else may stand beside it.
  nlohmann::json json_of(std::vector<std::string> arguments, int status = 0) const {
    arguments.push_back("--json");
    const Outcome outcome = polhode(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    const nlohmann::json object = nlohmann::json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(object.is_object()) << outcome.out;
    return object;
  }

  Table table(const std::string& file) const {
    std::ifstream in(file);
    EXPECT_TRUE(in) << file;
    Table result;
    std::string line, field;
    std::getline(in, line);
    for (std::istringstream fields(line); std::getline(fields, field, ',');) result.columns.push_back(field);
    while (std::getline(in, line)) {
      auto& row = result.rows.emplace_back();
      for (std::istringstream fields(line); std::getline(fields, field, ',');) row.push_back(std::stod(field));
      EXPECT_EQ(row.size(), result.columns.size()) << line;
    }
    return result;
  }

 private:
  std::filesystem::path folder_;
};

/// Exit status 2, nothing on standard output, and every one of the words in the message.
inline ::testing::AssertionResult refused(const Outcome& outcome, const std::vector<std::string>& words) {
  if (outcome.status != 2) return ::testing::AssertionFailure() << "exit status " << outcome.status << ": " << outcome.err;
  if (!outcome.out.empty()) return ::testing::AssertionFailure() << "prints " << outcome.out;
  for (const std::string& word : words)
    if (outcome.err.find(word) == std::string::npos)
      return ::testing::AssertionFailure() << "does not say " << word << ": " << outcome.err;
  return ::testing::AssertionSuccess();
}

}  // namespace polhode::cli_test
