#include "polhode/mechanism/resolver_graph.h"

#include <fmt/format.h>

#include "polhode/mechanism/inertia_check.h"

namespace polhode {

std::vector<std::string> names_of_bodies(const MechanismBuilder& in) {
  std::vector<std::string> names;
  for (const BodySpec& body : in.bodies()) names.push_back(body.name);
  return names;
}

JointFrames JointGraph::frames_of_edge(const MechanismBuilder& in, int edge) const {
  const GraphEdge& e = edges[std::size_t(edge)];
  return place_joint(joint_of_edge(in, edge), drawn[std::size_t(e.parent)], drawn[std::size_t(e.child)],
                     [](const std::string&) {});
}

JointGraph GraphReader::read() {
  declare_bodies();
  declare_joints();
  return std::move(graph_);
}

void GraphReader::check_body(const BodySpec& spec) {
  MassProperties mass = spec.mass;
  for (const std::string& wrong : unusable(spec.mass)) {
    problem(fmt::format("body \"{}\": {}", spec.name, wrong), spec.source);
    mass = MassProperties::sphere(1, 1);
  }
  if (!broken_triangles(mass).empty()) graph_.odd_inertias.push_back(int(graph_.mass.size()));
  graph_.mass.push_back(mass);
  const std::string wrong = problem_with_pose(spec.drawn_pose);
  if (!wrong.empty()) problem(fmt::format("body \"{}\" {}", spec.name, wrong), spec.source);
  graph_.drawn.push_back(wrong.empty() ? with_exact_rotation(spec.drawn_pose) : Transform<double>{});
}

void GraphReader::declare_bodies() {
  graph_.bodies.reserve(in_.bodies().size() + 1);
  graph_.bodies.add(ground_name, 0);
  graph_.drawn.emplace_back();
  graph_.mass.emplace_back();
  for (int i = 0; i < int(in_.bodies().size()); ++i) {
    const BodySpec& spec = in_.bodies()[i];
    check_body(spec);
    if (spec.name.empty()) {
      problem("a body has no name; give it one", spec.source);
    } else if (spec.name == ground_name) {
      problem("\"ground\" is the name of the fixed world; give this body another", spec.source);
    } else if (!graph_.bodies.add(spec.name, i + 1)) {
      problems_.duplicate(fmt::format("body \"{}\"", spec.name), spec.source,
                          in_.bodies()[*graph_.bodies.find(spec.name) - 1].source);
    }
  }
}

void GraphReader::declare_joints() {
  const auto names = [&] {
    std::vector<std::string> all = names_of_bodies(in_);
    all.push_back(ground_name);
    return all;
  };
  graph_.joints.reserve(in_.joints().size());
  for (int j = 0; j < int(in_.joints().size()); ++j) {
    const JointSpec& spec = in_.joints()[j];
    if (spec.name.empty()) {
      problem(fmt::format("the joint between \"{}\" and \"{}\" has no name; give it one", spec.parent, spec.child),
              spec.source);
    } else if (!graph_.joints.add(spec.name, j)) {
      problems_.duplicate(fmt::format("joint \"{}\"", spec.name), spec.source,
                          in_.joints()[*graph_.joints.find(spec.name)].source);
    }
    std::optional<int> ends[2];
    for (const int end : {0, 1}) {
      const std::string& name = end == 0 ? spec.parent : spec.child;
      ends[end] = graph_.bodies.find(name);
      if (ends[end]) continue;
      problem(name.empty() ? fmt::format("joint \"{}\" needs the name of its {} body{}", spec.name,
                                         end == 0 ? "parent" : "child", problems_.hint(name, names, "bodies"))
                           : fmt::format("joint \"{}\": body \"{}\" is not defined{}", spec.name, name,
                                         problems_.hint(name, names, "bodies")),
              spec.source);
    }
    if (ends[0] && ends[0] == ends[1]) {
      problem(fmt::format("joint \"{}\" connects body \"{}\" to itself; name two different bodies", spec.name, spec.parent),
              spec.source);
    } else if (ends[0] && ends[1]) {
      graph_.edges.push_back({*ends[0], *ends[1]});
      graph_.edge_joint.push_back(j);
    }
  }
}

}  // namespace polhode
