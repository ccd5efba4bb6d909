#pragma once
#include <CLI/CLI.hpp>
#include <string>

/// The subcommands of `polhode`, one file each. Each adds itself to the program and returns its exit status through `status`:
/// 0 done, 1 the computation failed, 2 bad usage or bad model.
namespace polhode::cli {

constexpr int done = 0, failed = 1, bad_input = 2;

/// Writes a line to standard error; that nobody listens there is no failure.
void complain(const std::string& line);

void add_check(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_view(CLI::App& app, int& status);
void add_plot(CLI::App& app, int& status);
void add_sweep(CLI::App& app, int& status);
void add_fit(CLI::App& app, int& status);
void add_design(CLI::App& app, int& status);
void add_sensitivity(CLI::App& app, int& status);
void add_sample(CLI::App& app, int& status);
void add_print(CLI::App& app, int& status);
void add_assemble(CLI::App& app, int& status);
void add_equilibrium(CLI::App& app, int& status);
void add_inverse(CLI::App& app, int& status);
void add_generate(CLI::App& app, int& status);

}  // namespace polhode::cli
