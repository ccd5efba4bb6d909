#include "polhode/format/language/diagnostics.h"

#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

/// The column of the caret and the character above it, in the last two lines of a rendering of one problem.
char character_above_caret(const std::string& rendered) {
  const std::size_t caret_line = rendered.rfind('\n') + 1;
  const std::size_t source_line = rendered.rfind('\n', caret_line - 2) + 1;
  const std::size_t column = rendered.find('^', caret_line) - caret_line;
  return rendered.at(source_line + column);
}

TEST(Diagnostics, PutACaretUnderThePlace) {
  EXPECT_EQ(render({{"what is wrong", {2, 4}}}, "first\nab cXd\nlast", "f.pol"),
            "f.pol:2:4: what is wrong\n"
            "  ab cXd\n"
            "     ^");
}

TEST(Diagnostics, ShowTheOtherPlaceAsANote) {
  EXPECT_EQ(render({{"twice", {2, 1}, {1, 1}, "first defined"}}, "a\nb", "f"),
            "f:2:1: twice\n  b\n  ^\n"
            "f:1:1: note: first defined\n  a\n  ^");
}

TEST(Diagnostics, NameOnlyTheFileWhenThereIsNoPlace) { EXPECT_EQ(render({{"no such file", {}}}, "", "f"), "f: no such file"); }

TEST(Diagnostics, MarkWarnings) { EXPECT_EQ(render({{"odd", {}}}, "", "f", Severity::warning), "f: warning: odd"); }

TEST(Diagnostics, TrimLongLinesAroundTheCaret) {
  std::string line(100'000, '.');
  line[70'000] = 'X';
  const std::string rendered = render({{"here", {1, 70'001}}}, line, "f");
  EXPECT_LT(rendered.size(), 300u);
  EXPECT_EQ(character_above_caret(rendered), 'X');
}

TEST(Diagnostics, KeepTheCaretInPlaceAfterTabsAndControlCharacters) {
  const std::string rendered = render({{"here", {1, 5}}}, "\t\ta\rX", "f");
  EXPECT_EQ(character_above_caret(rendered), 'X');
  EXPECT_EQ(rendered.find('\t'), std::string::npos);
  EXPECT_FALSE(contains(render({{"here", {1, 1}}}, "\x1b[31mred", "f"), "\x1b"));
  EXPECT_FALSE(contains(render({{"name \x1b[31m", {}}}, "", "f"), "\x1b"));
}

TEST(Diagnostics, CountCharactersNotBytes) {
  const std::string rendered = render({{"here", {1, 3}}}, "\xC3\xA9\xC3\xA9X", "f");
  EXPECT_TRUE(contains(rendered, "\n    ^")) << rendered;  // two columns of margin, two characters
}

TEST(Diagnostics, StopAfterTwentyAndSayHowManyAreLeft) {
  std::vector<Problem> problems;
  for (int i = 1; i <= 27; ++i) problems.push_back({"mistake number " + std::to_string(i), {i, 1}});
  const std::string rendered = render(problems, "", "f");
  EXPECT_TRUE(contains(rendered, "mistake number 20\n"));
  EXPECT_FALSE(contains(rendered, "mistake number 21"));
  EXPECT_TRUE(rendered.ends_with("f: and 7 more mistakes"));
}

TEST(Diagnostics, AreSortedByPlace) {
  const std::string rendered = render({{"second", {3, 1}}, {"first", {1, 9}}}, "a\nb\nc", "f");
  EXPECT_LT(rendered.find("first"), rendered.find("second"));
}

}  // namespace
}  // namespace polhode::format
