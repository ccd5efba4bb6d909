#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/mechanism/joint_placement.h"
#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/resolver.h"

namespace polhode {
namespace {

/// The user's names, or the joint's name with the type's suffixes.
std::vector<std::string> coordinate_names(const JointModel& model, const std::string& joint,
                                          const std::vector<std::string>& given) {
  if (!given.empty()) return given;
  std::vector<std::string> names;
  for (int i = 0; i < num_coordinates(model); ++i) {
    const auto suffix = std::visit([&](const auto& type) { return std::string(type.coordinate_suffix(i)); }, model);
    names.push_back(joint + suffix);
  }
  return names;
}

/// Each speed is the rate of the coordinate with its number, so it goes by that one's name.
bool rates_are_speeds(const std::vector<int>& speed_of_coordinate, int num_speeds) {
  for (int i = 0; i < int(speed_of_coordinate.size()); ++i)
    if (speed_of_coordinate[std::size_t(i)] != i) return false;
  return int(speed_of_coordinate.size()) == num_speeds;
}

std::string speed_name(const JointModel& model, const std::string& joint, int i) {
  return joint + std::visit([&](const auto& type) { return std::string(type.speed_suffix(i)); }, model);
}

}  // namespace

void MechanismResolver::make_coordinates() {
  out_->coordinate_names.reserve(out_->num_q);
  out_->coordinate_table.reserve(out_->num_q);
  out_->speed_table.reserve(out_->num_u);
  std::vector<bool> in_tree(in_.joints().size(), false);
  for (int b = 1; b < int(out_->joints.size()); ++b) {
    const int edge = tree_.links[tree_.order[b]].edge;
    if (edge >= 0) in_tree[edge_joint_[edge]] = true;
    add_coordinates(b);
  }
  std::vector<bool> in_graph(in_.joints().size(), false);
  for (const int joint : edge_joint_) in_graph[joint] = true;
  for (size_t j = 0; j < in_.joints().size(); ++j)
    if (!in_tree[j]) reserve_coordinates(int(j), in_graph[j] ? closes_loop : broken);
  refuse_names_of_speeds();
}

/// A table of results has a column for each, and an initial speed may be asked for by its own name.
void MechanismResolver::refuse_names_of_speeds() {
  for (const Joint& joint : out_->joints) {
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) {
      const std::string& name = out_->speed_names[u];
      const auto q = out_->coordinate_table.find(name);
      if (q && *q >= 0)
        problem(fmt::format("coordinate \"{0}\" is called like a speed: \"{0}\" is one of joint \"{1}\"; give the coordinate "
                            "another name",
                            name, joint.name),
                coordinate_source(name));
    }
  }
}

void MechanismResolver::add_coordinates(int b) {
  const Joint& joint = out_->joints[b];
  const int edge = tree_.links[tree_.order[b]].edge;
  const JointSpec* spec = edge < 0 ? nullptr : &in_.joints()[edge_joint_[edge]];
  auto names = coordinate_names(joint.model, joint.name, spec ? spec->coordinate_names : std::vector<std::string>{});
  if (int(names.size()) != joint.nq) {
    problem(fmt::format("joint \"{}\" is given {} coordinate name{}, but a {} joint has {} coordinate{}", joint.name,
                        names.size(), names.size() == 1 ? "" : "s", type_name(joint.model), joint.nq, joint.nq == 1 ? "" : "s"),
            joint_source_[b]);
    names.resize(joint.nq);
  }
  // A joint whose own name is taken has been told of already, and so have the coordinates named after it.
  const bool named_twice = spec && declared_joints_.find(spec->name) != std::optional(edge_joint_[edge]);
  for (const std::string& name : names) {
    const int q = int(out_->coordinate_names.size());
    if (!out_->coordinate_table.add(name, q) && !named_twice && !name.empty())
      duplicate(fmt::format("coordinate \"{}\"", name), joint_source_[b], coordinate_source(name));
    out_->coordinate_names.push_back(name);
    body_of_q_.push_back(b);
  }

  const std::vector<int> speeds = speed_of_coordinate(joint.model);
  for (const int speed : speeds) speed_of_q_.push_back(speed < 0 ? -1 : joint.first_u + speed);
  const bool by_rates = rates_are_speeds(speeds, joint.nu);
  for (int i = 0; i < joint.nu; ++i) {
    const int u = int(out_->speed_names.size());
    body_of_u_.push_back(b);
    out_->speed_names.push_back(by_rates ? names[i] + "'" : speed_name(joint.model, joint.name, i));
    out_->speed_table.add(out_->speed_names.back(), u);
  }
}

