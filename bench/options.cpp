#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "words.h"

namespace polhode::bench {
namespace {

int whole_number(const std::string& option, const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw std::invalid_argument(fmt::format("{}: \"{}\" is not a whole number", option, word));
  }
  return value;
}

std::vector<int> sizes_named(const std::string& list) {
  std::vector<int> sizes;
  for (const std::string& word : split_at_commas(list)) {
    const int n = whole_number("--sizes", word);
    if (std::find(chain_sizes.begin(), chain_sizes.end(), n) == chain_sizes.end()) {
      throw std::invalid_argument(
          fmt::format("--sizes: no reference values for n = {} (sizes: {})", n, fmt::join(chain_sizes, ", ")));
    }
    sizes.push_back(n);
  }
  return sizes;
}

std::vector<SubjectKind> subjects_named(const std::string& list) {
  std::vector<SubjectKind> chosen;
  const auto available = available_subjects();
  for (const std::string& word : split_at_commas(list)) {
    const auto found =
        std::find_if(available.begin(), available.end(), [&](const SubjectKind& kind) { return kind.name == word; });
    if (found == available.end()) {
      std::vector<std::string_view> names;
      for (const SubjectKind& kind : available) names.push_back(kind.name);
      throw std::invalid_argument(
          fmt::format("--subjects: \"{}\" is not built into this program (subjects: {})", word, fmt::join(names, ", ")));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

const char* const usage =
    "usage: polhode_bench_chain [options]\n"
    "  --sizes=7,30,...      chain lengths, some of 7, 30, 100, 300, 1000 (default: all)\n"
    "  --subjects=NAME,...   engines, some of those built in (default: all)\n"
    "  --repetitions=N       runs of each case, of which the fastest counts (default: 25)\n"
    "  --out=FILE            write the results there as JSON\n"
    "  --check-only          compare the answers with the reference values, measure nothing\n"
    "  --strict              exit with status 1 if a target is missed\n"
    "exit status: 0 done, 1 an answer is wrong (or --strict and a target missed), 2 bad usage\n";

Options parse_options(const std::vector<std::string>& words) {
  Options options;
  options.subjects.assign(available_subjects().begin(), available_subjects().end());
  options.sizes.assign(chain_sizes.begin(), chain_sizes.end());
  for (const std::string& text : words) {
    const Word word = split_word(text);
    if (word.gives("--sizes")) {
      options.sizes = sizes_named(word.value);
    } else if (word.gives("--subjects")) {
      options.subjects = subjects_named(word.value);
    } else if (word.gives("--repetitions")) {
      options.repetitions = whole_number(word.key, word.value);
      if (options.repetitions < 1) throw std::invalid_argument("--repetitions: at least 1 is needed");
    } else if (word.gives("--out")) {
      options.out = word.value;
    } else if (word.is("--check-only")) {
      options.check_only = true;
    } else if (word.is("--strict")) {
      options.strict = true;
    } else if (word.is("--help")) {
      options.help = true;
    } else {
      refuse(word);
    }
  }
  return options;
}

}  // namespace polhode::bench
