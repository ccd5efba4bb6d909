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
#include <unordered_set>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/resolver_tree.h"

namespace polhode {
namespace {

class LoopCutter {
 public:
  LoopCutter(const MechanismBuilder& in, JointGraph& graph, const TreeWishes& given, GrownTree& grown)
      : in_(in), graph_(graph), given_(given), grown_(grown) {}
  void cut(const std::function<bool(int)>& prefers_root);

 private:
  std::vector<int> ranks_of_edges() const;
  bool lacks_inertia_by(const GraphEdge& edge, int edge_index, int body) const;
  bool closes_at_a_particle(int edge, int particle, int other) const;
  void share_particle(int edge, int particle, int other);
  void split(int edge, int body);
  int better_half(const GraphEdge& edge) const;
  void share_masses();

  const MechanismBuilder& in_;
  JointGraph& graph_;
  const TreeWishes& given_;
  GrownTree& grown_;
  std::unordered_set<std::string> taken_names_;  // by bodies, frames and halves; made with the first half
};

/// A joint that keeps the origins of its frames together, with a particle there: then any part of the particle may as well be
/// reckoned to the other body.
bool LoopCutter::closes_at_a_particle(int edge, int particle, int other) const {
  const JointModel& model = graph_.joint_of_edge(in_, edge).model;
  const bool keeps_origins = std::holds_alternative<Revolute>(model) || std::holds_alternative<Universal>(model) ||
                             std::holds_alternative<Gimbal>(model) || std::holds_alternative<Ball>(model);
  const MassProperties& mass = graph_.mass[std::size_t(particle)];
  if (!keeps_origins || structure(mass) != MassStructure::particle || !in_.gravity_scope.bodies.empty()) return false;
  const JointFrames frames = graph_.frames_of_edge(in_, edge);
  const GraphEdge& e = graph_.edges[std::size_t(edge)];
  const Vec3<double> p = (e.parent == particle ? frames.on_parent : frames.on_child).p;
  const double rounding = 1e-14 * (norm(mass.com) + norm(p) + norm(graph_.drawn[std::size_t(particle)].p));
  if (norm(mass.com - p) > rounding) return false;
  // A force at the other body's centre of mass would move with it.
  return std::none_of(in_.forces().begin(), in_.forces().end(), [&](const ForceSpec& force) {
    const std::string name = grown_.name_of_declared(in_, other);
    const auto* on_body = std::get_if<BodyForceSpec>(&force.model);
    const auto* by_law = std::get_if<LawWrenchSpec>(&force.model);
    return (on_body && on_body->body == name) || (by_law && !by_law->at_frame && by_law->on == name);
  });
}

void LoopCutter::share_particle(int edge, int particle, int other) {
  const GraphEdge& e = graph_.edges[std::size_t(edge)];
  const JointFrames frames = graph_.frames_of_edge(in_, edge);
  MassProperties& mass = graph_.mass[std::size_t(particle)];
  mass.mass *= 0.5;
  MassProperties& to = graph_.mass[std::size_t(other)];
  to = combined(to, MassProperties::particle(mass.mass, (e.parent == other ? frames.on_parent : frames.on_child).p));
}

/// Would the body lack inertia at the end of a branch, hanging by this joint?
bool LoopCutter::lacks_inertia_by(const GraphEdge& edge, int edge_index, int body) const {
  const MassProperties& mass = graph_.mass[std::size_t(body)];
  if (body == 0 || mass.mass == 0) return true;
  const JointSpec& spec = graph_.joint_of_edge(in_, edge_index);
  const JointFrames frames = graph_.frames_of_edge(in_, edge_index);
  const bool swapped = edge.parent == body;
  return lacks_inertia(mass, spec.model, spec.reversed != swapped, swapped ? frames.on_parent : frames.on_child);
}

/// In the tree first: joints between bodies without mass, then those through which no mass could be had; then what the model
/// names, which can be had by a cut as well. Else all stays as the plain tree has it.
std::vector<int> LoopCutter::ranks_of_edges() const {
  enum { among_needy, gives_no_mass, named, plain, left_over, to_be_opened };
  std::vector<int> ranks(graph_.edges.size(), plain);
  for (const int e : grown_.tree.loop_edges) ranks[std::size_t(e)] = left_over;
  for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
    const GraphEdge& edge = graph_.edges[e];
    const bool parent = TreeWishes::has(given_.needy, edge.parent), child = TreeWishes::has(given_.needy, edge.child);
    const int other = parent ? edge.child : edge.parent;
    if (TreeWishes::has(given_.named, graph_.edge_joint[e])) {
      ranks[e] = named;
    } else if (TreeWishes::has(given_.opened, graph_.edge_joint[e])) {
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
int LoopCutter::better_half(const GraphEdge& edge) const {
  const auto worth = [&](int body) {
    if (body == 0) return -1;
    return TreeWishes::has(given_.needy, body) ? 0 : 1 + int(structure(graph_.mass[std::size_t(body)]));
  };
  return worth(edge.parent) > worth(edge.child) ? edge.parent : edge.child;
}

void LoopCutter::split(int edge, int body) {
  const JointSpec& joint = graph_.joint_of_edge(in_, edge);
  if (taken_names_.empty()) {  // a part has a frame, and its weld is called like a joint
    for (const FrameSpec& frame : in_.frames()) taken_names_.insert(frame.name);
    for (const BodySpec& other : in_.bodies()) taken_names_.insert(other.name);
  }
  std::string name = fmt::format("{}.{}", grown_.name_of_declared(in_, body), joint.name);
  while (graph_.joints.find(name) || !taken_names_.insert(name).second) name += ".part";
  GraphEdge& e = graph_.edges[std::size_t(edge)];
  (e.parent == body ? e.parent : e.child) = int(graph_.mass.size());
  grown_.halves.push_back({body, edge, std::move(name)});
  graph_.mass.push_back(graph_.mass[std::size_t(body)]);
  graph_.drawn.push_back(graph_.drawn[std::size_t(body)]);
}

/// All parts of a body get the same.
void LoopCutter::share_masses() {
  std::vector<int> parts(graph_.mass.size(), 1);
  for (const GrownTree::Half& half : grown_.halves) ++parts[std::size_t(half.of)];
  const int declared = int(in_.bodies().size());
  const auto shared = [](MassProperties whole, int among) {
    const double share = 1.0 / among;
    const SymMat3<double> I = whole.inertia;
    return MassProperties{
        share * whole.mass, whole.com, {share * I.xx, share * I.yy, share * I.zz, share * I.xy, share * I.xz, share * I.yz}};
  };
  for (std::size_t h = 0; h < grown_.halves.size(); ++h)
    graph_.mass[std::size_t(declared) + 1 + h] =
        shared(graph_.mass[std::size_t(grown_.halves[h].of)], parts[std::size_t(grown_.halves[h].of)]);
  for (int b = 1; b <= declared; ++b)
    if (parts[std::size_t(b)] > 1) graph_.mass[std::size_t(b)] = shared(graph_.mass[std::size_t(b)], parts[std::size_t(b)]);
}

void LoopCutter::cut(const std::function<bool(int)>& prefers_root) {
  const std::vector<int> ranks = ranks_of_edges();
  grown_.tree = spanning_tree(int(graph_.mass.size()), graph_.edges, ranks, prefers_root);
  for (const int e : std::vector<int>(grown_.tree.loop_edges)) {
    const GraphEdge edge = graph_.edges[std::size_t(e)];
    const bool parent = TreeWishes::has(given_.needy, edge.parent), child = TreeWishes::has(given_.needy, edge.child);
    const int needy = parent ? edge.parent : edge.child, other = parent ? edge.child : edge.parent;
    if (TreeWishes::has(given_.named, graph_.edge_joint[std::size_t(e)])) {
      split(e, better_half(edge));
    } else if (parent == child || other == 0) {
      continue;
    } else if (closes_at_a_particle(e, other, needy)) {
      share_particle(e, other, needy);
    } else if (!lacks_inertia_by(edge, e, other)) {
      split(e, other);
    }
  }
  if (grown_.halves.empty()) return;
  share_masses();
  grown_.tree = spanning_tree(int(graph_.mass.size()), graph_.edges, ranks, prefers_root);
}

}  // namespace

GrownTree grow_tree(const MechanismBuilder& in, JointGraph& graph, const TreeWishes& wishes) {
  // A stray group hangs on Ground by a body that resists every motion, if it has one: a particle would have no inertia
  // against the turning that its neighbours ask of it.
  const auto prefers_root = [&](int body) { return structure(graph.mass[std::size_t(body)]) == MassStructure::rigid; };
  GrownTree grown;
  grown.tree = spanning_tree(int(graph.mass.size()), graph.edges, prefers_root);
  if (!wishes.none() && !grown.tree.loop_edges.empty()) LoopCutter(in, graph, wishes, grown).cut(prefers_root);
  const std::vector<int>& order = grown.tree.order;
  grown.body_of_declared.resize(order.size());
  for (std::size_t b = 0; b < order.size(); ++b) grown.body_of_declared[std::size_t(order[b])] = int(b);
  return grown;
}

}  // namespace polhode
