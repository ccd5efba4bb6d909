#include "polhode/mechanism/resolver_names.h"

#include <fmt/format.h>

#include <cmath>

namespace polhode {
namespace {

std::vector<std::string> names_of_frames(const MechanismBuilder& in) {
  std::vector<std::string> names = names_of_bodies(in);
  for (const FrameSpec& frame : in.frames()) names.push_back(frame.name);
  names.push_back(ground_name);
  return names;
}

}  // namespace

std::optional<int> Names::body_of(const std::string& name, const std::string& what, const Source& where) {
  const auto body = out_.frame_table.find(name);
  if (body && *body >= 0 && *body < int(out_.bodies.size())) return body;
  problem(fmt::format("{}: body \"{}\" is not defined{}", what, name,
                      problems_.hint(
                          name, [&] { return names_of_bodies(in_); }, "bodies")),
          where);
  return std::nullopt;
}

std::optional<int> Names::frame_of(const std::string& name, const std::string& what, const Source& where) {
  const auto frame = out_.frame_table.find(name);
  if (!frame)
    problem(fmt::format("{}: frame \"{}\" is not defined{}", what, name,
                        problems_.hint(
                            name, [&] { return names_of_frames(in_); }, "frames")),
            where);
  return frame && *frame >= 0 ? frame : std::nullopt;
}

std::optional<std::pair<int, int>> Names::frames_of(const std::string& a, const std::string& b, const std::string& what,
                                                    const Source& where) {
  const auto first = frame_of(a, what, where), second = frame_of(b, what, where);
  if (!first || !second) return std::nullopt;
  if (*first != *second) return std::pair(*first, *second);
  problem(fmt::format("{}: both ends are at frame \"{}\"; name two different frames", what, a), where);
  return std::nullopt;
}

std::optional<int> Names::coordinate_of(const std::string& name, const std::string& what, const Source& where) {
  const auto q = out_.coordinate_table.find(name);
  if (!q) {
    problem(fmt::format("{}: coordinate \"{}\" is not defined{}", what, name,
                        problems_.hint(
                            name, [&] { return out_.coordinate_names; }, "coordinates")),
            where);
  } else if (*q == closes_loop) {
    wishes_.name_joint(index_.reserved.at(name));  // the next attempt has it in the tree
  } else if (*q >= 0) {
    wishes_.name_joint_of_body(index_.body_of_q[*q]);
  }
  return q && *q >= 0 ? q : std::nullopt;
}

std::optional<Axis> Names::axis_of(const std::string& name, const std::string& what, const Source& where) {
  const auto q = coordinate_of(name, what, where);
  if (!q) return std::nullopt;
  if (index_.speed_of_q[*q] >= 0) return Axis{*q, index_.speed_of_q[*q]};
  const Joint& joint = out_.joints[index_.body_of_q[*q]];
  problem(
      fmt::format("{}: coordinate \"{}\" of the {} joint \"{}\" describes an orientation together with others, and its rate is "
                  "not a speed of the joint; use a coordinate that is one angle or one distance",
                  what, name, type_name(joint.model), joint.name),
      where);
  return std::nullopt;
}

std::optional<int> Names::own_speed(const std::string& name) {
  const auto u = out_.speed_table.find(name);
  if (u) wishes_.name_joint_of_body(index_.body_of_u[*u]);
  if (const auto reserved = index_.reserved_speeds.find(name); !u && reserved != index_.reserved_speeds.end())
    wishes_.name_joint(reserved->second);
  return u;
}

std::optional<int> Names::speed_of(const std::string& name, const std::string& what, const Source& where) {
  if (!out_.coordinate_table.find(name)) {
    if (const auto u = own_speed(name)) return u;
    if (index_.reserved_speeds.count(name) > 0) return std::nullopt;
  }
  const auto axis = axis_of(name, what, where);
  return axis ? std::optional(axis->u) : std::nullopt;
}

bool Names::number(double value, double least, const char* what, const std::string& of, const Source& where) {
  if (!std::isfinite(value)) {
    problem(fmt::format("{}: {} must be a finite number, not {}", of, what, value), where);
  } else if (value < least) {
    problem(fmt::format("{}: {} {:g} must not be negative", of, what, value), where);
  } else {
    return true;
  }
  return false;
}

bool Names::is_speed_of_its_own(const std::string& name) const {
  return !out_.coordinate_table.find(name) && (out_.speed_table.find(name) || index_.reserved_speeds.count(name) > 0);
}

std::vector<std::string> Names::joint_names() const {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < out_.joints.size(); ++b) names.push_back(out_.joints[b].name);
  return names;
}

}  // namespace polhode
