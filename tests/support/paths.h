#pragma once
#include <string>

namespace polhode::testing_support {

// Where this clone is. In a source file of its own, so that every other test compiles to the same code in every clone.
std::string source_folder();
std::string models_folder();
std::string model_path(const std::string& name);  // of models/NAME.pol
const char* program_path();                       // of the command line; empty where it is not built

}  // namespace polhode::testing_support
