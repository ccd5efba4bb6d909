#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "polhode/format/language/model_recipe.h"
#include "polhode/state/state.h"

namespace polhode::format {

/// A model file, read once, to be built again and again with other values of some of its parameters, initial coordinates and
/// initial speeds. Building is a function of the values alone, so that many threads may do it at once.
class VariedModel {
 public:
  /// Each name is a parameter, or else a coordinate or a speed whose value at the start is meant. Throws ModelFileError for a
  /// file that is no model with its own values (and the given ones), std::invalid_argument for a name that cannot be varied.
  /// The given values replace those of the file; one that is varied as well is refused, or where varying starts.
  enum class GivenAndVaried { refused, start };
  VariedModel(const std::filesystem::path& file, std::vector<std::string> names, ParameterValues given = {},
              GivenAndVaried both = GivenAndVaried::refused);

  /// The model as it is in the file, with the given values.
  const Model& base() const { return base_; }
  const std::vector<std::string>& names() const { return names_; }
  /// The values that the names have in the model itself.
  const std::vector<double>& base_values() const { return base_values_; }

  /// The model with these values of the names, in their order.
  Model model(std::span<const double> values) const;
  /// The assembled start. Throws ModelError, or std::runtime_error when its constraints cannot be met.
  State start(std::span<const double> values) const;

 private:
  enum class Kind { parameter, coordinate, speed };

  struct Given {
    ParameterValues parameters;
    std::vector<InitialValue> initial;
  };
  Given given_with(std::span<const double> values) const;
  Mechanism mechanism_with(std::span<const double> values) const;

  ModelRecipe recipe_;
  std::vector<std::string> names_;
  ParameterValues given_;
  Model base_;
  std::vector<Kind> kinds_;
  std::vector<double> base_values_;
};

}  // namespace polhode::format
