#include "polhode/mechanism/resolver.h"

#include <fmt/format.h>

#include "polhode/mechanism/inertia_check.h"
#include "polhode/mechanism/joint_placement.h"
#include "polhode/mechanism/joint_queries.h"

namespace polhode {

MechanismResolver::MechanismResolver(const MechanismBuilder& builder, std::vector<Problem> found, TreeWishes wishes)
    : in_(builder), problems_(std::move(found)), given_(std::move(wishes)), found_(given_) {}

std::optional<Mechanism> MechanismResolver::resolve() {
  out_->name = in_.name;
  out_->gravity = in_.gravity;
  if (!is_finite(in_.gravity)) problem("gravity must be three finite numbers", {});
  if (in_.bodies().empty()) problem("the model has no bodies, so there is nothing to simulate; add one", {});

  declare_bodies();
  declare_joints();
  judge_inertias();
  give_up_when_hopeless();  // thousands of bodies of one name would make ever longer names for the joints they hang by
  grow_tree();
  make_bodies();
  make_joints();
  make_loop_joints();
  make_frames();
  make_shapes();
  make_coordinates();
  make_initial_state();
  make_discrete();
  make_constraints();
  make_inputs();
  make_forces();
  check_events();
  if (problems_.empty() && asks_for_another_tree()) return std::nullopt;
  if (problems_.empty()) {
    make_flat();
    out_->description = std::make_shared<MechanismBuilder>(in_);
    make_users_constraints();
    make_users_forces();
    check_discrete_of_events();
  }
  if (!problems_.empty()) throw ModelError(std::move(problems_));
  return Mechanism(out_);
}

void MechanismResolver::duplicate(const std::string& what, const Source& where, const Source& first) {
  problems_.push_back({what + " is already defined; give one of the two another name", where, first, "first defined"});
}

std::string MechanismResolver::hint(const std::string& asked, const std::function<std::vector<std::string>()>& valid,
                                    const char* kind) const {
  // A hint reads every name; a generated model with one mistake in every line must not take hours.
  constexpr size_t enough = 50;
  return problems_.size() < enough ? suggestion(asked, valid(), kind) : std::string();
}

void MechanismResolver::give_up_when_hopeless() {
  constexpr size_t hopeless = 1000;
  if (problems_.size() >= hopeless) throw ModelError(std::move(problems_));
}

// Bodies and joints as declared.

void MechanismResolver::check_body(const BodySpec& spec) {
  MassProperties mass = spec.mass;
  for (const std::string& wrong : unusable(spec.mass)) {
    problem(fmt::format("body \"{}\": {}", spec.name, wrong), spec.source);
    mass = MassProperties::sphere(1, 1);
  }
  if (!broken_triangles(mass).empty()) odd_inertias_.push_back(int(mass_.size()));
  mass_.push_back(mass);
  const std::string wrong = problem_with_pose(spec.drawn_pose);
  if (!wrong.empty()) problem(fmt::format("body \"{}\" {}", spec.name, wrong), spec.source);
  drawn_.push_back(wrong.empty() ? with_exact_rotation(spec.drawn_pose) : Transform<double>{});
}

void MechanismResolver::declare_bodies() {
  declared_bodies_.reserve(in_.bodies().size() + 1);
  declared_bodies_.add(ground_name, 0);
  drawn_.emplace_back();
  mass_.emplace_back();
  for (int i = 0; i < int(in_.bodies().size()); ++i) {
    const BodySpec& spec = in_.bodies()[i];
    check_body(spec);
    if (spec.name.empty()) {
      problem("a body has no name; give it one", spec.source);
    } else if (spec.name == ground_name) {
      problem("\"ground\" is the name of the fixed world; give this body another", spec.source);
    } else if (!declared_bodies_.add(spec.name, i + 1)) {
      duplicate(fmt::format("body \"{}\"", spec.name), spec.source, in_.bodies()[*declared_bodies_.find(spec.name) - 1].source);
    }
  }
}

void MechanismResolver::declare_joints() {
  const auto names = [&] {
    std::vector<std::string> all = body_names();
    all.push_back(ground_name);
    return all;
  };
  declared_joints_.reserve(in_.joints().size());
  for (int j = 0; j < int(in_.joints().size()); ++j) {
    const JointSpec& spec = in_.joints()[j];
    if (spec.name.empty()) {
      problem(fmt::format("the joint between \"{}\" and \"{}\" has no name; give it one", spec.parent, spec.child),
              spec.source);
    } else if (!declared_joints_.add(spec.name, j)) {
      duplicate(fmt::format("joint \"{}\"", spec.name), spec.source, in_.joints()[*declared_joints_.find(spec.name)].source);
    }
    std::optional<int> ends[2];
    for (const int end : {0, 1}) {
      const std::string& name = end == 0 ? spec.parent : spec.child;
      ends[end] = declared_bodies_.find(name);
      if (ends[end]) continue;
      problem(name.empty()
                  ? fmt::format("joint \"{}\" needs the name of its {} body{}", spec.name, end == 0 ? "parent" : "child",
                                hint(name, names, "bodies"))
                  : fmt::format("joint \"{}\": body \"{}\" is not defined{}", spec.name, name, hint(name, names, "bodies")),
              spec.source);
    }
    if (ends[0] && ends[0] == ends[1]) {
      problem(fmt::format("joint \"{}\" connects body \"{}\" to itself; name two different bodies", spec.name, spec.parent),
              spec.source);
    } else if (ends[0] && ends[1]) {
      edges_.push_back({*ends[0], *ends[1]});
      edge_joint_.push_back(j);
    }
  }
}

// The tree.

void MechanismResolver::grow_tree() {
  // A stray group hangs on Ground by a body that resists every motion, if it has one: a particle would have no inertia
  // against the turning that its neighbours ask of it.
  const auto prefers_root = [&](int body) { return structure(mass_[body]) == MassStructure::rigid; };
  tree_ = spanning_tree(int(mass_.size()), edges_, prefers_root);
  if (!given_.none() && !tree_.loop_edges.empty()) regrow_tree(prefers_root);
  body_of_declared_.resize(tree_.order.size());
  for (int b = 0; b < int(tree_.order.size()); ++b) body_of_declared_[tree_.order[b]] = b;
}

const std::string& MechanismResolver::name_of_declared(int body) const {
  static const std::string ground = ground_name;
  const int declared = int(in_.bodies().size());
  if (body == 0) return ground;
  return body <= declared ? in_.bodies()[body - 1].name : halves_[body - declared - 1].name;
}

const Source& MechanismResolver::source_of_declared(int body) const {
  const int declared = int(in_.bodies().size());
  return in_.bodies()[(body <= declared ? body : halves_[body - declared - 1].of) - 1].source;
}

void MechanismResolver::make_bodies() {
  out_->bodies.reserve(tree_.order.size());
  out_->frame_table.reserve(tree_.order.size() + in_.frames().size());
  for (const int declared : tree_.order) {
    const bool ground = declared == 0;
    const int part_of =
        declared > int(in_.bodies().size()) ? body_of_declared_[halves_[declared - in_.bodies().size() - 1].of] : -1;
    out_->bodies.push_back({name_of_declared(declared), mass_[declared],
                            ground ? -1 : body_of_declared_[tree_.links[declared].parent], drawn_[declared], part_of});
    const bool declared_by_user = !ground && part_of < 0;
    out_->whole_mass.push_back(declared_by_user ? in_.bodies()[declared - 1].mass.mass : 0.0);
    out_->frame_table.add(out_->bodies.back().name, int(out_->bodies.size()) - 1);
  }
}

void MechanismResolver::make_joints() {
  const int n = int(tree_.order.size());
  out_->joints.reserve(n);
  out_->joint_table.reserve(n);
  joint_source_.reserve(n);
  out_->joints.push_back({ground_name, Weld{}, false, {}, {}, 0, 0, 0, 0, 0, 0, true, false});
  joint_source_.emplace_back();
  for (int b = 1; b < n; ++b) {
    const SpanningTree::Link& link = tree_.links[tree_.order[b]];
    if (link.edge < 0) {
      make_implicit_joint(b, tree_.order[b]);
    } else {
      make_tree_joint(link);
    }
    Joint& joint = out_->joints.back();
    joint.first_q = out_->num_q, joint.nq = num_coordinates(joint.model);
    joint.first_u = out_->num_u, joint.nu = num_speeds(joint.model);
    joint.first_chart = out_->num_chart, joint.nchart = num_chart_coordinates(joint.model);
    out_->num_q += joint.nq, out_->num_u += joint.nu, out_->num_chart += joint.nchart;
    if (!joint.implicit) {
      const auto q0 = zero_coordinates(joint.model);
      out_->initial_q.insert(out_->initial_q.end(), q0.begin(), q0.end());
    }
    out_->joint_table.add(joint.name, b);
  }
  out_->initial_u.assign(out_->num_u, 0.0);
}

void MechanismResolver::make_implicit_joint(int body, int declared) {
  const bool alone = body + 1 == int(tree_.order.size()) || tree_.links[tree_.order[body + 1]].parent != declared;
  ImplicitJoint made = implicit_joint(mass_[declared], drawn_[declared], alone);
  std::string name = out_->bodies[body].name;
  while (declared_joints_.find(name)) name += ".free";
  declared_joints_.add(name, broken);
  out_->joints.push_back({std::move(name), made.model, false, {}, made.X_BM, 0, 0, 0, 0, 0, 0, true, false});
  out_->initial_q.insert(out_->initial_q.end(), made.q.begin(), made.q.end());
  joint_source_.push_back(source_of_declared(declared));
}

void MechanismResolver::check_parameters(const JointSpec& spec) {
  const std::string wrong = problem_with_parameters(spec.model);
  if (!wrong.empty()) problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source);
}

