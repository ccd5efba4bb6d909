#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "polhode/mechanism/joint_placement.h"
#include "polhode/mechanism/name_table.h"
#include "polhode/mechanism/resolver_part.h"
#include "polhode/mechanism/spanning_tree.h"

namespace polhode {

/// Bodies and joints as they are declared. Bodies that the tree has once more (halves) come behind all that are declared.
struct JointGraph {
  NameTable bodies;                      ///< name -> place in the description + 1; 0 is Ground
  std::vector<Transform<double>> drawn;  ///< by declared body, 0 for Ground
  std::vector<MassProperties> mass;
  std::vector<int> odd_inertias;  ///< declared bodies that break the triangle inequality, if taken by themselves
  NameTable joints;
  std::vector<GraphEdge> edges;  ///< joints with good ends
  std::vector<int> edge_joint;   ///< which of the description's joints each is

  const JointSpec& joint_of_edge(const MechanismBuilder& in, int edge) const {
    return in.joints()[std::size_t(edge_joint[std::size_t(edge)])];
  }
  /// Where the joint sits on its two bodies; what is wrong with it is told when it is made.
  JointFrames frames_of_edge(const MechanismBuilder& in, int edge) const;
};

/// Reads the joint graph from the description.
class GraphReader : public ResolverPart {
 public:
  explicit GraphReader(const ResolverPart& part) : ResolverPart(part) {}
  JointGraph read();

 private:
  void declare_bodies();
  void check_body(const BodySpec& spec);
  void declare_joints();

  JointGraph graph_;
};

std::vector<std::string> names_of_bodies(const MechanismBuilder& in);

/// Refuses inertias that no matter has, of what is welded together.
class InertiaJudge : public ResolverPart {
 public:
  explicit InertiaJudge(const ResolverPart& part) : ResolverPart(part) {}
  void judge(const JointGraph& graph);

 private:
  /// The body with all that is welded to it, in its own axes; and how many bodies these are.
  std::pair<MassProperties, int> welded_whole(const JointGraph& graph, int declared,
                                              const std::unordered_multimap<int, int>& welds) const;
};

}  // namespace polhode
