#include "polhode/format/state_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/joint_queries.h"

namespace polhode::format {
namespace {

std::vector<int> checked(std::vector<int> frames, const Mechanism& mechanism) {
  for (const int frame : frames)
    if (frame < 0 || frame >= int(mechanism.frames().size()))
      throw std::out_of_range(
          fmt::format("frame no. {} was asked for, but there are {}, counted from 0", frame, mechanism.frames().size()));
  return frames;
}

/// Of a coordinate, by what it does to the pose of M in F where nothing is special.
std::string unit_of_coordinate(const JointModel& model, int i) {
  const bool has_quaternion = num_coordinates(model) > num_chart_coordinates(model);
  if (has_quaternion && i < 4) return "";
  std::vector<double> q = generic_coordinates(model, 0);
  const Mat3<double> before = pose_at(model, q).R;
  q[std::size_t(i)] += 1e-3;
  const Mat3<double> after = pose_at(model, q).R;
  double turned = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) turned = std::max(turned, std::abs(after(r, c) - before(r, c)));
  return turned > 1e-9 ? "rad" : "m";
}

void add_joint_columns(const Mechanism& mechanism, std::vector<Column>& columns) {
  std::vector<Column> coordinates, speeds;
  for (const std::string& name : mechanism.coordinate_names()) coordinates.push_back({name, ""});
  for (const std::string& name : mechanism.speed_names()) speeds.push_back({name, ""});
  for (const Joint& joint : mechanism.joints()) {
    if (joint.nq == 0) continue;
    const auto H = hinge_columns(joint.model, generic_coordinates(joint.model, 0));
    for (int i = 0; i < joint.nq; ++i) coordinates[std::size_t(joint.first_q + i)].unit = unit_of_coordinate(joint.model, i);
    for (int i = 0; i < joint.nu; ++i)
      speeds[std::size_t(joint.first_u + i)].unit = norm(H[std::size_t(i)].angular) > 1e-9 ? "rad/s" : "m/s";
  }
  columns.insert(columns.end(), coordinates.begin(), coordinates.end());
  columns.insert(columns.end(), speeds.begin(), speeds.end());
}

}  // namespace

std::vector<Column> state_columns(const Mechanism& mechanism, std::span<const int> tracked_frames) {
  std::vector<Column> columns{{"t", "s"}};
  add_joint_columns(mechanism, columns);
  for (const char* name : {"kinetic", "potential", "energy"}) columns.push_back({name, "J"});
  columns.push_back({"constraint", "m or rad"});
  for (const int frame : tracked_frames)
    for (const char* axis : {".x", ".y", ".z"}) columns.push_back({mechanism.frames()[std::size_t(frame)].name + axis, "m"});
  return columns;
}

StateTable::StateTable(const Mechanism& mechanism, std::vector<int> tracked_frames)
    : mechanism_(mechanism),
      tracked_(checked(std::move(tracked_frames), mechanism)),
      columns_(state_columns(mechanism, tracked_)),
      constraints_(mechanism),
      workspace_(mechanism),
      errors_(std::size_t(constraints_.num_rows())),
      row_(columns_.size()) {}

/// The largest, by size.
double StateTable::constraint_error(const State& state) {
  if (errors_.empty()) return 0;
  tree::positions(workspace_, state.q());
  constraints_.errors(workspace_, state.time(), state.q(), errors_);
  double largest = 0;
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (state.is_enabled(constraints_.element(int(i)))) largest = std::max(largest, std::abs(errors_[i]));
  return largest;
}

std::span<const double> StateTable::row(const State& state) {
  if (&state.mechanism().bodies() != &mechanism_.bodies())
    throw std::invalid_argument("the state is of another mechanism than the table");
  auto at = row_.begin();
  *at++ = state.time();
  at = std::copy(state.q().begin(), state.q().end(), at);
  at = std::copy(state.u().begin(), state.u().end(), at);
  *at++ = state.kinetic_energy();
  *at++ = state.potential_energy();
  *at++ = state.energy();
  *at++ = constraint_error(state);
  for (const int frame : tracked_) {
    const Vec3<double> p = state.frame_pose(frame).p;
    *at++ = p.x, *at++ = p.y, *at++ = p.z;
  }
  return row_;
}

}  // namespace polhode::format
