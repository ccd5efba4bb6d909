// Models that need more than the plain spanning tree: those that name coordinates of several joints of one loop, and those with
// bodies in a loop that have no mass of their own.
//
// A joint that the plain tree leaves over is a constraint, without coordinates. Where the model asks for them, a tree is grown
// that has the joint. Where that cannot be, since all of the loop's joints are asked for, the loop is cut through a body
// instead (Simbody theory manual 2.3.1): the body is in the tree twice, at the end of either branch, each with its share of the
// mass, and a weld holds the two together. This is exact, and the mass matrix stays regular.
//
// A body without mass hangs at the end of a branch of the tree when a loop is cut beside it; its motion follows from the loop,
// but the tree's mass matrix is singular. So the loop is cut through the next body that has mass: part of it then hangs on the
// first.
#include <fmt/format.h>

#include <algorithm>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/resolver.h"
#include "polhode/mechanism/reversed_joint.h"

namespace polhode {

// Wishes.

void MechanismResolver::name_joint(std::vector<char>& list, int joint) {
  if (list.empty()) list.assign(in_.joints().size(), 0);
  list[std::size_t(joint)] = 1;
  if (&list == &found_.named && !TreeWishes::has(given_.named, joint) && !out_->joint_table.find(in_.joints()[joint].name))
    again_ = true;
}

void MechanismResolver::name_joint_of_body(int body) {
  if (tree_.loop_edges.empty() && halves_.empty()) return;  // the one tree that there is
  const int edge = tree_.links[std::size_t(tree_.order[std::size_t(body)])].edge;
  if (edge >= 0) name_joint(found_.named, edge_joint_[std::size_t(edge)]);
}

bool MechanismResolver::is_loop_joint(const std::string& name) {
  const auto joint = declared_joints_.find(name);
  if (!joint || *joint < 0 || out_->joint_table.find(name)) return false;
  if (std::find(edge_joint_.begin(), edge_joint_.end(), *joint) == edge_joint_.end()) return false;
  name_joint(found_.named, *joint);
  return true;
}

bool MechanismResolver::asks_for_another_tree() {
  if (again_) return true;
  const auto undetermined = undetermined_motions(out_->bodies, out_->joints, out_->speed_is_driven, joint_source_);
  if (undetermined.empty()) return false;
  if (found_.undetermined.empty())
    for (const UndeterminedMotion& motion : undetermined) found_.undetermined.push_back(motion.problem);
  const bool loops = !tree_.loop_edges.empty() || !halves_.empty();
  if (loops && wants_mass_for(undetermined)) return true;
  // The last tree tells best, unless it speaks of bodies that the user does not know.
  const bool known = std::all_of(undetermined.begin(), undetermined.end(), [&](const UndeterminedMotion& motion) {
    return out_->bodies[std::size_t(motion.body)].part_of < 0;
  });
  for (const UndeterminedMotion& motion : undetermined)
    if (known) problems_.push_back(motion.problem);
  if (!known) problems_ = found_.undetermined;
  if (!in_.constraints().empty())
    for (Problem& undetermined_motion : problems_)
      undetermined_motion.message += " (if a constraint determines it, close the loop with a joint in its place)";
  return false;
}

/// Notes the bodies that lack mass. False when all of them were noted before, so that there is nothing left to try.
bool MechanismResolver::wants_mass_for(const std::vector<UndeterminedMotion>& undetermined) {
  if (found_.needy.empty()) found_.needy.assign(in_.bodies().size() + 1, 0);
  bool any_new = false;
  for (const UndeterminedMotion& motion : undetermined) {
    const int n = int(out_->bodies.size());
    // A branch without mass is told of at its first body; subtrees are contiguous.
    for (int b = motion.body; b < n && (b == motion.body || out_->bodies[std::size_t(b)].parent >= motion.body); ++b) {
      const int declared = tree_.order[std::size_t(b)];
      if (declared >= int(found_.needy.size()) || found_.needy[std::size_t(declared)]) continue;
      found_.needy[std::size_t(declared)] = 1;
      any_new = true;
    }
  }
  return any_new;
}

// The tree.

JointFrames MechanismResolver::frames_of_edge(int edge) const {
  const GraphEdge& e = edges_[std::size_t(edge)];
  return place_joint(in_.joints()[std::size_t(edge_joint_[std::size_t(edge)])], drawn_[std::size_t(e.parent)],
                     drawn_[std::size_t(e.child)], [](const std::string&) {});  // told when the joint is made
}

/// A joint that keeps the origins of its frames together, with a particle there: then any part of the particle may as well be
/// reckoned to the other body.
bool MechanismResolver::closes_at_a_particle(int edge, int particle, int other) const {
  const JointModel& model = in_.joints()[std::size_t(edge_joint_[std::size_t(edge)])].model;
  const bool keeps_origins = std::holds_alternative<Revolute>(model) || std::holds_alternative<Universal>(model) ||
                             std::holds_alternative<Gimbal>(model) || std::holds_alternative<Ball>(model);
  const MassProperties& mass = mass_[std::size_t(particle)];
  if (!keeps_origins || structure(mass) != MassStructure::particle || !in_.gravity_scope.bodies.empty()) return false;
  const JointFrames frames = frames_of_edge(edge);
  const GraphEdge& e = edges_[std::size_t(edge)];
  const Vec3<double> p = (e.parent == particle ? frames.on_parent : frames.on_child).p;
  const double rounding = 1e-14 * (norm(mass.com) + norm(p) + norm(drawn_[std::size_t(particle)].p));
  if (norm(mass.com - p) > rounding) return false;
  // A force at the other body's centre of mass would move with it.
  return std::none_of(in_.forces().begin(), in_.forces().end(), [&](const ForceSpec& force) {
    const auto* on_body = std::get_if<BodyForceSpec>(&force.model);
    return on_body && on_body->body == name_of_declared(other);
  });
}

void MechanismResolver::share_particle(int edge, int particle, int other) {
  const GraphEdge& e = edges_[std::size_t(edge)];
  const JointFrames frames = frames_of_edge(edge);
  MassProperties& mass = mass_[std::size_t(particle)];
  mass.mass *= 0.5;
  MassProperties& to = mass_[std::size_t(other)];
  to = combined(to, MassProperties::particle(mass.mass, (e.parent == other ? frames.on_parent : frames.on_child).p));
}

/// Would the body lack inertia at the end of a branch, hanging by this joint?
bool MechanismResolver::lacks_inertia_by(const GraphEdge& edge, int edge_index, int body) const {
  const MassProperties& mass = mass_[std::size_t(body)];
  if (body == 0 || mass.mass == 0) return true;
  const JointSpec& spec = in_.joints()[std::size_t(edge_joint_[std::size_t(edge_index)])];
  const JointFrames frames = frames_of_edge(edge_index);
  const bool swapped = edge.parent == body;
  return lacks_inertia(mass, spec.model, spec.reversed != swapped, swapped ? frames.on_parent : frames.on_child);
}

/// In the tree first: joints between bodies without mass, then those through which no mass could be had; then what the model
/// names, which can be had by a cut as well. Else all stays as the plain tree has it.
std::vector<int> MechanismResolver::ranks_of_edges() const {
  enum { among_needy, gives_no_mass, named, plain, left_over, to_be_opened };
  std::vector<int> ranks(edges_.size(), plain);
  for (const int e : tree_.loop_edges) ranks[std::size_t(e)] = left_over;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const GraphEdge& edge = edges_[e];
    const bool parent = TreeWishes::has(given_.needy, edge.parent), child = TreeWishes::has(given_.needy, edge.child);
    const int other = parent ? edge.child : edge.parent;
    if (TreeWishes::has(given_.named, edge_joint_[e])) {
      ranks[e] = named;
    } else if (TreeWishes::has(given_.opened, edge_joint_[e])) {
      ranks[e] = to_be_opened;
      continue;
    }
    if (parent && child) {
      ranks[e] = among_needy;
    } else if ((parent || child) && lacks_inertia_by(edge, int(e), other) &&
               !closes_at_a_particle(int(e), other, parent ? edge.parent : edge.child)) {
      ranks[e] = gives_no_mass;
    }
  }
  return ranks;
}