/// Coordinates of a joint that is not in the tree: their names are taken, but they stand for no number.
void MechanismResolver::reserve_coordinates(int joint, int standing) {
  const JointSpec& spec = in_.joints()[std::size_t(joint)];
  const auto names = coordinate_names(spec.model, spec.name, spec.coordinate_names);
  for (const std::string& name : names) {
    if (out_->coordinate_table.add(name, standing)) {
      reserved_[name] = joint;
    } else if (!spec.coordinate_names.empty()) {
      duplicate(fmt::format("coordinate \"{}\"", name), spec.source, coordinate_source(name));
    }
  }
  if (standing != closes_loop) return;
  const bool by_rates =
      rates_are_speeds(speed_of_coordinate(spec.model), num_speeds(spec.model)) && int(names.size()) == num_speeds(spec.model);
  for (int i = 0; i < num_speeds(spec.model); ++i)
    reserved_speeds_.emplace(by_rates ? names[std::size_t(i)] + "'" : speed_name(spec.model, spec.name, i), joint);
}

Source MechanismResolver::coordinate_source(const std::string& name) const {
  const auto q = out_->coordinate_table.find(name);
  if (q && *q >= 0) return joint_source_[body_of_q_[*q]];
  const auto reserved = reserved_.find(name);
  return reserved == reserved_.end() ? Source{} : in_.joints()[std::size_t(reserved->second)].source;
}

std::optional<int> MechanismResolver::coordinate_of(const std::string& name, const std::string& what, const Source& where) {
  const auto q = out_->coordinate_table.find(name);
  if (!q) {
    problem(fmt::format("{}: coordinate \"{}\" is not defined{}", what, name,
                        hint(
                            name, [&] { return out_->coordinate_names; }, "coordinates")),
            where);
  } else if (*q == closes_loop) {
    name_joint(found_.named, reserved_.at(name));  // the next attempt has it in the tree
  } else if (*q >= 0) {
    name_joint_of_body(body_of_q_[*q]);
  }
  return q && *q >= 0 ? q : std::nullopt;
}

std::optional<MechanismResolver::Axis> MechanismResolver::axis_of(const std::string& name, const std::string& what,
                                                                  const Source& where) {
  const auto q = coordinate_of(name, what, where);
  if (!q) return std::nullopt;
  if (speed_of_q_[*q] >= 0) return Axis{*q, speed_of_q_[*q]};
  const Joint& joint = out_->joints[body_of_q_[*q]];
  problem(
      fmt::format("{}: coordinate \"{}\" of the {} joint \"{}\" describes an orientation together with others, and its rate is "
                  "not a speed of the joint; use a coordinate that is one angle or one distance",
                  what, name, type_name(joint.model), joint.name),
      where);
  return std::nullopt;
}

std::optional<int> MechanismResolver::own_speed(const std::string& name) {
  const auto u = out_->speed_table.find(name);
  if (u) name_joint_of_body(body_of_u_[*u]);
  if (const auto reserved = reserved_speeds_.find(name); !u && reserved != reserved_speeds_.end())
    name_joint(found_.named, reserved->second);
  return u;
}

std::optional<int> MechanismResolver::speed_of(const std::string& name, const std::string& what, const Source& where) {
  if (!out_->coordinate_table.find(name)) {
    if (const auto u = own_speed(name)) return u;
    if (reserved_speeds_.count(name) > 0) return std::nullopt;
  }
  const auto axis = axis_of(name, what, where);
  return axis ? std::optional(axis->u) : std::nullopt;
}

bool MechanismResolver::number(double value, double least, const char* what, const std::string& of, const Source& where) {
  if (!std::isfinite(value)) {
    problem(fmt::format("{}: {} must be a finite number, not {}", of, what, value), where);
  } else if (value < least) {
    problem(fmt::format("{}: {} {:g} must not be negative", of, what, value), where);
  } else {
    return true;
  }
  return false;
}

// Where coordinates and speeds start.

void MechanismResolver::make_initial_state() {
  for (const InitialValue& value : in_.initial_values()) set_initial(value);
  normalize_initial_quaternions();
  make_kinematic();
  make_drives();
  place_halves();
  make_initial_velocities();
}

