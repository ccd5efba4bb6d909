#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "load.h"
#include "polhode/study/inspect.h"
#include "print_json.h"
#include "progress_bar.h"

namespace polhode::cli {
namespace {

constexpr double closed = 1e-6;  // constraint errors beyond this are pointed out [m]

std::string plural(int n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

std::string vector_text(const Vec3<double>& a) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", a.x, a.y, a.z); }

/// "5 from 1 loop joint, 2 from 2 constraints", leaving out what there is none of.
std::string origin_of_rows(const study::Inspection& r) {
  const int of_joints = r.loop_joint_rows, of_constraints = int(r.rows.size()) - of_joints;
  std::vector<std::string> parts;
  if (of_joints > 0) parts.push_back(fmt::format("{} from {}", of_joints, plural(r.loop_joints, "loop joint", "loop joints")));
  if (r.constraints > 0)
    parts.push_back(fmt::format("{} from {}", of_constraints, plural(r.constraints, "constraint", "constraints")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string redundancy_text(const study::ConstraintRowReport& row) {
  const std::string why = row.follows_from.empty() ? "no free motion changes it"
                                                   : fmt::format("follows from {}", fmt::join(row.follows_from, ", "));
  return fmt::format("{}, equation {}: {}", row.owner, row.row + 1, why);
}

std::string conflict_text(const study::ConstraintConflict& c) {
  constexpr const char* held[] = {"positions", "velocities", "accelerations"};
  const std::string why =
      c.others.empty() ? "no free motion can meet it" : fmt::format("contradicts {}", fmt::join(c.others, ", "));
  return fmt::format("{}, equation {}: {}, in {}; {:.6g} is left at best", c.owner, c.row + 1, why, held[int(c.level)], c.left);
}

void print_for_people(const std::string& file, const Mechanism& m, const study::Inspection& r) {
  fmt::print("{}{}\n", file, m.name().empty() ? "" : ": " + m.name());
  fmt::print("  bodies               {:>6}\n", r.bodies);
  fmt::print("  joints               {:>6}{}\n", r.joints,
             r.loop_joints > 0
                 ? fmt::format("   ({} of them {})", r.loop_joints, r.loop_joints == 1 ? "closes a loop" : "close loops")
                 : "");
  fmt::print("  coordinates          {:>6}\n", r.coordinates);
  fmt::print("  speeds               {:>6}\n", r.speeds);
  if (r.kinematic > 0)
    fmt::print("  kinematic            {:>6}   ({} a given function of time)\n", r.kinematic,
               r.kinematic == 1 ? "coordinate that follows" : "coordinates that follow");
  if (!m.inputs().empty()) {
    std::vector<std::string> names;
    for (const Input& input : m.inputs()) names.push_back(fmt::format("\"{}\" {:g}", input.name, input.initial));
    fmt::print("  inputs               {:>6}   ({})\n", names.size(), fmt::join(names, ", "));
  }
  fmt::print("  constraint equations {:>6}", r.rows.size());
  if (!r.rows.empty()) fmt::print("   ({}; {} redundant here)", origin_of_rows(r), r.redundant_rows());
  fmt::print("\n  degrees of freedom   {:>6}\n", r.degrees_of_freedom);
  fmt::print("\n  mass                 {:.9g} kg, centre at {} m\n", r.mass, vector_text(r.center_of_mass));
  fmt::print("  energy               {:.9g} J   (kinetic {:.9g}, potential {:.9g})\n", r.kinetic_energy + r.potential_energy,
             r.kinetic_energy, r.potential_energy);
  fmt::print("  momentum             {} kg m/s, angular {} kg m^2/s\n", vector_text(r.momentum.force),
             vector_text(r.momentum.moment));

  if (r.rows.empty()) return;
  fmt::print("  constraint error     {:.3g} at the start\n", r.largest_error);
  for (const auto& row : r.rows) {
    if (row.redundant) fmt::print("    {}\n", redundancy_text(row));
    if (std::abs(row.error) > closed)
      fmt::print("    {}, equation {}: not met, error {:.6g}\n", row.owner, row.row + 1, row.error);
  }
  for (const auto& conflict : r.conflicts) fmt::print("    {}\n", conflict_text(conflict));
}

nlohmann::json as_json(const std::string& file, const Mechanism& m, const study::Inspection& r) {
  const auto vector = [](const Vec3<double>& a) { return nlohmann::json::array({a.x, a.y, a.z}); };
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& row : r.rows)
    rows.push_back({{"owner", row.owner},
                    {"equation", row.row + 1},
                    {"error", row.error},
                    {"level", name(row.level)},
                    {"velocity_only", row.velocity_only()},
                    {"redundant", row.redundant},
                    {"follows_from", row.follows_from}});
  nlohmann::json conflicts = nlohmann::json::array();
  for (const auto& c : r.conflicts)
    conflicts.push_back(
        {{"owner", c.owner}, {"equation", c.row + 1}, {"level", name(c.level)}, {"left", c.left}, {"contradicts", c.others}});
  nlohmann::json inputs = nlohmann::json::array();
  for (const Input& input : m.inputs())  // limits that are infinite are null
    inputs.push_back({{"name", input.name}, {"value", input.initial}, {"low", input.limits.low}, {"high", input.limits.high}});
  return {{"model", file},
          {"name", m.name()},
          {"bodies", r.bodies},
          {"joints", r.joints},
          {"loop_joints", r.loop_joints},
          {"coordinates", r.coordinates},
          {"speeds", r.speeds},
          {"kinematic", r.kinematic},
          {"inputs", inputs},
          {"constraints", r.constraints},
          {"constraint_equations", r.rows.size()},
          {"redundant", r.redundant_rows()},
          {"degrees_of_freedom", r.degrees_of_freedom},
          {"kinetic", r.kinetic_energy},
          {"potential", r.potential_energy},
          {"energy", r.kinetic_energy + r.potential_energy},
          {"mass", r.mass},
          {"center_of_mass", vector(r.center_of_mass)},
          {"linear_momentum", vector(r.momentum.force)},
          {"angular_momentum", vector(r.momentum.moment)},
          {"constraint_error", r.largest_error},
          {"coordinate_names", m.coordinate_names()},
          {"speed_names", m.speed_names()},
          {"rows", rows},
          {"conflicts", conflicts}};
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  struct Options {
    std::string model;
    std::vector<std::string> set;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Read a model, build it and print its parts, freedoms and redundant equations");
  command->add_option("MODEL", options->model, "Model file (.pol)")->required();
  add_set_option(*command, options->set);
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &status] {
    const LoadedModel loaded = load(options->model, options->set);
    const study::Inspection r = [&] {
      ProgressBar bar(!options->json);
      try {
        return study::inspect(loaded.start, [&](double fraction) { bar(fraction); });
      } catch (const ModelError& error) {
        rethrow_with_places(error, loaded.model);
      }
    }();
    if (options->json) {
      nlohmann::json object = as_json(options->model, loaded.model.mechanism, r);
      object["parameters"] = nlohmann::json::object();
      for (const auto& [name, value] : loaded.model.parameters) object["parameters"][name] = value;
      print_json(object);
    } else {
      print_for_people(options->model, loaded.model.mechanism, r);
      const char* label = "parameters";
      for (const auto& [name, value] : loaded.model.parameters) {
        fmt::print("  {:<20} {} = {:.9g}\n", label, name, value);
        label = "";
      }
    }
    status = done;
  });
}

}  // namespace polhode::cli
