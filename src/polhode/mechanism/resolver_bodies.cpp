// Bodies and joints in the order of the tree, and the arrays that sweeps read.
#include <fmt/format.h>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/resolver_tree.h"

namespace polhode {

const std::string& GrownTree::name_of_declared(const MechanismBuilder& in, int body) const {
  static const std::string ground = ground_name;
  const int declared = int(in.bodies().size());
  if (body == 0) return ground;
  return body <= declared ? in.bodies()[body - 1].name : halves[body - declared - 1].name;
}

const Source& GrownTree::source_of_declared(const MechanismBuilder& in, int body) const {
  const int declared = int(in.bodies().size());
  return in.bodies()[(body <= declared ? body : halves[body - declared - 1].of) - 1].source;
}

std::vector<Source> TreeMaker::make() {
  make_bodies();
  make_joints();
  make_loop_joints();
  return std::move(joint_source_);
}

void TreeMaker::make_bodies() {
  out_.bodies.reserve(grown_.tree.order.size());
  out_.frame_table.reserve(grown_.tree.order.size() + in_.frames().size());
  for (const int declared : grown_.tree.order) {
    const bool ground = declared == 0;
    const int part_of = declared > int(in_.bodies().size())
                            ? grown_.body_of_declared[grown_.halves[declared - in_.bodies().size() - 1].of]
                            : -1;
    out_.bodies.push_back({grown_.name_of_declared(in_, declared), graph_.mass[declared],
                           ground ? -1 : grown_.body_of_declared[grown_.tree.links[declared].parent], graph_.drawn[declared],
                           part_of});
    const bool declared_by_user = !ground && part_of < 0;
    out_.whole_mass.push_back(declared_by_user ? in_.bodies()[declared - 1].mass.mass : 0.0);
    out_.frame_table.add(out_.bodies.back().name, int(out_.bodies.size()) - 1);
  }
}

void TreeMaker::make_joints() {
  const int n = int(grown_.tree.order.size());
  out_.joints.reserve(n);
  out_.joint_table.reserve(n);
  joint_source_.reserve(n);
  out_.joints.push_back({ground_name, Weld{}, false, {}, {}, 0, 0, 0, 0, 0, 0, true, false});
  joint_source_.emplace_back();
  for (int b = 1; b < n; ++b) {
    const SpanningTree::Link& link = grown_.tree.links[grown_.tree.order[b]];
    if (link.edge < 0) {
      make_implicit_joint(b, grown_.tree.order[b]);
    } else {
      make_tree_joint(link);
    }
    Joint& joint = out_.joints.back();
    joint.first_q = out_.num_q, joint.nq = num_coordinates(joint.model);
    joint.first_u = out_.num_u, joint.nu = num_speeds(joint.model);
    joint.first_chart = out_.num_chart, joint.nchart = num_chart_coordinates(joint.model);
    out_.num_q += joint.nq, out_.num_u += joint.nu, out_.num_chart += joint.nchart;
    if (!joint.implicit) {
      const auto q0 = zero_coordinates(joint.model);
      out_.initial_q.insert(out_.initial_q.end(), q0.begin(), q0.end());
    }
    out_.joint_table.add(joint.name, b);
  }
  out_.initial_u.assign(out_.num_u, 0.0);
}

void TreeMaker::make_implicit_joint(int body, int declared) {
  const bool alone =
      body + 1 == int(grown_.tree.order.size()) || grown_.tree.links[grown_.tree.order[body + 1]].parent != declared;
  ImplicitJoint made = implicit_joint(graph_.mass[declared], graph_.drawn[declared], alone);
  std::string name = out_.bodies[body].name;
  while (graph_.joints.find(name)) name += ".free";
  graph_.joints.add(name, broken);
  out_.joints.push_back({std::move(name), made.model, false, {}, made.X_BM, 0, 0, 0, 0, 0, 0, true, false});
  out_.initial_q.insert(out_.initial_q.end(), made.q.begin(), made.q.end());
  joint_source_.push_back(grown_.source_of_declared(in_, declared));
}

void TreeMaker::check_parameters(const JointSpec& spec) {
  const std::string wrong = problem_with_parameters(spec.model);
  if (!wrong.empty()) problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source);
}

