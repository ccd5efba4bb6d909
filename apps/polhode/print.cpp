#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "load.h"
#include "polhode/format/language/writer.h"

namespace polhode::cli {

void add_print(CLI::App& app, int& status) {
  const auto file = std::make_shared<std::string>();
  const auto settings = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("print", "Print a model as bodies and joints, with every number in full");
  command->add_option("MODEL", *file, "Model file (.pol)")->required();
  add_set_option(*command, *settings);
  command->callback([file, settings, &status] {
    fmt::print("{}", format::write_model(load(*file, *settings).model.mechanism.description()));
    status = done;
  });
}

}  // namespace polhode::cli
