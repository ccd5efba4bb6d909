#pragma once
#include <string>

namespace polhode::format {

/// Another file that a model names, as it was when the model was read.
struct ModelFile {
  std::string name;  ///< as the model has it
  std::string text;
};

}  // namespace polhode::format
