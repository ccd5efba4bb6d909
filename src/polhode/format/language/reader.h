#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "polhode/format/language/model_file.h"
#include "polhode/format/language/parameters.h"
#include "polhode/format/language/source_texts.h"
#include "polhode/mechanism/builder.h"

namespace polhode::format {

/// Reads a model's text into a builder. Mistakes of the text go to problems, oddities that were understood to warnings; the
/// builder then holds what could be read. The builder has not been asked to build: names are not yet resolved.
/// Files that the text names are looked for in the folder; without one it may name none.
MechanismBuilder read_description(std::string_view text, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                                  std::optional<std::string> folder = {});

/// The same, and whether the structure (bodies, joints, frames) was read without a mistake, so that problems which building
/// finds are the user's and not echoes of those that reading found. Where files are given, those that the text names are
/// taken from them.
struct Description {
  MechanismBuilder builder;
  bool structure_is_sound = false;
  std::vector<Parameter> parameters{};
  std::vector<ModelFile> files{};              ///< that the text names
  std::shared_ptr<const SourceTexts> texts{};  ///< where its words are from, besides the text
};
Description describe_model(std::string_view text, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                           std::optional<std::string> folder = {}, const ParameterValues& parameters = {},
                           const std::vector<ModelFile>* files = nullptr);

}  // namespace polhode::format