void MechanismResolver::make_tree_joint(const SpanningTree::Link& link) {
  const JointSpec& spec = in_.joints()[edge_joint_[link.edge]];
  const GraphEdge& edge = edges_[link.edge];
  check_parameters(spec);
  JointFrames frames = place_joint(spec, drawn_[edge.parent], drawn_[edge.child], [&](std::string wrong) {
    problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source);
  });
  // The model's F and M stay on the bodies the user named. When the tree runs the other way, the same joint is seen from
  // its other end: the frames change places and X_FM is inverted, so coordinates keep their meaning.
  if (link.swapped) std::swap(frames.on_parent, frames.on_child);
  out_->joints.push_back({spec.name, spec.model, spec.reversed != link.swapped, frames.on_parent, frames.on_child, 0, 0, 0, 0,
                          0, 0, false, link.swapped});
  joint_source_.push_back(spec.source);
}

void MechanismResolver::make_loop_joints() {
  for (const int e : tree_.loop_edges) {
    const JointSpec& spec = in_.joints()[edge_joint_[e]];
    check_parameters(spec);
    const JointFrames frames = place_joint(spec, drawn_[edges_[e].parent], drawn_[edges_[e].child], [&](std::string wrong) {
      problem(fmt::format("joint \"{}\": {}", spec.name, wrong), spec.source);
    });
    out_->loop_joints.push_back({spec.name, spec.model, spec.reversed, body_of_declared_[edges_[e].parent],
                                 body_of_declared_[edges_[e].child], frames.on_parent, frames.on_child, spec.source});
  }
  weld_halves();
}

