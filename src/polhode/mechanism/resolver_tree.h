#pragma once
#include "polhode/mechanism/inertia_check.h"
#include "polhode/mechanism/resolver_graph.h"

namespace polhode {

/// The spanning tree of a joint graph, with what it needed besides (resolver_halves.cpp).
struct GrownTree {
  /// A body that is in the tree once more, at the end of a joint that would close a loop otherwise.
  struct Half {
    int of, edge;  ///< declared body; its number as a declared body comes after all that are declared
    std::string name;
  };
  SpanningTree tree;
  std::vector<Half> halves;
  std::vector<int> body_of_declared;  ///< tree index

  bool has_loops() const { return !tree.loop_edges.empty() || !halves.empty(); }
  int edge_of_body(int body) const { return tree.links[std::size_t(tree.order[std::size_t(body)])].edge; }
  const std::string& name_of_declared(const MechanismBuilder& in, int body) const;
  const Source& source_of_declared(const MechanismBuilder& in, int body) const;
};

/// Grows the tree that the wishes ask for. Bodies that it needs twice are added to the graph.
GrownTree grow_tree(const MechanismBuilder& in, JointGraph& graph, const TreeWishes& wishes);

/// Bodies and joints of the mechanism, in the order of the tree.
class TreeMaker : public ResolverPart {
 public:
  TreeMaker(const ResolverPart& part, JointGraph& graph, const GrownTree& grown)
      : ResolverPart(part), graph_(graph), grown_(grown) {}
  /// Gives where each body's joint stands in the text.
  std::vector<Source> make();

 private:
  void make_bodies();
  void make_joints();
  void make_implicit_joint(int body, int declared);
  void make_tree_joint(const SpanningTree::Link& link);
  void make_loop_joints();
  void weld_halves();
  void check_parameters(const JointSpec& spec);

  JointGraph& graph_;
  const GrownTree& grown_;
  std::vector<Source> joint_source_;
};

/// The arrays that sweeps read.
void make_flat(MechanismResolver::Data& out, const std::vector<Source>& joint_source);

/// What the model asks of its spanning tree, found out while it is built.
class WishedTree : public ResolverPart {
 public:
  WishedTree(const ResolverPart& part, const JointGraph& graph, const GrownTree& grown, const TreeWishes& given,
             TreeWishes& found)
      : ResolverPart(part), graph_(graph), grown_(grown), given_(given), found_(found) {}

  /// The model names a coordinate or speed of this joint, or locks it: it must be in the tree.
  void name_joint(int joint);
  void name_joint_of_body(int body);
  /// Does the joint close a loop? Then it is noted as asked for.
  bool is_loop_joint(const std::string& name);
  /// Is it a joint that an event can open, if need be by another tree? Then that is noted.
  bool opens_loop_joint(const std::string& name);
  /// Noted where bodies lack mass, besides; what cannot be helped is a problem.
  bool asks_for_another_tree(const std::vector<Source>& joint_source);

 private:
  void mark(std::vector<char>& list, int joint);
  bool wants_mass_for(const std::vector<UndeterminedMotion>& undetermined);

  const JointGraph& graph_;
  const GrownTree& grown_;
  const TreeWishes& given_;
  TreeWishes& found_;
  bool again_ = false;  // found_ asks for another tree
};

}  // namespace polhode
