#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "goal_options.h"
#include "load.h"
#include "output.h"
#include "polhode/format/runs/csv.h"
#include "polhode/format/runs/table.h"
#include "polhode/study/column_names.h"
#include "polhode/study/inverse_kinematics.h"
#include "print_json.h"
#include "start.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct AssembleCommand {
  std::vector<std::string> set;
  std::string model, markers, out;
  std::vector<std::string> targets, coordinates, locks;
  double tolerance = 1e-9;
  bool json = false;
};

std::string row_text(const tree::UnmetRow& row) {
  return fmt::format("{}, equation {}: {:.6g}", row.owner, row.row + 1, row.error);
}

nlohmann::json rows_json(const std::vector<tree::UnmetRow>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& row : rows) all.push_back({{"owner", row.owner}, {"equation", row.row + 1}, {"error", row.error}});
  return all;
}

tree::AssembleOptions options_of(const AssembleCommand& o, const Mechanism& m) {
  tree::AssembleOptions options;
  for (const std::string& text : o.targets) options.positions.goals.points.push_back(point_goal(text, m));
  for (const std::string& text : o.coordinates) options.positions.goals.coordinates.push_back(coordinate_goal(text, m));
  options.positions.locked = speeds_named(o.locks, m, "--lock");
  options.positions.tolerance = o.tolerance;
  options.given = tree::given_by_model(m);
  return options;
}

void print_for_people(const AssembleCommand& o, const State& state, const tree::Assembly& a, bool goals) {
  const Mechanism& m = state.mechanism();
  fmt::print("{}: {}\n", o.model, a.assembled && a.velocities.met ? "assembled" : "not assembled");
  fmt::print("  constraint error     {:.3g} before, {:.3g} after\n", a.error_before, a.error_after);
  if (goals)
    fmt::print("  goal                 {:.6g} before, {:.6g} after   (sum of weight times squared error)\n", a.goal_before,
               a.goal_after);
  if (!a.given_kept) fmt::print("  given                some values of (initial ...) could not be kept\n");
  constexpr double rounding = 1e-12;
  for (const auto& change : a.changes)
    if (std::abs(change.after - change.before) > rounding)
      fmt::print("  {:<20} {:.9g} -> {:.9g}\n", m.coordinate_names()[std::size_t(change.q)], change.before, change.after);
  if (a.speed_changed > rounding) fmt::print("  speeds               changed by up to {:.3g}\n", a.speed_changed);
  for (const auto& row : a.unmet) fmt::print("  not met              {}\n", row_text(row));
  for (const auto& row : a.velocities.unmet) fmt::print("  speeds do not meet   {}\n", row_text(row));
}

nlohmann::json as_json(const AssembleCommand& o, const State& state, const tree::Assembly& a) {
  const Mechanism& m = state.mechanism();
  nlohmann::json moved = nlohmann::json::array(), q = nlohmann::json::object(), u = nlohmann::json::object();
  for (const auto& change : a.changes)
    moved.push_back(
        {{"coordinate", m.coordinate_names()[std::size_t(change.q)]}, {"before", change.before}, {"after", change.after}});
  for (std::size_t i = 0; i < state.q().size(); ++i) q[m.coordinate_names()[i]] = state.q()[i];
  for (std::size_t i = 0; i < state.u().size(); ++i) u[m.speed_names()[i]] = state.u()[i];
  nlohmann::json result{{"model", o.model},
                        {"assembled", a.assembled && a.velocities.met},
                        {"error_before", a.error_before},
                        {"error_after", a.error_after},
                        {"goal_before", a.goal_before},
                        {"goal_after", a.goal_after},
                        {"given_kept", a.given_kept},
                        {"speed_error_before", a.velocities.error_before},
                        {"speed_error_after", a.velocities.error_after},
                        {"moved", moved},
                        {"coordinates", q},
                        {"speeds", u},
                        {"unmet", rows_json(a.unmet)},
                        {"unmet_speeds", rows_json(a.velocities.unmet)}};
  if (!o.out.empty()) result["out"] = o.out;
  return result;
}

int assemble_one(const AssembleCommand& o, State state, const tree::AssembleOptions& options) {
  const tree::Assembly a = tree::assemble(state, options);
  const bool assembled = a.assembled && a.velocities.met;
  if (assembled && !o.out.empty()) write_start(o.out, state);
  const bool goals = !options.positions.goals.empty();
  if (o.json) {
    print_json(as_json(o, state, a));
  } else {
    print_for_people(o, state, a, goals);
    if (assembled && !o.out.empty()) fmt::print("  written to {}\n", o.out);
  }
  std::fflush(stdout);
  if (assembled && !goals) warn_of_start(o.model, a, state.mechanism());
  if (assembled) return done;
  const auto& rows = a.assembled ? a.velocities.unmet : a.unmet;
  complain(fmt::format("polhode: {}: {} constraint equation{} cannot be met{}", o.model, rows.size(),
                       rows.size() == 1 ? "" : "s", a.assembled ? " by any speeds" : ""));
  return failed;
}

/// A table that cannot be used is bad input, not a failed computation.
format::Table table_of(const std::string& file) {
  try {
    return format::read_table(file);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what());
  }
}

