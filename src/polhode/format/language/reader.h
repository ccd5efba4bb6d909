#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/language/model_file.h"
#include "polhode/format/language/parameters.h"
#include "polhode/format/language/source_texts.h"
#include "polhode/format/language/syntax_tree.h"
#include "polhode/mechanism/builder.h"

namespace polhode::format {

/// Reads a model's text into a builder. Mistakes of the text go to problems, oddities that were understood to warnings; the
/// builder then holds what could be read. The builder has not been asked to build: names are not yet resolved.
/// Files that the text names are looked for in the folder; without one it may name none.
MechanismBuilder read_description(std::string_view text, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                                  std::optional<std::string> folder = {});

/// A model's text, cut into forms: what building it again with other values begins with.
class ParsedText {
 public:
  explicit ParsedText(std::string text);
  ParsedText(const ParsedText&) = delete;  // the tree refers to the text
  ParsedText& operator=(const ParsedText&) = delete;

  const std::string& text() const { return text_; }
  /// Nothing for a text whose forms cannot be told apart.
  const std::optional<SyntaxTree>& tree() const { return tree_; }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::string text_;
  std::vector<Problem> problems_;
  std::optional<SyntaxTree> tree_;
};

/// What a model takes from other files.
struct FilesOfModel {
  std::vector<ModelFile> files{};                                       ///< as they were read
  std::map<std::string, std::shared_ptr<const TriangleMesh>> meshes{};  ///< those of them that are shapes, by name
};

/// What a text describes, and whether the structure (bodies, joints, frames) was read without a mistake, so that problems which
/// building finds are the user's and not echoes of those that reading found.
struct Description {
  MechanismBuilder builder;
  bool structure_is_sound = false;
  std::vector<Parameter> parameters{};
  FilesOfModel files{};                        ///< that the text names, where they had to be read
  std::shared_ptr<const SourceTexts> texts{};  ///< where its words are from, besides the text
};
/// As read_description; where files are given, those that the text names are taken from them.
Description describe_model(const ParsedText& parsed, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                           std::optional<std::string> folder = {}, const ParameterValues& parameters = {},
                           const FilesOfModel* files = nullptr);

}  // namespace polhode::format
