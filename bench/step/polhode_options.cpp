#include "polhode_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace polhode::bench {
namespace {

void read_word(const MethodEntry& method, const std::string& word, study::SimulateOptions& options) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals), value = word.substr(std::min(equals + 1, word.size()));
  for (const OptionField& field : method.options) {
    if (field.word() != name) continue;
    if (!field.take_word(name, value, options.options))
      throw std::runtime_error(fmt::format("Polhode: \"{}\" has no value that can be read", word));
    return;
  }
  throw std::runtime_error(fmt::format("Polhode knows no option \"{}\" of {}", word, method.name));
}

}  // namespace

study::SimulateOptions polhode_options(const std::string& method, double dt) {
  std::istringstream words(method);
  study::SimulateOptions options;
  words >> options.method;
  const MethodEntry* const entry = study::find_method(options.method);
  if (!entry) throw std::runtime_error(study::objection_to_method(options.method));
  for (std::string word; words >> word;) read_word(*entry, word, options);
  if (!options.options.has("accuracy")) options.dt = dt;
  if (entry->option("tolerance") && !options.options.has("tolerance"))
    options.options.set("tolerance", 1e-10);  // what the step's targets are stated for
  return options;
}

}  // namespace polhode::bench