/// The frames that the columns NAME.x, NAME.y, NAME.z are about, and the points below them.
study::MarkerTable markers_of(const std::string& file, const Mechanism& m) {
  const format::Table table = table_of(file);
  study::MarkerTable out;
  if (table.columns.front() != "t")
    throw std::invalid_argument(fmt::format("{}: the first column must be t, the time [s]", file));
  std::vector<std::array<int, 3>> columns;
  std::vector<char> used(table.columns.size());
  used[0] = 1;
  const study::ColumnNames names(m);
  for (const std::string& column : table.columns) {
    if (!column.ends_with(".x")) continue;
    const std::string name = column.substr(0, column.size() - 2);
    const auto place = names.find(column);  // a table that run --track wrote may call it otherwise
    const bool is_frame = place && place->kind == study::ColumnNames::Kind::frame;
    try {
      out.markers.push_back({is_frame ? place->index : m.frame(name), {}});
      columns.push_back({table.column(name + ".x"), table.column(name + ".y"), table.column(name + ".z")});
    } catch (const std::exception& error) {
      throw std::invalid_argument(fmt::format("{}: {}", file, error.what()));
    }
    for (const int c : columns.back()) used[std::size_t(c)] = 1;
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] == 0)
      throw std::invalid_argument(
          fmt::format("{}: column \"{}\" belongs to no marker; there should be t, then FRAME.x, FRAME.y, "
                      "FRAME.z for each",
                      file, table.columns[i]));
  if (out.markers.empty()) throw std::invalid_argument(fmt::format("{}: there is no column FRAME.x, so no marker", file));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.at(row, 0);
    if (!std::isfinite(t) || (row > 0 && !(out.times.back() < t)))
      throw std::invalid_argument(fmt::format("{}: row {}: times must be given and increase", file, row + 1));
    out.times.push_back(t);
    for (const auto& c : columns) {
      const Vec3<double> p{table.at(row, c[0]), table.at(row, c[1]), table.at(row, c[2])};
      const int missing = int(std::isnan(p.x)) + int(std::isnan(p.y)) + int(std::isnan(p.z));
      if (missing == 1 || missing == 2)
        throw std::invalid_argument(
            fmt::format("{}: row {}: a marker has three numbers, or none where it is not seen", file, row + 1));
      out.points.push_back(p);
    }
  }
  return out;
}

int follow_markers(const AssembleCommand& o, const State& start, const tree::AssembleOptions& options) {
  const Mechanism& m = start.mechanism();
  const study::MarkerTable table = markers_of(o.markers, m);
  std::string text = "t";
  const study::ColumnNames names(m);
  for (const std::string& name : names.coordinates()) text += ',' + format::csv_field(name);
  text += ",rms,largest,constraint\n";
  const auto s = study::inverse_kinematics(start, table, options.positions, [&](const study::MarkerFit& fit) {
    text += fmt::format("{}", fit.t);
    for (const double q : fit.q) text += fmt::format(",{}", q);
    text += fmt::format(",{},{},{}\n", fit.rms, fit.largest, fit.constraint_error);
  });
  if (!o.out.empty()) {
    const format::FileLock lock(o.out);
    write_text(o.out, text);
  }
  if (o.json) {
    nlohmann::json result{{"model", o.model},
                          {"markers", table.markers.size()},
                          {"completed", s.completed},
                          {"samples", s.samples},
                          {"rms", s.rms},
                          {"largest", s.largest},
                          {"constraint_error", s.constraint_error},
                          {"unmet", rows_json(s.unmet)}};
    if (!o.out.empty()) result["out"] = o.out;
    print_json(result);
  } else {
    fmt::print("{}: {} markers followed through {} of {} samples\n", o.model, table.markers.size(), s.samples,
               table.times.size());
    fmt::print("  distance             {:.6g} m rms, {:.6g} m at most\n", s.rms, s.largest);
    fmt::print("  constraint error     {:.3g}\n", s.constraint_error);
    for (const auto& row : s.unmet) fmt::print("  not met              {}\n", row_text(row));
    if (!o.out.empty()) fmt::print("  coordinates written to {}\n", o.out);
  }
  if (s.completed) return done;
  std::fflush(stdout);
  complain(fmt::format("polhode: {}: at t = {:.9g} s the constraints cannot be met", o.model, s.failed_at));
  return failed;
}

int assemble_command(const AssembleCommand& o) {
  const bool with_markers = !o.markers.empty();
  if (!o.out.empty()) {
    if (!o.out.ends_with(".csv") && (with_markers || !o.out.ends_with(".pol")))
      throw std::invalid_argument(fmt::format("--out \"{}\": name it FILE.csv{}", o.out, with_markers ? "" : " or MODEL.pol"));
    require_not_an_input(o.out, {o.model, o.markers});
  }
  const LoadedModel loaded = load(o.model, o.set);
  const tree::AssembleOptions options = options_of(o, loaded.model.mechanism);
  return with_markers ? follow_markers(o, loaded.start, options) : assemble_one(o, loaded.start, options);
}

}  // namespace

void add_assemble(CLI::App& app, int& status) {
  const auto o = std::make_shared<AssembleCommand>();
  CLI::App* command =
      app.add_subcommand("assemble", "Find a configuration that meets the constraints, and goals (inverse kinematics)");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  add_set_option(*command, o->set);
  command
      ->add_option("--target", o->targets, "Goal for the origin of a frame: FRAME=x,y,z or FRAME=x,y,z:weight; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--coordinate", o->coordinates, "Goal for a coordinate: NAME=value or NAME=value:weight; may be repeated")
      ->allow_extra_args(false);
  add_names_option(*command, "--lock", o->locks, "Joints or coordinates that stay as they are, separated by commas");
  command->add_option("--markers", o->markers, "Follow the points in FILE.csv (columns t, FRAME.x, FRAME.y, FRAME.z ...)");
  command->add_option("--tolerance", o->tolerance, "Error at which a constraint counts as met [m, rad]")
      ->check(positive_number_up_to(1))
      ->capture_default_str();
  command->add_option("--out", o->out, "Write the model with the new start to MODEL.pol, or the coordinates to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->callback([o, &status] { status = assemble_command(*o); });
}

}  // namespace polhode::cli