void TreeMaker::make_tree_joint(const SpanningTree::Link& link) {
  const JointSpec& spec = in_.joints()[graph_.edge_joint[link.edge]];
  const GraphEdge& edge = graph_.edges[link.edge];
  check_parameters(spec);
  JointFrames frames = place_joint(spec, graph_.drawn[edge.parent], graph_.drawn[edge.child], [&](std::string wrong) {
    problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source);
  });
  // The model's F and M stay on the bodies the user named. When the tree runs the other way, the same joint is seen from
  // its other end: the frames change places and X_FM is inverted, so coordinates keep their meaning.
  if (link.swapped) std::swap(frames.on_parent, frames.on_child);
  out_.joints.push_back({spec.name, spec.model, spec.reversed != link.swapped, frames.on_parent, frames.on_child, 0, 0, 0, 0, 0,
                         0, false, link.swapped});
  joint_source_.push_back(spec.source);
}

void TreeMaker::make_loop_joints() {
  for (const int e : grown_.tree.loop_edges) {
    const JointSpec& spec = in_.joints()[graph_.edge_joint[e]];
    check_parameters(spec);
    const JointFrames frames =
        place_joint(spec, graph_.drawn[graph_.edges[e].parent], graph_.drawn[graph_.edges[e].child],
                    [&](std::string wrong) { problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source); });
    out_.loop_joints.push_back({spec.name, spec.model, spec.reversed, grown_.body_of_declared[graph_.edges[e].parent],
                                grown_.body_of_declared[graph_.edges[e].child], frames.on_parent, frames.on_child,
                                spec.source});
  }
  weld_halves();
}

void TreeMaker::weld_halves() {
  for (std::size_t h = 0; h < grown_.halves.size(); ++h) {
    const GrownTree::Half& half = grown_.halves[h];
    const int part = int(in_.bodies().size() + 1 + h);
    out_.loop_joints.push_back({half.name,
                                Weld{},
                                false,
                                grown_.body_of_declared[std::size_t(half.of)],
                                grown_.body_of_declared[std::size_t(part)],
                                {},
                                {},
                                in_.joints()[std::size_t(graph_.edge_joint[std::size_t(half.edge)])].source});
  }
}

void make_flat(MechanismResolver::Data& out, const std::vector<Source>& joint_source) {
  out.flat.reserve(out.bodies.size());
  for (int b = 0; b < int(out.bodies.size()); ++b) {
    const Body& body = out.bodies[b];
    Joint& joint = out.joints[b];
    joint.X_MB = inverse(joint.X_BM);
    joint.source = joint_source[b];
    const Transform<double> X_MpF = b == 0 ? Transform<double>{} : out.joints[body.parent].X_MB * joint.X_PF;
    const MassProperties mass = transformed(joint.X_MB, body.mass);
    const SymMat3<double> I = mass.inertia_about_origin();
    const bool continues_run = b > 1 && body.parent == b - 1;
    FlatBody flat{body.parent,
                  FlatBody::Kind::general,
                  joint.first_q,
                  joint.first_u,
                  joint.nu,
                  continues_run ? out.flat[b - 1].run_start : b,
                  false,
                  false,
                  {},
                  {},
                  mass.mass,
                  {},
                  {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}};
    if (joint.nu == 0) flat.kind = FlatBody::Kind::fixed;
    if (!joint.reversed && std::holds_alternative<Revolute>(joint.model)) flat.kind = FlatBody::Kind::revolute;
    if (!joint.reversed && std::holds_alternative<Prismatic>(joint.model)) flat.kind = FlatBody::Kind::prismatic;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) flat.R_PF[3 * k + i] = X_MpF.R(i, k);
      flat.p_PF[i] = X_MpF.p[i];
      flat.first_moment[i] = mass.mass * mass.com[i];
    }
    out.flat.push_back(flat);
  }
  std::vector<int> last_child(out.flat.size(), 0);
  for (int b = 1; b < int(out.flat.size()); ++b) {
    const int parent = out.flat[b].parent;
    out.flat[parent].gathers = last_child[parent] > 0;
    last_child[parent] = b;
  }
  for (std::size_t p = 0; p < last_child.size(); ++p)
    if (out.flat[p].gathers) out.flat[last_child[p]].opens = true;
}

}  // namespace polhode
