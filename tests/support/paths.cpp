#include "tests/support/paths.h"

namespace polhode::testing_support {

std::string source_folder() { return POLHODE_SOURCE_DIR; }

std::string models_folder() { return source_folder() + "/models"; }

std::string model_path(const std::string& name) { return models_folder() + "/" + name + ".pol"; }

const char* program_path() { return POLHODE_PROGRAM; }

}  // namespace polhode::testing_support
