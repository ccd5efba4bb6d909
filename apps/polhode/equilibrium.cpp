#include "polhode/study/equilibrium.h"
#include "polhode/tree/constraints.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "goal_options.h"
#include "load.h"
#include "output.h"
#include "polhode/tree/assemble.h"
#include "print_json.h"
#include "start.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct EquilibriumCommand {
  std::vector<std::string> set;
  std::string model, out;
  std::vector<std::string> locks;
  study::EquilibriumOptions options;
  bool json = false;
};

struct NamedForce {
  std::string name;
  double force;
};
/// Multipliers by constraint equation; forces that hold coordinates.
std::vector<NamedForce> constraint_forces(const State& state, const study::Equilibrium& e) {
  const tree::Constraints constraints(state.mechanism(), state.enabled());
  std::vector<NamedForce> all;
  for (int row = 0; row < constraints.num_rows() && std::size_t(row) < e.multipliers.size(); ++row)
    all.push_back({constraints.row_name(row), e.multipliers[std::size_t(row)]});
  return all;
}
std::vector<NamedForce> holding_forces(const Mechanism& m, const study::Equilibrium& e, const std::vector<char>& locked) {
  std::vector<NamedForce> all;
  for (std::size_t u = 0; u < e.holding_forces.size(); ++u)
    if (locked[u] != 0 || m.drives()[u] != Drive::forces) all.push_back({m.speed_names()[u], e.holding_forces[u]});
  return all;
}

void print_for_people(const EquilibriumCommand& o, const State& state, const study::Equilibrium& e) {
  const Mechanism& m = state.mechanism();
  fmt::print("{}: {}\n", o.model, e.found ? "in equilibrium" : "no equilibrium found");
  fmt::print("  by                   {}, {} iterations\n", e.method, e.iterations);
  fmt::print("  unbalanced force     {:.3g} N or N m at most\n", e.residual);
  fmt::print("  constraint error     {:.3g}\n", e.constraint_error);
  fmt::print("  potential energy     {:.9g} J\n", e.potential_energy);
  fmt::print("  freedoms             {}\n", e.freedoms);
  if (!e.found) return;
  if (e.lowest_stiffness) {
    fmt::print("  stability            {}; lowest stiffness {:.6g}", study::name(e.stability), *e.lowest_stiffness);
    if (e.lowest_frequency_squared && *e.lowest_frequency_squared > 0 && e.stability == study::Stability::stable)
      fmt::print(", slowest oscillation {:.6g} rad/s", std::sqrt(*e.lowest_frequency_squared));
    fmt::print("\n");
  }
  for (std::size_t q = 0; q < state.q().size(); ++q) fmt::print("  {:<20} {:.9g}\n", m.coordinate_names()[q], state.q()[q]);
  for (const auto& [name, force] : constraint_forces(state, e)) fmt::print("  {}: multiplier {:.6g}\n", name, force);
  for (const auto& [name, force] : holding_forces(m, e, o.options.locked))
    fmt::print("  held by {:.6g} N or N m: {}\n", force, name);
}

nlohmann::json as_json(const EquilibriumCommand& o, const State& state, const study::Equilibrium& e) {
  const Mechanism& m = state.mechanism();
  nlohmann::json q = nlohmann::json::object(), held = nlohmann::json::object(), rows = nlohmann::json::array();
  for (std::size_t i = 0; i < state.q().size(); ++i) q[m.coordinate_names()[i]] = state.q()[i];
  for (const auto& [name, force] : constraint_forces(state, e)) rows.push_back({{"row", name}, {"multiplier", force}});
  for (const auto& [name, force] : holding_forces(m, e, o.options.locked)) held[name] = force;
  nlohmann::json result{{"model", o.model},
                        {"found", e.found},
                        {"method", e.method},
                        {"iterations", e.iterations},
                        {"residual", e.residual},
                        {"constraint_error", e.constraint_error},
                        {"potential", e.potential_energy},
                        {"freedoms", e.freedoms},
                        {"coordinates", q},
                        {"multipliers", rows},
                        {"holding_forces", held}};
  if (e.found) result["stability"] = study::name(e.stability);
  if (e.lowest_stiffness) result["lowest_stiffness"] = *e.lowest_stiffness;
  if (e.lowest_frequency_squared) result["lowest_frequency_squared"] = *e.lowest_frequency_squared;
  if (!e.found) result["failure"] = e.failure;
  if (!o.out.empty()) result["out"] = o.out;
  return result;
}

int equilibrium(EquilibriumCommand& o) {
  if (!o.out.empty()) {
    if (!o.out.ends_with(".csv") && !o.out.ends_with(".pol"))
      throw std::invalid_argument(fmt::format("--out \"{}\": name it MODEL.pol or FILE.csv", o.out));
    require_not_an_input(o.out, {o.model});
  }
  const LoadedModel loaded = load(o.model, o.set);
  const Mechanism& m = loaded.model.mechanism;
  o.options.locked = speeds_named(o.locks, m, "--lock");
  State state = loaded.start;
  const tree::Assembly assembly =
      tree::assemble(state, tree::AssembleOptions{.positions = {.locked = o.options.locked}, .given = tree::given_by_model(m)});
  if (!assembly.assembled)
    throw std::invalid_argument(
        fmt::format("{}: the start cannot meet its constraints: {} is still off by {:.3g}; `polhode "
                    "assemble` lists all that are",
                    o.model, assembly.worst, assembly.error_after));
  warn_of_start(o.model, assembly, m);
  const study::Equilibrium e = study::find_equilibrium(state, o.options);
  if (e.found && !o.out.empty()) write_start(o.out, state);
  if (o.json) {
    print_json(as_json(o, state, e));
  } else {
    print_for_people(o, state, e);
    if (e.found && !o.out.empty()) fmt::print("  written to {}\n", o.out);
  }
  if (e.found) return done;
  std::fflush(stdout);
  complain(fmt::format("polhode: {}: {}", o.model, e.failure));
  return failed;
}

}  // namespace

void add_equilibrium(CLI::App& app, int& status) {
  const auto o = std::make_shared<EquilibriumCommand>();
  CLI::App* command = app.add_subcommand("equilibrium", "Find where a model stays at rest");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  add_set_option(*command, o->set);
  add_names_option(*command, "--lock", o->locks, "Joints or coordinates that stay as they are, separated by commas");
  command->add_flag("--any", o->options.any, "The nearest equilibrium, stable or not");
  command->add_option("--tolerance", o->options.tolerance, "Force left over that counts as none, relative to the largest")
      ->check(positive_number_up_to(1e-2))
      ->capture_default_str();
  command->add_option("--out", o->out, "Write the model that starts there to MODEL.pol, or the coordinates to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->callback([o, &status] { status = equilibrium(*o); });
}

}  // namespace polhode::cli
