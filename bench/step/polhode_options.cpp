#include "polhode_options.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace polhode::bench {
namespace {

double number(const std::string& word, const std::string& value) {
  std::size_t read = 0;
  double x = 0;
  try {
    x = std::stod(value, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != value.size()) throw std::runtime_error(fmt::format("Polhode: \"{}\" has no number", word));
  return x;
}

void read_word(const std::string& word, study::SimulateOptions& options) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (name == "order") {
    options.order = int(number(word, value));
  } else if (name == "accuracy") {
    options.accuracy = number(word, value);
  } else if (name == "tolerance") {
    options.tolerance = number(word, value);
  } else if (name == "alpha") {
    options.alpha = number(word, value);
  } else if (name == "integrator") {
    options.integrator = value;
  } else if (name == "projection") {
    options.projection = value;
  } else if (name == "invariant") {
    options.invariant = value;
  } else {
    throw std::runtime_error(fmt::format("Polhode knows no option \"{}\"", word));
  }
}

}  // namespace

study::SimulateOptions polhode_options(const std::string& method, double dt) {
  std::istringstream words(method);
  study::SimulateOptions options;
  words >> options.method;
  for (std::string word; words >> word;) read_word(word, options);
  if (!options.accuracy) options.dt = dt;
  const bool solves = options.method == "tree-variational" || options.method == "maximal-variational";
  if (solves && !options.tolerance) options.tolerance = 1e-10;  // what the step's targets are stated for
  return options;
}

}  // namespace polhode::bench
