#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/input_table.h"
#include "polhode/study/method_registry.h"

namespace polhode::study {

/// {.method = "tree-projected", .time = 10, .options = {{"accuracy", 1e-9}, {"integrator", "rk8"}}}
struct SimulateOptions {
  std::string method = "tree-variational";
  double time = 10;            ///< how long [s]
  std::optional<double> dt{};  ///< fixed step [s]; by default 0.01 for variational methods; projected ones control their error
  int every = 1;               ///< report every so many steps
  std::optional<double> interval{};  ///< report at these distances in time instead [s]; steps are not disturbed

  std::vector<double> times{};    ///< report at these increasing times instead [s]; steps are not disturbed
  bool account_at_steps = false;  ///< the summary's energies and errors are those at steps, also where reports are not

  /// What the summary tells of reported states besides: families (reactions), of one element (reactions:pin), or single
  /// quantities by the names of their columns (pin.force.z), as study/quantity_list.h has them. States are then realized far
  /// enough before they are reported, and work is summed up.
  std::vector<std::string> record{};
  /// What the model's inputs are over time; none given stay as the start has them.
  InputTable inputs{};

  /// Of the method, by name; which there are stands in its entry (method_registry.h) and in docs/commands.md. A method refuses
  /// the options of others.
  OptionValues options{};

  bool operator==(const SimulateOptions&) const = default;
};

/// All that is given for the method, the fixed step among it.
OptionValues given_values(const SimulateOptions& options);

/// A number of the method's as it is in force, given or not; nothing where the method has no such option or no value for it.
/// The method must be known.
std::optional<double> number_in_force(const SimulateOptions& options, std::string_view name);
/// The fixed step [s]; nothing where the method controls its error.
std::optional<double> fixed_step(const SimulateOptions& options);

/// What is wrong with the options, in words that name the option, its value and what is allowed; empty when nothing is.
std::string objection(const Mechanism& mechanism, const SimulateOptions& options);
/// The same of the times, which depends on when a run starts [s].
std::string objection_to_times(double start, const SimulateOptions& options);

}  // namespace polhode::study