// Frames.

std::vector<std::string> MechanismResolver::body_names() const {
  std::vector<std::string> names;
  for (const BodySpec& body : in_.bodies()) names.push_back(body.name);
  return names;
}

std::vector<std::string> MechanismResolver::frame_names() const {
  std::vector<std::string> names = body_names();
  for (const FrameSpec& frame : in_.frames()) names.push_back(frame.name);
  names.push_back(ground_name);
  return names;
}

void MechanismResolver::make_frames() {
  out_->frames.reserve(out_->bodies.size() + in_.frames().size());
  for (int b = 0; b < int(out_->bodies.size()); ++b) out_->frames.push_back({out_->bodies[b].name, b, {}});
  std::unordered_map<std::string, Source> first;
  for (const FrameSpec& spec : in_.frames()) {
    const auto body = body_of(spec.body, fmt::format("frame \"{}\"", spec.name), spec.source);
    const std::string wrong = problem_with_pose(spec.X_BF);
    if (!wrong.empty()) problem(fmt::format("frame \"{}\" {}", spec.name, wrong), spec.source);
    if (spec.name.empty()) {
      problem(fmt::format("a frame on body \"{}\" has no name; give it one", spec.body), spec.source);
    } else if (spec.name == ground_name) {
      problem("\"ground\" is the name of the fixed world; give this frame another", spec.source);
    } else if (const auto same = declared_bodies_.find(spec.name)) {
      problems_.push_back(
          {fmt::format(
               "frame \"{}\" has the name of a body, which already names the body's origin; give the frame another name",
               spec.name),
           spec.source, in_.bodies()[*same - 1].source, "body defined"});
    } else if (!out_->frame_table.add(spec.name, body ? int(out_->frames.size()) : broken)) {
      duplicate(fmt::format("frame \"{}\"", spec.name), spec.source, first[spec.name]);
    } else {
      first[spec.name] = spec.source;
      if (body)
        out_->frames.push_back({spec.name, *body, wrong.empty() ? with_exact_rotation(spec.X_BF) : Transform<double>{}});
    }
  }
}

