#include "polhode/format/language/model_recipe.h"

#include "polhode/format/language/diagnostics.h"
#include "polhode/format/language/reader.h"
#include "polhode/study/events.h"

namespace polhode::format {

struct ModelRecipe::Built {
  Mechanism mechanism;
  std::vector<Problem> warnings;
  std::vector<Parameter> parameters;
  FilesOfModel files;
  std::shared_ptr<const SourceTexts> texts;
};

ModelRecipe::ModelRecipe(std::string text, std::string file_name, std::optional<std::string> folder)
    : file_name_(std::move(file_name)),
      folder_(std::move(folder)),
      parsed_(std::make_shared<const ParsedText>(std::move(text))) {}

ModelRecipe::ModelRecipe(std::string text, std::string file_name, const std::vector<ModelFile>& files)
    : file_name_(std::move(file_name)),
      parsed_(std::make_shared<const ParsedText>(std::move(text))),
      files_(std::make_shared<const FilesOfModel>(FilesOfModel{.files = files})) {}

ModelRecipe::Built ModelRecipe::make(const ParameterValues& parameters, const std::vector<InitialValue>& initial) const {
  std::vector<Problem> problems, warnings;
  Description description = describe_model(*parsed_, problems, warnings, folder_, parameters, files_.get());
  for (const InitialValue& value : initial) description.builder.set_initial(value);
  if (problems.empty() || description.structure_is_sound) {
    try {
      Mechanism mechanism = description.builder.build();
      warnings.insert(warnings.end(), mechanism.warnings().begin(), mechanism.warnings().end());
      const std::vector<Problem> of_witnesses = study::problems_of_witnesses(mechanism);
      problems.insert(problems.end(), of_witnesses.begin(), of_witnesses.end());
      if (problems.empty())
        return {std::move(mechanism), std::move(warnings), std::move(description.parameters), std::move(description.files),
                description.texts};
    } catch (const ModelError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  std::string rendered = render(problems, parsed_->text(), file_name_, Severity::error, description.texts.get());
  throw ModelFileError(std::move(problems), std::move(rendered));
}

Model ModelRecipe::with_text(Built built) const {
  return {std::move(built.mechanism),
          std::move(built.warnings),
          parsed_->text(),
          file_name_,
          std::move(built.parameters),
          files_ ? files_->files : std::move(built.files.files),
          std::move(built.texts)};
}

Model ModelRecipe::read(const ParameterValues& parameters, const std::vector<InitialValue>& initial) const {
  return with_text(make(parameters, initial));
}

Model ModelRecipe::read_and_keep_files(const ParameterValues& parameters) {
  Built built = make(parameters, {});
  files_ = std::make_shared<const FilesOfModel>(built.files);
  return with_text(std::move(built));
}

Mechanism ModelRecipe::build(const ParameterValues& parameters, const std::vector<InitialValue>& initial) const {
  return make(parameters, initial).mechanism;
}

}  // namespace polhode::format
