// Values of options: by name, in words, and back.
#include "polhode/state/option_table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polhode {
namespace {

enum class Colour { red, green };
struct Paint {
  double width = 0.5;
  std::optional<double> length{};
  int coats = 2;
  std::string brush = "flat";
  Colour colour = Colour::red;
  NamedNumbers shares{};
};

const OptionTable<Paint>& table() {
  static const OptionTable<Paint> all{
      {&Paint::width, {.name = "width", .kind = OptionField::positive_up_to(2), .unit = "m", .hint = "try 1"}},
      {&Paint::length,
       {.name = "total length", .kind = OptionField::positive(), .standard_text = "as it comes", .flag = "long"}},
      {&Paint::coats, {.name = "coats", .kind = OptionField::Whole{{1, 2, 3}}, .quiet = true}},
      {&Paint::brush, {.name = "brush", .kind = OptionField::Choice{{"flat", "round"}}}},
      {&Paint::colour,
       {.name = "colour"},
       std::vector<std::pair<std::string, Colour>>{{"red", Colour::red}, {"green", Colour::green}}},
      {&Paint::shares, {.name = "share", .kind = OptionField::Named{}}}};
  return all;
}
OptionField field(const std::string& name) {
  for (const OptionField& one : table().fields())
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

TEST(OptionTable, PutsEveryKindOfValueWhereItBelongs) {
  const Paint paint = table().read({{"width", 1.5},
                                    {"total length", 3},
                                    {"coats", 3},
                                    {"brush", "round"},
                                    {"colour", "green"},
                                    {"share", NamedNumbers{{"oil", 0.25}}}});
  EXPECT_EQ(paint.width, 1.5);
  EXPECT_EQ(paint.length, 3.0);
  EXPECT_EQ(paint.coats, 3);
  EXPECT_EQ(paint.brush, "round");
  EXPECT_EQ(paint.colour, Colour::green);
  EXPECT_EQ(paint.shares, (NamedNumbers{{"oil", 0.25}}));
}

TEST(OptionTable, TakesStandardValuesFromTheStruct) {
  EXPECT_EQ(field("width").standard, OptionValue(0.5));
  EXPECT_EQ(field("coats").standard, OptionValue(2));
  EXPECT_EQ(field("colour").standard, OptionValue("red"));
  EXPECT_FALSE(field("total length").standard.has_value());
}

TEST(OptionTable, ListsWhatIsInForceAndTellsPeopleWhatIsNotUsual) {
  const auto shown = [](const Paint& paint) { return told(table().resolved(paint)); };
  using Texts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(shown({}), (Texts{{"width", "0.5"}, {"brush", "flat"}, {"colour", "red"}}));
  EXPECT_EQ(shown({.coats = 1}), (Texts{{"width", "0.5"}, {"coats", "1"}, {"brush", "flat"}, {"colour", "red"}}));
  EXPECT_EQ(table().resolved({}).size(), 4u);
  EXPECT_EQ(table().resolved({}, {"brush"}).size(), 3u);
}

TEST(OptionField, SaysWhatIsWrongWithAValue) {
  EXPECT_EQ(field("width").objection(1.0), "");
  EXPECT_EQ(field("width").objection(2), "");
  EXPECT_EQ(field("width").objection(0.0), "width 0 m must be positive and at most 2; try 1");
  EXPECT_EQ(field("width").objection(std::nan("")), "width nan m must be positive and at most 2; try 1");
  EXPECT_EQ(field("total length").objection(-1.5), "total length -1.5 must be a positive number");
  EXPECT_EQ(field("coats").objection(4), "coats 4 is not known; use 1, 2 or 3");
  EXPECT_EQ(field("coats").objection(1.5), "coats 1.5 must be a whole number: 1, 2 or 3");
  EXPECT_EQ(field("coats").objection(3.0), "");
  EXPECT_EQ(field("brush").objection("rund"),
            "brush \"rund\" is not known; did you mean \"round\"? (it is one of: flat, round)");
  EXPECT_NE(field("brush").objection(1.0), "");
  EXPECT_EQ(field("share").objection(NamedNumbers{{"oil", 1}, {"oil", 2}}), "share of \"oil\" is given twice; once is enough");
  EXPECT_EQ(field("share").objection(NamedNumbers{{"oil", -1}}), "share -1 of \"oil\" must be a positive number");
}

// 0.1 and 1/3 have no end in decimals; the words must still give the same bits.
TEST(OptionField, WordsAreReadBackToTheLastBit) {
  OptionValues given{{"width", 0.1}, {"total length", 1.0 / 3}, {"coats", 3}, {"brush", "round"}, {"colour", "green"}};
  given.set("share", NamedNumbers{{"oil of a", 0.1}, {"b=c", 1e-300}});
  OptionValues back;
  for (const auto& [name, value] : given)
    for (const auto& [word, text] : field(name).words(value)) EXPECT_TRUE(field(name).take_word(word, text, back)) << word;
  EXPECT_EQ(back, given);
  EXPECT_EQ(field("total length").words(1.0).front().first, "long");
}

TEST(OptionField, ReadsTextOfItsTypeOnly) {
  EXPECT_EQ(field("width").read("+1e-3"), OptionValue(1e-3));
  EXPECT_EQ(field("coats").read("1e0"), OptionValue(1));
  EXPECT_EQ(field("share").read("a=b=2"), OptionValue(NamedNumbers{{"a=b", 2}}));
  for (const char* text : {"", "1s", "inf", "nan", "0x"}) EXPECT_FALSE(field("width").read(text)) << text;
  for (const char* text : {"", "1.5", "1e99", "one"}) EXPECT_FALSE(field("coats").read(text)) << text;
  for (const char* text : {"", "a", "=1", "a=", "a=b"}) EXPECT_FALSE(field("share").read(text)) << text;
}

TEST(OptionValues, KeepOneValueForEachName) {
  OptionValues values{{"width", 1.0}, {"width", 2}};
  EXPECT_EQ(values.number("width"), 2.0);
  values.erase("width");
  EXPECT_TRUE(values.empty());
  EXPECT_FALSE(values.number("width"));
}

}  // namespace
}  // namespace polhode
