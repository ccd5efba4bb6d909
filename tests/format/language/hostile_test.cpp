#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "polhode/format/language/limits.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}
/// Processor time of this process: what else the machine does is not counted.
double seconds_of_work() { return double(std::clock()) / CLOCKS_PER_SEC; }
/// A file that is gone at the end of its test.
struct TemporaryFile {
  std::filesystem::path path;
  explicit TemporaryFile(const std::string& contents)
      : path(std::filesystem::temp_directory_path() /
             ("polhode_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".pol")) {
    std::ofstream(path, std::ios::binary) << contents;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
};
std::string load_error(const std::filesystem::path& path) {
  try {
    load_model(path);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return {};
}

TEST(HostileInput, DeepNestingIsRefused) {
  const std::string error = error_of("(system " + repeated("(tx 1 ", 100'000) + repeated(")", 100'000) + ")");
  EXPECT_TRUE(contains(error, "nested more than 10000 deep")) << error.substr(0, 300);
  EXPECT_LT(error.size(), 1000u);
}

TEST(HostileInput, NestingUpToTheLimitIsRead) {
  const std::size_t deep = max_depth - 2;  // the system and the mass are lists too
  const auto builder = sound("(system " + repeated("(tx 1 ", deep - 1) + "(rz \"q\" (mass 1))" + repeated(")", deep - 1) + ")");
  ASSERT_EQ(builder.bodies().size(), 1u);
  EXPECT_EQ(builder.bodies()[0].drawn_pose.p.x, double(deep - 1));
}

TEST(HostileInput, ManyOpenersAreRefused) {
  EXPECT_TRUE(contains(error_of(repeated("(", 1'000'000)), "nested more than"));
  EXPECT_TRUE(contains(error_of(repeated(")", 1'000'000)), "and 981 more mistakes"));  // it gives up at a thousand and one
}

TEST(HostileInput, HugeTextsAreRefusedUnread) {
  const std::string error = error_of(std::string(100'000'000, ' '));
  EXPECT_EQ(error, "m.pol: the model has 100000000 bytes; at most 67108864 (64 MiB) can be read");
}

TEST(HostileInput, TooManyWordsAreRefused) {
  EXPECT_TRUE(contains(error_of("(system " + repeated("1 ", 9'000'000) + ")"), "more than 8000000 words"));
}

TEST(HostileInput, AThousandMistakesAreEnough) {
  const std::string error = error_of("(system " + repeated("(bdy) ", 200'000) + ")");
  EXPECT_TRUE(contains(error, "and 981 more mistakes")) << error.substr(error.size() - 200);
}

TEST(HostileInput, BadBytesAreNamedWithTheirPlace) {
  EXPECT_TRUE(error_of(std::string("(system\n (name \"a\0b\"))", 22)).starts_with("m.pol:2:10: NUL byte"));
  EXPECT_TRUE(error_of("(system\n; \xC3\xA9 \xFF)").starts_with("m.pol:2:5: byte 0xFF is not valid UTF-8"));
  EXPECT_TRUE(contains(error_of("\xC0\xAF"), "0xC0 is not valid UTF-8"));      // overlong
  EXPECT_TRUE(contains(error_of("\xED\xA0\x80"), "0xED is not valid UTF-8"));  // surrogate
  EXPECT_TRUE(contains(error_of("(system)\xE2\x80"), "not valid UTF-8"));      // cut short
}

TEST(HostileInput, LongWordsAreRefusedAndNotRepeatedInMessages) {
  for (const std::string& word :
       {std::string(2'000'000, 'a'), "\"" + std::string(2'000'000, 'a') + "\"", std::string(2'000'000, '1')}) {
    const std::string error = error_of("(system (name " + word + "))");
    EXPECT_TRUE(contains(error, "longer than 1000 bytes")) << error.substr(0, 300);
    EXPECT_LT(error.size(), 1000u);
  }
}

TEST(HostileInput, ALargeModelIsReadSoon) {
  std::string text = "(system ";
  for (int i = 0; i < 50'000; ++i) {
    const std::string n = std::to_string(i);
    text += "(body \"b" + n + "\" (mass 1)) (joint pin \"j" + n + "\" ground \"b" + n + "\" (axis 0 0 1)) (tx \"q" + n +
            "\" (mass 1))\n";
  }
  const double start = seconds_of_work();
  EXPECT_EQ(sound(text + ")").bodies().size(), 100'000u);
  // About a second here when linear, many minutes when not.
  EXPECT_LT(seconds_of_work() - start, 60);
}

// Each of these once took time or memory as the square of the model's size.
TEST(HostileInput, MistakesInEveryLineOfALargeModelAreToldSoon) {
  const auto lines = [](const std::string& before, const std::string& after) {
    std::string text = "(system ";
    for (int i = 0; i < 30'000; ++i) text += before + std::to_string(i) + after;
    return text + ")";
  };
  const std::string good = "(rx \"q";
  for (const std::string& text : {
           lines("(body \"b\" (mass 1 1 1 1)) (frame \"f", "\" ground 0 0 0)"),             // one name for all bodies
           lines("(tx \"q", "\" (name \"b\") (mass 1))"),                                   // one name for all frames
           lines("(rx \"q\" (mass 1)) (frame \"f", "\" ground 0 0 0)"),                     // one variable for all frames
           lines(good, "\" (mass 1 1 1 1)) (joint weld \"w\" ground \"none\")"),            // unknown bodies
           lines(good, "\" (mass 1 1 1 1)) (damping \"none\" 1) (wire \"none\" ground 1)")  // unknown coordinates and frames
       }) {
    const double start = seconds_of_work();
    EXPECT_TRUE(contains(error_of(text), " more mistakes"));
    // Half a second here when linear, minutes when not.
    EXPECT_LT(seconds_of_work() - start, 20);
  }
}

TEST(ModelFile, IsRefusedWhenItIsNotThereOrADirectoryOrTooBig) {
  EXPECT_EQ(load_error("/no/such/model.pol"), "/no/such/model.pol: there is no such file");
  EXPECT_TRUE(contains(load_error(std::filesystem::temp_directory_path()), "is a directory"));
  const TemporaryFile big("");
  std::filesystem::resize_file(big.path, max_text_bytes + 1);
  EXPECT_TRUE(contains(load_error(big.path), "is larger than 67108864 bytes"));
}

TEST(ModelFile, WithoutAnEndIsNotReadForever) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "this system has no endless file";
  EXPECT_TRUE(contains(load_error("/dev/zero"), "is larger than"));
}

TEST(ModelFile, KeepsItsTextAndName) {
  const TemporaryFile file("(system (tx \"q\" (mass 1)))\n");
  const Model model = load_model(file.path);
  EXPECT_EQ(model.text, "(system (tx \"q\" (mass 1)))\n");
  EXPECT_EQ(model.file, file.path.string());
  EXPECT_EQ(model.mechanism.num_q(), 1);
}

}  // namespace
}  // namespace polhode::format
