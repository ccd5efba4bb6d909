#pragma once
#include <map>
#include <string>
#include <vector>

#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

namespace polhode::format {

/// A joint form as read; what it leaves out may depend on bodies that come later in the text.
struct DraftJoint {
  JointSpec spec;
  bool has_place = true;  ///< false: it sits at its child's origin in the drawing
};

/// (initial ("joint" (quat ...))) or (initial ("joint" (pose ...))): an orientation or a pose for a whole joint.
struct DraftInitialPose {
  std::string joint;
  bool has_position = false;
  Transform<double> X_FM{};
  Source source{};
};

/// Where a submodel is that is used on a frame, or at a place.
struct DraftPlacement {
  std::string name;  ///< also of the frame that is its Ground
  std::string on = ground_name;
  Transform<double> X{};  ///< from there
  Source source{};
};

/// A model while it is being read.
struct Draft {
  MechanismBuilder builder;
  std::vector<DraftJoint> joints;
  std::vector<DraftInitialPose> initial_poses;
  MechanismBuilder as_drawn;                 ///< bodies, frames and shapes, where submodels are placed: they must wait
  std::map<int, DraftPlacement> placements;  ///< by instance (expansion.h)

  /// Adds to the builder what had to wait until everything was read.
  void complete(Notes& notes);

 private:
  void add_joints();
  void add_initial_poses(Notes& notes);
};

}  // namespace polhode::format
