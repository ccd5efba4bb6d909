#include "simulate_options.h"

#include <fmt/format.h>

#include "polhode/format/language/sample_file.h"
#include "usage.h"

namespace polhode::cli {
namespace {

std::vector<std::pair<std::string, double>> units_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> units;
  for (const std::string& text : texts) {
    const std::size_t sign = text.rfind('=');
    const auto value = sign == std::string::npos ? std::nullopt : format::number_of_field(text.substr(sign + 1));
    if (!value || !(*value > 0) || sign == 0)
      throw std::invalid_argument(
          fmt::format("--unit \"{}\": write NAME=value with a positive number, e.g. slider=0.001", text));
    units.emplace_back(text.substr(0, sign), *value);
  }
  return units;
}

}  // namespace

void add_time_option(CLI::App& command, study::SimulateOptions& options) {
  command.add_option("--time", options.time, "How long to simulate [s]")->check(positive_number())->capture_default_str();
}

void add_method_options(CLI::App& command, study::SimulateOptions& options) {
  command
      .add_option("--method", options.method,
                  "How to step through time: " + fmt::format("{}", fmt::join(study::method_names(), ", ")))
      ->capture_default_str();
  CLI::Option* const dt =
      command
          .add_option("--dt", options.dt,
                      "Fixed step [s]; variational methods 0.01, projected methods control their error instead")
          ->check(positive_number());
  command.add_option("--integrator", options.integrator,
                     "tree-projected: " + fmt::format("{} [rk5]", fmt::join(study::integrator_names(), ", ")));
  command.add_option("--accuracy", options.accuracy, "tree-projected, maximal-projected: local error allowed in a step [1e-6]")
      ->check(positive_number_up_to(1))
      ->excludes(dt);
  command
      .add_option("--max-step", options.largest_step,
                  "the same: longest step that error control may take [0.1 s, maximal-projected 0.25 s]")
      ->check(positive_number())
      ->excludes(dt);
  command
      .add_option("--constraint-tolerance", options.constraint_tolerance,
                  "the same: constraint error allowed after a step [a tenth of the accuracy; maximal-projected 1e-10]")
      ->check(positive_number_up_to(1));
  command.add_option("--norm", options.norm, "tree-projected: errors taken together as rms or infinity (the largest) [rms]");
  command
      .add_option("--characteristic-time", options.characteristic_time,
                  "tree-projected: time in which a velocity error grows to a position error [0.1 s]")
      ->check(positive_number());
  command
      .add_option_function<std::vector<std::string>>(
          "--unit", [&options](const std::vector<std::string>& texts) { options.unit_changes = units_of(texts); },
          "tree-projected: NAME=value, size of one unit of a coordinate or speed for the accuracy [1]; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--tolerance", options.tolerance,
                  "variational methods: error that Newton's iteration may leave [1e-12 rad, m]")
      ->check(positive_number_up_to(1e-3));
  command.add_option("--order", options.order, "variational methods: order, 2, 4 or 6, for maximal-variational 1 too [2]")
      ->transform(whole_number_up_to(6));
  command.add_option("--alpha", options.alpha, "tree-variational: where in the step the Lagrangian is taken, 0 to 1 [0.5]")
      ->check(finite_number());
  command.add_option("--projection", options.projection, "maximal-projected: quasi or orthogonal [quasi]");
  command.add_option("--invariant", options.invariant,
                     "maximal-projected: invariant that steps keep exactly, energy or none [energy]");
  command.add_option("--planar", options.planar,
                     "maximal-projected: planar formulation where the mechanism allows it, auto or off [auto]");
}

}  // namespace polhode::cli
