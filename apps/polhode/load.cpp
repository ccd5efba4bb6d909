#include "load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.h"
#include "polhode/format/language/diagnostics.h"
#include "polhode/tree/realize.h"
#include "usage.h"

namespace polhode::cli {

void rethrow_with_places(const ModelError& error, const format::Model& model) {
  throw format::ModelFileError(error.problems(), model.rendered(error.problems()));
}

void add_set_option(CLI::App& command, std::vector<std::string>& settings) {
  command.add_option("--set", settings, "NAME=VALUE: another value for a parameter of the model; may be repeated")
      ->allow_extra_args(false);  // else a model named after it would be taken for a setting
}

format::ParameterValues parameter_values(const std::vector<std::string>& settings) {
  format::ParameterValues values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw std::invalid_argument(fmt::format("--set \"{}\" is not of the form NAME=VALUE", setting));
    const std::string name = setting.substr(0, equals), text = setting.substr(equals + 1);
    const double value = number(text);
    if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("--set {}: \"{}\" is not a finite number", name, text));
    if (std::any_of(values.begin(), values.end(), [&](const auto& other) { return other.first == name; }))
      throw std::invalid_argument(fmt::format("--set gives \"{}\" twice; keep one", name));
    values.emplace_back(name, value);
  }
  return values;
}

LoadedModel load(const std::string& file, const std::vector<std::string>& settings) {
  format::Model model = format::load_model(file, parameter_values(settings));
  if (const std::string warnings = model.rendered_warnings(); !warnings.empty()) complain(warnings);
  try {
    State start = tree::initial_state(model.mechanism);
    return {std::move(model), std::move(start)};
  } catch (const ModelError& error) {
    rethrow_with_places(error, model);
  }
}

}  // namespace polhode::cli