void MechanismResolver::set_initial(const InitialValue& value) {
  constexpr double any = -std::numeric_limits<double>::infinity();
  const std::string what = fmt::format("initial value of \"{}\"", value.coordinate);
  const bool numbers_are_good = (!value.value || number(*value.value, any, "the coordinate", what, value.source)) &&
                                (!value.speed || number(*value.speed, any, "the speed", what, value.source));
  // A speed may be set by its own name, which is the only one it has in joints whose speeds are not rates of coordinates.
  if (!out_->coordinate_table.find(value.coordinate) &&
      (out_->speed_table.find(value.coordinate) || reserved_speeds_.count(value.coordinate) > 0)) {
    const auto u = own_speed(value.coordinate);
    if (value.value) {
      problem(fmt::format("initial value: \"{}\" is a speed and takes no coordinate; give the speed alone", value.coordinate),
              value.source);
    } else if (numbers_are_good && value.speed && u) {
      out_->initial_u[*u] = *value.speed;
    }
    return;
  }
  const auto q = coordinate_of(value.coordinate, "initial value", value.source);
  if (!q || !numbers_are_good) return;
  if (value.value) out_->initial_q[*q] = *value.value;
  if (value.speed) set_initial_speed(value, *q);
}

void MechanismResolver::set_initial_speed(const InitialValue& value, int q) {
  if (speed_of_q_[q] >= 0) {
    out_->initial_u[speed_of_q_[q]] = *value.speed;
    return;
  }
  const Joint& joint = out_->joints[body_of_q_[q]];
  std::string speeds;
  for (int k = 0; k < joint.nu; ++k)
    speeds += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", out_->speed_names[joint.first_u + k]);
  problem(
      fmt::format("initial value of \"{}\": the coordinate's rate is not a speed of the {} joint \"{}\"; give a speed to its "
                  "speeds {} instead",
                  value.coordinate, type_name(joint.model), joint.name, speeds),
      value.source);
}

void MechanismResolver::normalize_initial_quaternions() {
  std::unordered_map<int, Source> asked;  // joints some of whose coordinates the user gave
  for (const InitialValue& value : in_.initial_values()) {
    const auto q = out_->coordinate_table.find(value.coordinate);
    if (q && *q >= 0 && value.value) asked.emplace(body_of_q_[*q], value.source);
  }
  for (const auto& [body, source] : asked) {
    const Joint& joint = out_->joints[body];
    if (!normalize_coordinates(joint.model, &out_->initial_q[joint.first_q]))
      problem(
          fmt::format(
              "initial values of joint \"{}\" give the quaternion (0, 0, 0, 0), which is not an orientation; (1, 0, 0, 0) is "
              "the unturned one",
              joint.name),
          source);
  }
}

void MechanismResolver::make_kinematic() {
  out_->speed_is_kinematic.assign(std::size_t(out_->num_u), 0);
  std::unordered_map<int, Source> first;
  for (const KinematicSpec& spec : in_.kinematic()) {
    const std::string what = fmt::format("kinematic \"{}\"", spec.coordinate);
    const auto axis = axis_of(spec.coordinate, "kinematic", spec.source);
    if (!axis) continue;
    const auto [it, is_new] = first.emplace(axis->q, spec.source);
    if (!is_new) {
      problems_.push_back({fmt::format("{}: the coordinate already follows a signal; keep one of the two", what), spec.source,
                           it->second, "the first one is here"});
      continue;
    }
    const Signal::Sample start = spec.signal.at(0);
    if (!std::isfinite(start.value) || !std::isfinite(start.rate)) {
      problem(fmt::format("{}: at t = 0 the signal's value is {} and its rate {}; both must be finite", what, start.value,
                          start.rate),
              spec.source);
      continue;
    }
    out_->kinematic.push_back({axis->q, axis->u, spec.signal, spec.source});
    out_->speed_is_kinematic[std::size_t(axis->u)] = 1;
  }
  std::sort(out_->kinematic.begin(), out_->kinematic.end(),
            [](const KinematicCoordinate& a, const KinematicCoordinate& b) { return a.u < b.u; });
}

void MechanismResolver::make_initial_velocities() {
  for (const InitialVelocity& velocity : in_.initial_velocities()) {
    const auto body = body_of(velocity.body, "velocity", velocity.source);
    if (body && *body == 0) problem("velocity: the ground does not move; name another body", velocity.source);
    if (!is_finite(velocity.V_WB.angular) || !is_finite(velocity.V_WB.linear))
      problem(fmt::format("velocity of body \"{}\" must be finite numbers", velocity.body), velocity.source);
    out_->initial_velocities.push_back(velocity);
  }
}

}  // namespace polhode
