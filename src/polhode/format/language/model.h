#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/format/language/model_file.h"
#include "polhode/format/language/parameters.h"
#include "polhode/format/language/source_texts.h"
#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/mechanism.h"

/// The model language (docs/language.md): text in, mechanism out, and back.
namespace polhode::format {

/// A mechanism together with the text that it was read from.
struct Model {
  Mechanism mechanism;                  ///< what the text describes
  std::vector<Problem> warnings;        ///< oddities that were understood
  std::string text;                     ///< as it was read
  std::string file;                     ///< its name, for messages
  std::vector<Parameter> parameters{};  ///< with the values that the mechanism was built with
  std::vector<ModelFile> files{};       ///< that the text names, as they were read

  std::shared_ptr<const SourceTexts> texts{};  ///< where its words are from, besides the text

  /// Mistakes that turned up later, as people read them.
  std::string rendered(const std::vector<Problem>& problems) const;
  /// The warnings as people read them; empty when there are none.
  std::string rendered_warnings() const;
};

/// A model file that cannot be used. what() is every mistake with its place, the line and a caret under it.
class ModelFileError : public ModelError {
 public:
  /// The mistakes, and what() in one text.
  ModelFileError(std::vector<Problem> problems, std::string rendered)
      : ModelError(std::move(problems)), rendered_(std::move(rendered)) {}
  const char* what() const noexcept override { return rendered_.c_str(); }  ///< every mistake

 private:
  std::string rendered_;
};

/// Reads and builds a model. file_name is for messages only. Files that the model names are looked for in the folder; without
/// one it may name none. Values given for the model's parameters and for its start replace those that it has.
Model read_model(const std::string& text, const std::string& file_name, std::optional<std::string> folder = {},
                 const ParameterValues& parameters = {}, const std::vector<InitialValue>& initial = {});
/// The same where everything was kept: the files that the model names are these.
Model read_kept_model(const std::string& text, const std::string& file_name, const std::vector<ModelFile>& files,
                      const ParameterValues& parameters);
/// The same from a file; other files that it names are looked for beside it.
Model load_model(const std::filesystem::path& file, const ParameterValues& parameters = {},
                 const std::vector<InitialValue>& initial = {});
/// The text of a model file, for reading it more than once. Throws ModelFileError when it cannot be read.
std::string model_text(const std::filesystem::path& file);

}  // namespace polhode::format
