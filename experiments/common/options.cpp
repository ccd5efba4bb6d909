#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "../../bench/words.h"

namespace polhode::experiments {
namespace {

const Experiment* named(const std::string& name, std::span<const Experiment* const> known) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const Experiment* e) { return e->name == name; });
  if (found != known.end()) return *found;
  std::vector<std::string> names;
  for (const Experiment* experiment : known) names.emplace_back(experiment->name);
  throw std::invalid_argument(fmt::format("\"{}\" is not an experiment (experiments: {})", name, fmt::join(names, ", ")));
}

}  // namespace

Options parse(const std::vector<std::string>& words, std::span<const Experiment* const> known) {
  Options options;
  for (const std::string& text : words) {
    const bench::Word word = bench::split_word(text);
    if (word.gives("--out")) {
      options.out = word.value;
    } else if (word.is("--quick")) {
      options.quick = true;
    } else if (word.is("--strict")) {
      options.strict = true;
    } else if (word.is("--list")) {
      options.list = true;
    } else if (word.is("--page-only")) {
      options.page_only = true;
    } else if (word.is("--help")) {
      options.help = true;
    } else if (text.starts_with('-')) {
      bench::refuse(word);
    } else {
      options.chosen.push_back(named(text, known));
    }
  }
  if (options.chosen.empty()) options.chosen.assign(known.begin(), known.end());
  return options;
}

}  // namespace polhode::experiments
