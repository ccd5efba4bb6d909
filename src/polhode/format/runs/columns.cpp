#include "polhode/format/runs/columns.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/column_names.h"

namespace polhode::format {
namespace {

std::vector<int> checked(std::vector<int> frames, const Mechanism& mechanism) {
  for (const int frame : frames)
    if (frame < 0 || frame >= int(mechanism.frames().size()))
      throw std::out_of_range(
          fmt::format("frame no. {} was requested, but there are {}, counted from 0", frame, mechanism.frames().size()));
  return frames;
}

/// By speed of the joint: it turns the child, if only besides moving it, so that it is measured in angles. Two generic places
/// show it without asking joint types, users' own included, to declare it.
std::vector<bool> turning_speeds(const JointModel& joint) {
  std::vector<bool> turns(num_speeds(joint), false);
  for (int sample = 0; sample < 2; ++sample) {
    const std::vector<Motion<double>> H = hinge_columns(joint, generic_coordinates(joint, sample));
    for (std::size_t k = 0; k < H.size(); ++k)
      if (H[k].angular.x != 0 || H[k].angular.y != 0 || H[k].angular.z != 0) turns[k] = true;
  }
  return turns;
}

void add_coordinates(const Mechanism& mechanism, const study::ColumnNames& names, std::vector<Column>& columns) {
  for (const Joint& joint : mechanism.joints()) {
    const std::vector<bool> turns = turning_speeds(joint.model);
    const std::vector<int> speed = speed_of_coordinate(joint.model);  // none for a quaternion's components: plain numbers
    for (int i = 0; i < joint.nq; ++i)
      columns.push_back({names.coordinates()[std::size_t(joint.first_q + i)], speed[i] < 0      ? ""
                                                                              : turns[speed[i]] ? "rad"
                                                                                                : "m"});
  }
}

void add_speeds(const Mechanism& mechanism, const study::ColumnNames& names, std::vector<Column>& columns) {
  for (const Joint& joint : mechanism.joints()) {
    const std::vector<bool> turns = turning_speeds(joint.model);
    for (int k = 0; k < joint.nu; ++k)
      columns.push_back({names.speeds()[std::size_t(joint.first_u + k)], turns[k] ? "rad/s" : "m/s"});
  }
}

void add_vector(const std::string& name, const char* unit, std::vector<Column>& columns) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
}

std::vector<Column> columns_of(const Mechanism& mechanism, const std::vector<int>& tracked, bool momentum) {
  const study::ColumnNames names(mechanism);
  std::vector<Column> columns{{"t", "s"}};
  add_coordinates(mechanism, names, columns);
  add_speeds(mechanism, names, columns);
  for (const char* name : {"kinetic", "potential", "energy"}) columns.push_back({name, "J"});
  columns.push_back({"constraint", ""});
  for (const int frame : tracked)
    for (int axis = 0; axis < 3; ++axis) columns.push_back({names.frame(frame, axis), "m"});
  if (momentum) {
    add_vector("momentum", "kg m/s", columns);
    add_vector("angular-momentum", "kg m^2/s", columns);
  }
  return columns;
}

}  // namespace

Columns::Columns(const Mechanism& mechanism, std::vector<int> tracked_frames, Momentum momentum)
    : mechanism_(mechanism),
      tracked_(checked(std::move(tracked_frames), mechanism)),
      momentum_(momentum == Momentum::included),
      columns_(columns_of(mechanism, tracked_, momentum_)),
      constraints_(mechanism),
      workspace_(mechanism),
      errors_(constraints_.num_rows()) {
  row_.reserve(columns_.size());
}

/// The largest, by size.
double Columns::constraint_error(const State& state) {
  if (const auto known = state.known_constraint_error()) return *known;
  if (errors_.empty()) return 0;
  tree::positions(workspace_, state.q());
  constraints_.errors(workspace_, state.time(), state.q(), errors_);
  double largest = 0;
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (state.is_enabled(constraints_.element(int(i)))) largest = std::max(largest, std::abs(errors_[i]));
  return largest;
}

std::span<const double> Columns::row(const State& state) {
  if (&state.mechanism().bodies() != &mechanism_.bodies())
    throw std::invalid_argument("the state belongs to another mechanism than the table");
  row_.assign(1, state.time());
  row_.insert(row_.end(), state.q().begin(), state.q().end());
  row_.insert(row_.end(), state.u().begin(), state.u().end());
  row_.insert(row_.end(), {state.kinetic_energy(), state.potential_energy(), state.energy(), constraint_error(state)});
  const auto add = [&](const Vec3<double>& v) { row_.insert(row_.end(), {v.x, v.y, v.z}); };
  for (const int frame : tracked_) add(state.frame_pose(frame).p);
  if (momentum_) {
    add(state.momentum().force);
    add(state.momentum().moment);
  }
  return row_;
}

}  // namespace polhode::format
