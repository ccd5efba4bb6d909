#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "goal_options.h"
#include "load.h"
#include "output.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/runs/csv.h"
#include "polhode/format/runs/table.h"
#include "polhode/study/column_names.h"
#include "polhode/study/inverse_dynamics.h"
#include "polhode/tree/constraints.h"
#include "print_json.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct InverseCommand {
  std::vector<std::string> set;
  std::string model, trajectory, out;
  std::vector<std::string> actuators;
  std::optional<double> cutoff;
  bool json = false;
};

/// All columns of these names, or none where the first is missing.
std::vector<double> columns_of(const format::Table& table, const std::vector<std::string>& names, bool needed) {
  std::vector<double> out;
  if (names.empty() || (!needed && table.find(names.front()) < 0)) return out;
  std::vector<int> places;
  for (const std::string& name : names) places.push_back(table.column(name));
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t i = 0; i < places.size(); ++i) {
      out.push_back(table.at(row, places[i]));
      if (std::isnan(out.back())) throw std::runtime_error(fmt::format("row {}: \"{}\" is empty", row + 1, names[i]));
    }
  return out;
}

/// Coordinates by their names; speeds and accelerations too, where the table has them.
study::Trajectory trajectory_of(const std::string& file, const Mechanism& m) {
  try {
    const format::Table table = format::parse_table(format::read_table_text(file));
    study::Trajectory out;
    out.times = columns_of(table, {"t"}, true);
    const study::ColumnNames names(m);
    out.q = columns_of(table, names.coordinates(), true);
    out.u = columns_of(table, names.speeds(), false);
    out.u_dot = columns_of(table, names.accelerations(), false);
    if (out.u.empty()) out.u_dot.clear();
    return out;
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format("{}: {}", file, error.what()));
  }
}

std::string force_column(const std::string& speed) {
  return "force " + (speed.ends_with('\'') ? speed.substr(0, speed.size() - 1) : speed);
}

/// Nothing for all speeds. Where constraints tie speeds together, as in a loop, joints without a motor would be given a share
/// of the load, so all of them are taken only when that is asked for.
std::vector<char> actuators_of(const InverseCommand& o, const Mechanism& m, int constraint_rows) {
  const auto& joints = m.joints();
  const bool is_name = std::any_of(joints.begin(), joints.end(), [](const Joint& joint) { return joint.name == "all"; }) ||
                       std::count(m.coordinate_names().begin(), m.coordinate_names().end(), "all") > 0;
  if (o.actuators == std::vector<std::string>{"all"} && !is_name) return {};
  if (!o.actuators.empty()) return speeds_named(o.actuators, m, "--actuators");
  if (constraint_rows > 0)
    throw std::invalid_argument(fmt::format(
        "{}: {} constraint equation{} between {} speeds, so that actuators could share the load in many ways; name the joints "
        "that have one with --actuators NAME,..., or share it between all joints with --actuators all",
        o.model, constraint_rows, constraint_rows == 1 ? " holds" : "s hold", m.num_u()));
  return {};
}

int inverse(const InverseCommand& o) {
  if (!o.out.empty()) {
    if (!o.out.ends_with(".csv")) throw std::invalid_argument(fmt::format("--out \"{}\": name it FILE.csv", o.out));
    require_not_an_input(o.out, {o.model, o.trajectory});
  }
  const LoadedModel loaded = load(o.model, o.set);
  const Mechanism& m = loaded.model.mechanism;
  const tree::Constraints constraints(m, loaded.start.enabled());
  const std::vector<char> actuators = actuators_of(o, m, constraints.num_rows());
  study::Trajectory trajectory = trajectory_of(o.trajectory, m);
  const char* derivatives = trajectory.u.empty()       ? "speeds and accelerations by splines through coordinates"
                            : trajectory.u_dot.empty() ? "accelerations by splines through speeds"
                                                       : "speeds and accelerations as given";
  study::complete(trajectory, m, o.cutoff);

  std::vector<std::string> columns;
  for (const std::string& name : m.speed_names()) columns.push_back(force_column(name));
  for (int row = 0; row < constraints.num_rows(); ++row) columns.push_back("multiplier " + constraints.row_name(row));
  std::string text = "t";
  for (const std::string& name : study::distinct(columns, {}, "other ")) text += ',' + format::csv_field(name);
  text += ",residual,constraint\n";
  const auto s = study::inverse_dynamics(loaded.start, trajectory, actuators, [&](const study::InverseSample& sample) {
    text += fmt::format("{}", sample.t);
    for (const double force : sample.forces) text += fmt::format(",{}", force);
    for (const double lambda : sample.multipliers) text += fmt::format(",{}", lambda);
    text += fmt::format(",{},{}\n", sample.residual, sample.constraint_error);
  });
  if (!o.out.empty()) {
    const format::FileLock lock(o.out);
    write_text(o.out, text);
  }
  if (o.json) {
    nlohmann::json largest = nlohmann::json::object();
    for (std::size_t u = 0; u < s.largest_forces.size(); ++u) largest[m.speed_names()[u]] = s.largest_forces[u];
    nlohmann::json result{{"model", o.model},
                          {"trajectory", o.trajectory},
                          {"samples", s.samples},
                          {"derivatives", derivatives},
                          {"largest_forces", largest},
                          {"residual", s.residual},
                          {"constraint_error", s.constraint_error}};
    if (!o.out.empty()) result["out"] = o.out;
    print_json(result);
  } else {
    fmt::print("{}: forces behind {} samples of {}\n", o.model, s.samples, o.trajectory);
    fmt::print("  derivatives          {}{}\n", derivatives, o.cutoff ? fmt::format(", cutoff {} Hz", *o.cutoff) : "");
    for (std::size_t u = 0; u < s.largest_forces.size(); ++u)
      if (actuators.empty() || actuators[u] != 0)
        fmt::print("  {:<20} {:.6g} N or N m at most\n", force_column(m.speed_names()[u]), s.largest_forces[u]);
    fmt::print("  residual             {:.3g} N or N m that no actuator gives\n", s.residual);
    if (constraints.num_rows() > 0) fmt::print("  constraint error     {:.3g}\n", s.constraint_error);
    if (!o.out.empty()) fmt::print("  forces written to {}\n", o.out);
  }
  return done;
}

}  // namespace

void add_inverse(CLI::App& app, int& status) {
  const auto o = std::make_shared<InverseCommand>();
  CLI::App* command = app.add_subcommand("inverse", "Find the forces behind a given motion (inverse dynamics)");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  add_set_option(*command, o->set);
  command->add_option("TRAJECTORY", o->trajectory, "Table of the motion, FILE.csv, as run writes it")->required();
  add_names_option(*command, "--actuators", o->actuators,
                   "Joints, coordinates or speeds with an actuator, or all; needed where there are constraints");
  command->add_option("--cutoff", o->cutoff, "Smooth the motion: frequency at which half remains [Hz]")
      ->check(positive_number());
  command->add_option("--out", o->out, "Write the forces to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->callback([o, &status] { status = inverse(*o); });
}

}  // namespace polhode::cli
