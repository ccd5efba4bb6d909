#include "load.h"

#include "commands.h"
#include "polhode/format/diagnostics.h"
#include "polhode/tree/realize.h"

namespace polhode::cli {

void rethrow_with_places(const ModelError& error, const format::Model& model) {
  throw format::ModelFileError(error.problems(), format::render(error.problems(), model.text, model.file));
}

LoadedModel load(const std::string& file) {
  format::Model model = format::load_model(file);
  if (const std::string warnings = model.rendered_warnings(); !warnings.empty()) complain(warnings);
  try {
    State start = tree::initial_state(model.mechanism);
    return {std::move(model), std::move(start)};
  } catch (const ModelError& error) {
    rethrow_with_places(error, model);
  }
}

}  // namespace polhode::cli
