#include "polhode/format/language/draft.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

std::string coordinate_name(const JointSpec& joint, int i) {
  if (std::size_t(i) < joint.coordinate_names.size()) return joint.coordinate_names[std::size_t(i)];
  return joint.name + std::string(std::visit([&](const auto& model) { return model.coordinate_suffix(i); }, joint.model));
}

/// Joints whose orientation is a quaternion name it first.
bool has_quaternion(const JointModel& model) {
  return num_coordinates(model) >= 4 &&
         std::visit([](const auto& joint) { return joint.coordinate_suffix(0) == ".qw"; }, model);
}

}  // namespace

void Draft::complete(Notes& notes) {
  add_joints();
  add_initial_poses(notes);
}

void Draft::add_joints() {
  std::unordered_map<std::string_view, Vec3<double>> origin;
  for (const BodySpec& body : builder.bodies()) origin.emplace(body.name, body.drawn_pose.p);
  for (DraftJoint& joint : joints) {
    if (!joint.has_place) {
      auto found = origin.find(joint.spec.child);
      if (found == origin.end()) found = origin.find(joint.spec.parent);
      if (found != origin.end()) std::get<DrawnPlacement>(joint.spec.placement).at = found->second;
    }
    builder.add_joint(std::move(joint.spec));
  }
  joints.clear();
}

void Draft::add_initial_poses(Notes& notes) {
  if (initial_poses.empty()) return;
  std::unordered_map<std::string_view, const JointSpec*> by_name;
  std::vector<std::string> orientable;
  for (const JointSpec& joint : builder.joints()) {
    by_name.emplace(joint.name, &joint);
    if (has_quaternion(joint.model)) orientable.push_back(joint.name);
  }
  for (const DraftInitialPose& pose : initial_poses) {
    const auto found = by_name.find(pose.joint);
    const bool known = found != by_name.end() && has_quaternion(found->second->model);
    if (!known) {
      notes.problems.push_back({fmt::format("initial: {} is not a joint that takes an orientation{}", quoted(pose.joint),
                                            suggestion(pose.joint, orientable, "such joints")),
                                pose.source});
      continue;
    }
    const JointSpec& joint = *found->second;
    const int first_position = num_coordinates(joint.model) - 3;
    if (pose.has_position && first_position < 4) {
      notes.problems.push_back(
          {fmt::format("initial: joint {} only turns; give (quat w x y z) instead of a pose", quoted(pose.joint)),
           pose.source});
      continue;
    }
    const Quaternion<double> a = quaternion(pose.X_FM.R);
    const Vec3<double>& p = pose.X_FM.p;
    const std::array<double, 7> q{a.w, a.x, a.y, a.z, p.x, p.y, p.z};
    const int n = pose.has_position ? 7 : 4;
    for (int i = 0; i < n; ++i) builder.set_initial({coordinate_name(joint, i), q[std::size_t(i)], std::nullopt, pose.source});
  }
}

}  // namespace polhode::format
