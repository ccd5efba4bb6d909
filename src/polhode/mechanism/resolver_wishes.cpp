#include <algorithm>

#include "polhode/mechanism/resolver_tree.h"

namespace polhode {

void WishedTree::mark(std::vector<char>& list, int joint) {
  if (list.empty()) list.assign(in_.joints().size(), 0);
  list[std::size_t(joint)] = 1;
}

void WishedTree::name_joint(int joint) {
  mark(found_.named, joint);
  if (!TreeWishes::has(given_.named, joint) && !out_.joint_table.find(in_.joints()[std::size_t(joint)].name)) again_ = true;
}

bool WishedTree::opens_loop_joint(const std::string& name) {
  const auto joint = graph_.joints.find(name);
  if (!joint || *joint < 0 || grown_.tree.loop_edges.empty()) return false;
  const bool in_tree = out_.joint_table.find(name).has_value();
  if (in_tree && TreeWishes::has(given_.opened, *joint)) return false;
  again_ = again_ || in_tree;  // then another tree is tried first
  mark(found_.opened, *joint);
  return true;
}

void WishedTree::name_joint_of_body(int body) {
  if (!grown_.has_loops()) return;  // the one tree that there is
  const int edge = grown_.edge_of_body(body);
  if (edge >= 0) name_joint(graph_.edge_joint[std::size_t(edge)]);
}

bool WishedTree::is_loop_joint(const std::string& name) {
  const auto joint = graph_.joints.find(name);
  if (!joint || *joint < 0 || out_.joint_table.find(name)) return false;
  if (std::find(graph_.edge_joint.begin(), graph_.edge_joint.end(), *joint) == graph_.edge_joint.end()) return false;
  name_joint(*joint);
  return true;
}

bool WishedTree::asks_for_another_tree(const std::vector<Source>& joint_source) {
  if (again_) return true;
  const auto undetermined = undetermined_motions(out_.bodies, out_.joints, out_.speed_is_driven, joint_source);
  if (undetermined.empty()) return false;
  if (found_.undetermined.empty())
    for (const UndeterminedMotion& motion : undetermined) found_.undetermined.push_back(motion.problem);
  if (grown_.has_loops() && wants_mass_for(undetermined)) return true;
  // The last tree tells best, unless it speaks of bodies that the user does not know.
  const bool known = std::all_of(undetermined.begin(), undetermined.end(), [&](const UndeterminedMotion& motion) {
    return out_.bodies[std::size_t(motion.body)].part_of < 0;
  });
  for (const UndeterminedMotion& motion : undetermined)
    if (known) problems_.note(motion.problem);
  if (!known) problems_.all() = found_.undetermined;
  if (!in_.constraints().empty())
    for (Problem& undetermined_motion : problems_.all())
      undetermined_motion.message += " (if a constraint determines it, close the loop with a joint in its place)";
  return false;
}

/// Notes the bodies that lack mass. False when all of them were noted before, so that there is nothing left to try.
bool WishedTree::wants_mass_for(const std::vector<UndeterminedMotion>& undetermined) {
  if (found_.needy.empty()) found_.needy.assign(in_.bodies().size() + 1, 0);
  bool any_new = false;
  for (const UndeterminedMotion& motion : undetermined) {
    const int n = int(out_.bodies.size());
    // A branch without mass is told of at its first body; subtrees are contiguous.
    for (int b = motion.body; b < n && (b == motion.body || out_.bodies[std::size_t(b)].parent >= motion.body); ++b) {
      const int declared = grown_.tree.order[std::size_t(b)];
      if (declared >= int(found_.needy.size()) || found_.needy[std::size_t(declared)]) continue;
      found_.needy[std::size_t(declared)] = 1;
      any_new = true;
    }
  }
  return any_new;
}

}  // namespace polhode