std::optional<int> MechanismResolver::body_of(const std::string& name, const std::string& what, const Source& where) {
  const auto body = out_->frame_table.find(name);
  if (body && *body >= 0 && *body < int(out_->bodies.size())) return body;
  problem(fmt::format("{}: body \"{}\" is not defined{}", what, name,
                      hint(
                          name, [&] { return body_names(); }, "bodies")),
          where);
  return std::nullopt;
}

std::optional<int> MechanismResolver::frame_of(const std::string& name, const std::string& what, const Source& where) {
  const auto frame = out_->frame_table.find(name);
  if (!frame)
    problem(fmt::format("{}: frame \"{}\" is not defined{}", what, name,
                        hint(
                            name, [&] { return frame_names(); }, "frames")),
            where);
  return frame && *frame >= 0 ? frame : std::nullopt;
}

std::optional<std::pair<int, int>> MechanismResolver::frames_of(const std::string& a, const std::string& b,
                                                                const std::string& what, const Source& where) {
  const auto first = frame_of(a, what, where), second = frame_of(b, what, where);
  if (!first || !second) return std::nullopt;
  if (*first != *second) return std::pair(*first, *second);
  problem(fmt::format("{}: both ends are at frame \"{}\"; name two different frames", what, a), where);
  return std::nullopt;
}

// The arrays that sweeps read.

void MechanismResolver::make_flat() {
  out_->flat.reserve(out_->bodies.size());
  for (int b = 0; b < int(out_->bodies.size()); ++b) {
    const Body& body = out_->bodies[b];
    Joint& joint = out_->joints[b];
    joint.X_MB = inverse(joint.X_BM);
    joint.source = joint_source_[b];
    const Transform<double> X_MpF = b == 0 ? Transform<double>{} : out_->joints[body.parent].X_MB * joint.X_PF;
    const MassProperties mass = transformed(joint.X_MB, body.mass);
    const SymMat3<double> I = mass.inertia_about_origin();
    const bool continues_run = b > 1 && body.parent == b - 1;
    FlatBody flat{body.parent,
                  FlatBody::Kind::general,
                  joint.first_q,
                  joint.first_u,
                  joint.nu,
                  continues_run ? out_->flat[b - 1].run_start : b,
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
    out_->flat.push_back(flat);
  }
  std::vector<int> last_child(out_->flat.size(), 0);
  for (int b = 1; b < int(out_->flat.size()); ++b) {
    const int parent = out_->flat[b].parent;
    out_->flat[parent].gathers = last_child[parent] > 0;
    last_child[parent] = b;
  }
  for (std::size_t p = 0; p < last_child.size(); ++p)
    if (out_->flat[p].gathers) out_->flat[last_child[p]].opens = true;
}

}  // namespace polhode
