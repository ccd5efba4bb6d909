#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/format/language/model.h"

namespace polhode::format {

class ParsedText;
struct FilesOfModel;

/// A model's text, read once, to be built with any values of its parameters: numbers are evaluated and names resolved anew, but
/// nothing is cut into words or read from disk again. The mechanisms are the same, to the last bit, as if the text were read
/// for each. Copies share what was read; several threads may build at once.
class ModelRecipe {
 public:
  /// Files that the model names are looked for in the folder; without one it may name none.
  ModelRecipe(std::string text, std::string file_name, std::optional<std::string> folder);
  /// The same where everything was kept: the files that the model names are these.
  ModelRecipe(std::string text, std::string file_name, const std::vector<ModelFile>& files);

  /// Values given for the model's parameters and for its start replace those that it has. Throws ModelFileError.
  Model read(const ParameterValues& parameters = {}, const std::vector<InitialValue>& initial = {}) const;
  /// The same, with the files that it names kept for later: they are then not read again.
  Model read_and_keep_files(const ParameterValues& parameters);
  /// The mechanism alone.
  Mechanism build(const ParameterValues& parameters = {}, const std::vector<InitialValue>& initial = {}) const;

 private:
  struct Built;
  Built make(const ParameterValues& parameters, const std::vector<InitialValue>& initial) const;
  Model with_text(Built built) const;

  std::string file_name_;
  std::optional<std::string> folder_;
  std::shared_ptr<const ParsedText> parsed_;
  std::shared_ptr<const FilesOfModel> files_;
};

}  // namespace polhode::format
