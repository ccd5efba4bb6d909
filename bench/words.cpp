#include "words.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "environment.h"

namespace polhode::bench {
namespace {

std::vector<std::string> parts_named(const std::string& list, const std::vector<std::string>& all) {
  std::vector<std::string> parts = split_at_commas(list);
  for (const std::string& part : parts)
    if (std::find(all.begin(), all.end(), part) == all.end())
      throw std::invalid_argument(fmt::format("--only: \"{}\" is not a part (parts: {})", part, fmt::join(all, ", ")));
  return parts;
}

/// Throws std::invalid_argument at the first word that it cannot use.
PartOptions parse(const PartProgram& program, const std::vector<std::string>& words) {
  PartOptions options{.parts = program.parts};
  for (const std::string& text : words) {
    const Word word = split_word(text);
    if (word.gives("--only")) {
      options.parts = parts_named(word.value, program.parts);
    } else if (word.gives("--out")) {
      options.out = word.value;
    } else if (word.is("--quick")) {
      options.quick = true;
    } else if (word.is("--strict")) {
      options.strict = true;
    } else if (word.is("--help")) {
      options.help = true;
    } else if (!program.takes(word)) {
      refuse(word);
    }
  }
  return options;
}

}  // namespace

Word split_word(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text, text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
}

std::vector<std::string> split_at_commas(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t comma; (comma = list.find(',', begin)) != std::string::npos; begin = comma + 1) {
    words.push_back(list.substr(begin, comma - begin));
  }
  words.push_back(list.substr(begin));
  return words;
}

void refuse(const Word& word) { throw std::invalid_argument(fmt::format("\"{}\" is not an option (see --help)", word.text)); }

std::ofstream open_results(const std::string& file) {
  std::ofstream results;
  if (file.empty()) return results;
  results.open(file);
  if (!results) throw std::invalid_argument(fmt::format("--out: cannot write to \"{}\"", file));
  return results;
}

bool PartOptions::wants(const char* part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }

int run_parts(const PartProgram& program, int argc, char** argv) {
  hold_libraries_to_one_thread(argv);
  keep_large_blocks_on_the_heap();
  try {
    const PartOptions options = parse(program, {argv + 1, argv + argc});
    if (options.help) {
      fmt::print("{}", program.usage);
      return 0;
    }
    std::ofstream json = open_results(options.out);
    const int missed = program.run(options, json);
    return options.strict && missed > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program.name, error.what());
    return 2;
  }
}

}  // namespace polhode::bench
