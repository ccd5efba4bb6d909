#include "polhode/format/runs/columns.h"

#include <fmt/format.h>

#include <stdexcept>
#include <unordered_set>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/column_names.h"
#include "polhode/tree/constraint_errors.h"

namespace polhode::format {
namespace {

std::vector<int> checked(std::vector<int> frames, const Mechanism& mechanism) {
  for (const int frame : frames)
    if (frame < 0 || frame >= int(mechanism.frames().size()))
      throw std::out_of_range(
          fmt::format("frame no. {} was requested, but there are {}, counted from 0", frame, mechanism.frames().size()));
  return frames;
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

Columns::Columns(const Mechanism& mechanism, std::vector<int> tracked_frames, Momentum momentum,
                 const std::vector<study::Quantity>& recorded)
    : mechanism_(mechanism),
      tracked_(checked(std::move(tracked_frames), mechanism)),
      momentum_(momentum == Momentum::included),
      columns_(columns_of(mechanism, tracked_, momentum_)),
      workspace_(mechanism) {
  std::unordered_set<std::string> there;
  for (const Column& column : columns_) there.insert(column.name);
  for (const study::Quantity& quantity : recorded) {
    if (!there.insert(quantity.name()).second) continue;
    columns_.push_back({quantity.name(), quantity.unit()});
    recorded_.push_back(quantity);
  }
  row_.reserve(columns_.size());
}

std::span<const double> Columns::row(const State& state) {
  if (&state.mechanism().bodies() != &mechanism_.bodies())
    throw std::invalid_argument("the state belongs to another mechanism than the table");
  row_.assign(1, state.time());
  row_.insert(row_.end(), state.q().begin(), state.q().end());
  row_.insert(row_.end(), state.u().begin(), state.u().end());
  row_.insert(row_.end(), {state.kinetic_energy(), state.potential_energy(), state.energy(),
                           tree::largest_constraint_error(state, workspace_)});
  const auto add = [&](const Vec3<double>& v) { row_.insert(row_.end(), {v.x, v.y, v.z}); };
  for (const int frame : tracked_) add(state.frame_pose(frame).p);
  if (momentum_) {
    add(state.momentum().force);
    add(state.momentum().moment);
  }
  for (const study::Quantity& quantity : recorded_) row_.push_back(quantity(state));
  return row_;
}

}  // namespace polhode::format
