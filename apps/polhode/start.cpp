#include "start.h"

#include <fmt/format.h>

#include <stdexcept>

#include "commands.h"
#include "polhode/study/start.h"

namespace polhode::cli {

void warn_of_start(const std::string& model, const tree::Assembly& assembly, const Mechanism& mechanism) {
  for (const std::string& warning : study::warnings(assembly, mechanism))
    complain(fmt::format("{}: warning: {}", model, warning));
}

tree::Assembly assemble_start(const std::string& model, State& start) {
  try {
    tree::Assembly assembly = study::assemble_start(start);
    warn_of_start(model, assembly, start.mechanism());
    return assembly;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", model, error.what()));
  }
}

}  // namespace polhode::cli
