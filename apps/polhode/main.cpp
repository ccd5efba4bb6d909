// polhode: the command line. `polhode --help` is the table of contents.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "commands.h"
#include "polhode/mechanism/problem.h"
#include "polhode/version.h"
#include "usage.h"

namespace polhode::cli {

void complain(const std::string& line) {
  std::fputs((line + "\n").c_str(), stderr);  // if that fails too, the exit status still tells
}

namespace {

/// A stream that was closed by the caller must not become the next file that is opened: a summary would land in a result.
/// What takes its place refuses to be written to, as the closed one would.
void occupy_closed_streams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDONLY);
  if (file > STDERR_FILENO) close(file);
}

/// Output waits in buffers: that it could not be written shows here at the latest.
bool output_arrived() {
  std::cout.flush();
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return true;
  // The reason is forgotten when it was an earlier part that failed; one more byte meets it again.
  if (errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1)
    complain("polhode: standard output could not be written for a while, so a part of the result is missing");
  else
    complain(fmt::format("polhode: standard output cannot be written: {}", std::strerror(errno)));
  return false;
}

}  // namespace
}  // namespace polhode::cli

int main(int argc, char** argv) {
  using namespace polhode;
  cli::occupy_closed_streams();
  CLI::App app{
      "Polhode: multibody dynamics that keeps energy, momentum and constraints.\n"
      "A model is a text file (docs/language.md); models/ has a collection."};
  app.name("polhode");
  app.set_version_flag("--version", std::string("polhode ") + version);
  app.require_subcommand(1);
  app.fallthrough(false);
  app.failure_message(cli::usage_error);

  int status = cli::done;
  cli::add_check(app, status);
  cli::add_run(app, status);
  cli::add_compare(app, status);
  cli::add_view(app, status);
  cli::add_plot(app, status);
  cli::add_assemble(app, status);
  cli::add_equilibrium(app, status);
  cli::add_inverse(app, status);
  cli::add_sweep(app, status);
  cli::add_fit(app, status);
  cli::add_design(app, status);
  cli::add_sensitivity(app, status);
  cli::add_sample(app, status);
  cli::add_print(app, status);
  cli::add_generate(app, status);

  try {
    app.parse(argc, argv);
    return cli::output_arrived() ? status : cli::failed;
  } catch (const CLI::ParseError& e) {
    if (app.exit(e) != 0) return cli::bad_input;
    return cli::output_arrived() ? cli::done : cli::failed;
  } catch (const ModelError& e) {
    cli::complain(e.what());
    return cli::bad_input;
  } catch (const std::invalid_argument& e) {
    cli::complain(fmt::format("polhode: {}", e.what()));
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    cli::complain("polhode: out of memory");
    return cli::failed;
  } catch (const std::exception& e) {
    cli::complain(fmt::format("polhode: {}", e.what()));
    return cli::failed;
  }
}
