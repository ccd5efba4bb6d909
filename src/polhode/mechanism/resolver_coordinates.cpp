#include "polhode/mechanism/resolver_coordinates.h"

#include <fmt/format.h>

#include "polhode/mechanism/joint_queries.h"

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

CoordinateIndex CoordinateNamer::make() {
  out_.coordinate_names.reserve(out_.num_q);
  out_.coordinate_table.reserve(out_.num_q);
  out_.speed_table.reserve(out_.num_u);
  std::vector<bool> in_tree(in_.joints().size(), false);
  for (int b = 1; b < int(out_.joints.size()); ++b) {
    const int edge = grown_.edge_of_body(b);
    if (edge >= 0) in_tree[graph_.edge_joint[edge]] = true;
    add_coordinates(b);
  }
  std::vector<bool> in_graph(in_.joints().size(), false);
  for (const int joint : graph_.edge_joint) in_graph[joint] = true;
  for (size_t j = 0; j < in_.joints().size(); ++j)
    if (!in_tree[j]) reserve_coordinates(int(j), in_graph[j] ? closes_loop : broken);
  index_.q_of_speed.assign(std::size_t(out_.num_u), -1);
  for (int q = 0; q < int(index_.speed_of_q.size()); ++q)
    if (const int u = index_.speed_of_q[std::size_t(q)]; u >= 0) index_.q_of_speed[std::size_t(u)] = q;
  refuse_names_of_speeds();
  return std::move(index_);
}

/// A table of results has a column for each, and an initial speed may be asked for by its own name.
void CoordinateNamer::refuse_names_of_speeds() {
  for (const Joint& joint : out_.joints) {
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) {
      const std::string& name = out_.speed_names[u];
      const auto q = out_.coordinate_table.find(name);
      if (q && *q >= 0)
        problem(fmt::format("coordinate \"{0}\" is called like a speed: \"{0}\" is one of joint \"{1}\"; give the coordinate "
                            "another name",
                            name, joint.name),
                coordinate_source(name));
    }
  }
}

void CoordinateNamer::add_coordinates(int b) {
  const Joint& joint = out_.joints[b];
  const int edge = grown_.edge_of_body(b);
  const JointSpec* spec = edge < 0 ? nullptr : &in_.joints()[graph_.edge_joint[edge]];
  auto names = coordinate_names(joint.model, joint.name, spec ? spec->coordinate_names : std::vector<std::string>{});
  if (int(names.size()) != joint.nq) {
    problem(fmt::format("joint \"{}\" is given {} coordinate name{}, but a {} joint has {} coordinate{}", joint.name,
                        names.size(), names.size() == 1 ? "" : "s", type_name(joint.model), joint.nq, joint.nq == 1 ? "" : "s"),
            joint_source_[b]);
    names.resize(joint.nq);
  }
  // A joint whose own name is taken has been told of already, and so have the coordinates named after it.
  const bool named_twice = spec && graph_.joints.find(spec->name) != std::optional(graph_.edge_joint[edge]);
  for (const std::string& name : names) {
    const int q = int(out_.coordinate_names.size());
    if (!out_.coordinate_table.add(name, q) && !named_twice && !name.empty())
      problems_.duplicate(fmt::format("coordinate \"{}\"", name), joint_source_[b], coordinate_source(name));
    out_.coordinate_names.push_back(name);
    index_.body_of_q.push_back(b);
  }

  const std::vector<int> speeds = speed_of_coordinate(joint.model);
  for (const int speed : speeds) index_.speed_of_q.push_back(speed < 0 ? -1 : joint.first_u + speed);
  const bool by_rates = rates_are_speeds(speeds, joint.nu);
  for (int i = 0; i < joint.nu; ++i) {
    const int u = int(out_.speed_names.size());
    index_.body_of_u.push_back(b);
    out_.speed_names.push_back(by_rates ? names[i] + "'" : speed_name(joint.model, joint.name, i));
    out_.speed_table.add(out_.speed_names.back(), u);
  }
}

/// Coordinates of a joint that is not in the tree: their names are taken, but they stand for no number.
void CoordinateNamer::reserve_coordinates(int joint, int standing) {
  const JointSpec& spec = in_.joints()[std::size_t(joint)];
  const auto names = coordinate_names(spec.model, spec.name, spec.coordinate_names);
  for (const std::string& name : names) {
    if (out_.coordinate_table.add(name, standing)) {
      index_.reserved[name] = joint;
    } else if (!spec.coordinate_names.empty()) {
      problems_.duplicate(fmt::format("coordinate \"{}\"", name), spec.source, coordinate_source(name));
    }
  }
  if (standing != closes_loop) return;
  const bool by_rates =
      rates_are_speeds(speed_of_coordinate(spec.model), num_speeds(spec.model)) && int(names.size()) == num_speeds(spec.model);
  for (int i = 0; i < num_speeds(spec.model); ++i)
    index_.reserved_speeds.emplace(by_rates ? names[std::size_t(i)] + "'" : speed_name(spec.model, spec.name, i), joint);
}

Source CoordinateNamer::coordinate_source(const std::string& name) const {
  const auto q = out_.coordinate_table.find(name);
  if (q && *q >= 0) return joint_source_[index_.body_of_q[*q]];
  const auto reserved = index_.reserved.find(name);
  return reserved == index_.reserved.end() ? Source{} : in_.joints()[std::size_t(reserved->second)].source;
}

}  // namespace polhode
