// docs/commands.md against the registry of methods: the table of options says what the methods say of themselves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "polhode/study/option_list.h"
#include "polhode/study/quantity_list.h"
#include "tests/support/paths.h"

namespace polhode::study {
namespace {

/// The rows of the table of options, without its head.
std::vector<std::string> documented_rows() {
  std::ifstream file(testing_support::source_folder() + "/docs/commands.md");
  std::vector<std::string> rows;
  bool in_section = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) in_section = line == "### Options of methods";
    if (in_section && line.starts_with("| `--")) rows.push_back(line);
  }
  return rows;
}

TEST(OptionsOfMethods, StandInTheDocumentsAsTheyAre) {
  std::vector<std::string> rows = documented_rows();
  for (const ListedOption& option : listed_options()) {
    const std::string expected =
        fmt::format("| `--{}` | {} | {} | {} | ", option.word, option.takers(), option.standard(), option.allowed());
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const std::string& row) { return row.starts_with(expected); });
    if (found == rows.end()) {
      ADD_FAILURE() << "docs/commands.md needs a row that begins with\n" << expected;
      continue;
    }
    EXPECT_GT(found->size(), expected.size() + 10) << "and says what it means: " << *found;
    rows.erase(found);
  }
  for (const std::string& row : rows) ADD_FAILURE() << "no method has this option: " << row;
}

TEST(QuantityFamilies, StandInTheDocumentsAsTheyAre) {
  std::ifstream file(testing_support::source_folder() + "/docs/record.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const QuantityFamily& f : quantity_families()) {
    const std::string row = fmt::format("\n| `{}` | {} | {} | {} |\n", f.name, f.columns, f.unit, f.meaning);
    EXPECT_NE(page.find(row), std::string::npos) << "docs/record.md needs this row:" << row;
  }
}

TEST(OptionsOfMethods, HaveHelp) {
  for (const ListedOption& option : listed_options())
    for (const OptionField* field : option.fields) EXPECT_FALSE(field->help.empty()) << option.word;
}

}  // namespace
}  // namespace polhode::study