/// Which end of a joint to have twice: the body with mass, and the one with more of an inertia; the child where both are alike.
int MechanismResolver::better_half(const GraphEdge& edge) const {
  const auto worth = [&](int body) {
    if (body == 0) return -1;
    return TreeWishes::has(given_.needy, body) ? 0 : 1 + int(structure(mass_[std::size_t(body)]));
  };
  return worth(edge.parent) > worth(edge.child) ? edge.parent : edge.child;
}

void MechanismResolver::split(int edge, int body) {
  const JointSpec& joint = in_.joints()[std::size_t(edge_joint_[std::size_t(edge)])];
  if (taken_names_.empty()) {  // a part has a frame, and its weld is called like a joint
    for (const FrameSpec& frame : in_.frames()) taken_names_.insert(frame.name);
    for (const BodySpec& other : in_.bodies()) taken_names_.insert(other.name);
  }
  std::string name = fmt::format("{}.{}", name_of_declared(body), joint.name);
  while (declared_joints_.find(name) || !taken_names_.insert(name).second) name += ".part";
  GraphEdge& e = edges_[std::size_t(edge)];
  (e.parent == body ? e.parent : e.child) = int(mass_.size());
  halves_.push_back({body, edge, std::move(name)});
  mass_.push_back(mass_[std::size_t(body)]);
  drawn_.push_back(drawn_[std::size_t(body)]);
}

