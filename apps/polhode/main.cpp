// polhode: the command line. `polhode --help` is the table of contents.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <new>

#include "commands.h"
#include "polhode/mechanism/problem.h"
#include "polhode/version.h"

int main(int argc, char** argv) {
  using namespace polhode;
  CLI::App app{
      "Polhode: multibody dynamics that keeps what mechanics keeps.\n"
      "A model is a text file (docs/language.md); models/ has a collection."};
  app.name("polhode");
  app.set_version_flag("--version", std::string("polhode ") + version);
  app.require_subcommand(1);
  app.fallthrough(false);

  int status = cli::done;
  cli::add_check(app, status);
  cli::add_run(app, status);
  cli::add_print(app, status);
  cli::add_generate(app, status);

  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? cli::done : cli::bad_input;
  } catch (const ModelError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return cli::bad_input;
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "polhode: {}\n", e.what());
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "polhode: out of memory\n");
    return cli::failed;
  } catch (const std::exception& e) {
    fmt::print(stderr, "polhode: {}\n", e.what());
    return cli::failed;
  }
}
