#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "polhode/mechanism/elements.h"

namespace polhode {

bool is_finite(const Vec3<double>& v);
/// Empty for a proper pose; otherwise what is wrong with it, to follow the name of what is placed there.
std::string problem_with_pose(const Transform<double>& X);
/// A pose whose rotation was rounded when it was written down, made exact.
Transform<double> with_exact_rotation(const Transform<double>& X);

/// A joint's frames on the two bodies it was declared with, whichever of them is F and M of the model.
struct JointFrames {
  Transform<double> on_parent, on_child;
};

/// Where the joint's frames lie, given where its bodies are drawn. Problems go to `report` without the joint's name.
JointFrames place_joint(const JointSpec& spec, const Transform<double>& X_WP, const Transform<double>& X_WC,
                        const std::function<void(std::string)>& report);

/// The joint to Ground of a body that no joint holds. It moves in all ways in which the body's matter has inertia.
struct ImplicitJoint {
  JointModel model;
  Transform<double> X_BM;  ///< F is Ground's own frame
  std::vector<double> q;   ///< at the drawn pose
};
/// `alone`: nothing else hangs on the body. What does may turn it, so that only a lone particle needs no orientation.
ImplicitJoint implicit_joint(const MassProperties& mass, const Transform<double>& X_WB, bool alone);

/// Whether a joint of the type is drawn with an axis of its own.
bool needs_axis(std::string_view type);

}  // namespace polhode