/// All parts of a body get the same.
void MechanismResolver::share_masses() {
  std::vector<int> parts(mass_.size(), 1);
  for (const Half& half : halves_) ++parts[std::size_t(half.of)];
  const int declared = int(in_.bodies().size());
  const auto shared = [](MassProperties whole, int among) {
    const double share = 1.0 / among;
    const SymMat3<double> I = whole.inertia;
    return MassProperties{
        share * whole.mass, whole.com, {share * I.xx, share * I.yy, share * I.zz, share * I.xy, share * I.xz, share * I.yz}};
  };
  for (std::size_t h = 0; h < halves_.size(); ++h)
    mass_[std::size_t(declared) + 1 + h] = shared(mass_[std::size_t(halves_[h].of)], parts[std::size_t(halves_[h].of)]);
  for (int b = 1; b <= declared; ++b)
    if (parts[std::size_t(b)] > 1) mass_[std::size_t(b)] = shared(mass_[std::size_t(b)], parts[std::size_t(b)]);
}

void MechanismResolver::regrow_tree(const std::function<bool(int)>& prefers_root) {
  const std::vector<int> ranks = ranks_of_edges();
  tree_ = spanning_tree(int(mass_.size()), edges_, ranks, prefers_root);
  for (const int e : std::vector<int>(tree_.loop_edges)) {
    const GraphEdge edge = edges_[std::size_t(e)];
    const bool parent = TreeWishes::has(given_.needy, edge.parent), child = TreeWishes::has(given_.needy, edge.child);
    const int needy = parent ? edge.parent : edge.child, other = parent ? edge.child : edge.parent;
    if (TreeWishes::has(given_.named, edge_joint_[std::size_t(e)])) {
      split(e, better_half(edge));
    } else if (parent == child || other == 0) {
      continue;
    } else if (closes_at_a_particle(e, other, needy)) {
      share_particle(e, other, needy);
    } else if (!lacks_inertia_by(edge, e, other)) {
      split(e, other);
    }
  }
  if (halves_.empty()) return;
  share_masses();
  tree_ = spanning_tree(int(mass_.size()), edges_, ranks, prefers_root);
}

// What goes with the halves.

void MechanismResolver::weld_halves() {
  for (std::size_t h = 0; h < halves_.size(); ++h) {
    const Half& half = halves_[h];
    const int part = int(in_.bodies().size() + 1 + h);
    out_->loop_joints.push_back({half.name,
                                 Weld{},
                                 false,
                                 body_of_declared_[std::size_t(half.of)],
                                 body_of_declared_[std::size_t(part)],
                                 {},
                                 {},
                                 in_.joints()[std::size_t(edge_joint_[std::size_t(half.edge)])].source});
  }
}

/// A half starts where the body itself is, unless its joint's start is given: the joint's coordinates follow from the others.
void MechanismResolver::place_halves() {
  if (halves_.empty() || !problems_.empty()) return;
  std::vector<bool> given(std::size_t(out_->num_q), false);
  for (const InitialValue& value : in_.initial_values())
    if (const auto q = out_->coordinate_table.find(value.coordinate); q && *q >= 0 && value.value)
      given[std::size_t(*q)] = true;
  for (const DrivenSpeed& driven : out_->driven)
    if (driven.q >= 0 && driven.drive == Drive::position) given[std::size_t(driven.q)] = true;

  std::vector<Transform<double>> X_WB(out_->bodies.size());
  for (std::size_t b = 1; b < out_->bodies.size(); ++b) {
    const Joint& joint = out_->joints[b];
    const double* const q = out_->initial_q.data() + joint.first_q;
    const auto X_FM = std::visit([&](const auto& model) { return joint_pose<double>(model, joint.reversed, q); }, joint.model);
    X_WB[b] = X_WB[std::size_t(out_->bodies[b].parent)] * joint.X_PF * X_FM * inverse(joint.X_BM);
  }
  for (std::size_t b = 1; b < out_->bodies.size(); ++b) {
    const Joint& joint = out_->joints[b];
    const auto first = given.begin() + joint.first_q;
    if (out_->bodies[b].part_of < 0 || std::find(first, first + joint.nq, true) != first + joint.nq) continue;
    const Transform<double> X_WF = X_WB[std::size_t(out_->bodies[b].parent)] * joint.X_PF;
    const Transform<double> X_FM = inverse(X_WF) * X_WB[std::size_t(out_->bodies[b].part_of)] * joint.X_BM;
    std::visit(
        [&](const auto& model) { joint_read_pose(model, joint.reversed, X_FM, &out_->initial_q[std::size_t(joint.first_q)]); },
        joint.model);
  }
}

}  // namespace polhode
