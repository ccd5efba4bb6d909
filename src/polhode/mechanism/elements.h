#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/constraints/constraint_list.h"
#include "polhode/mechanism/constraints/row_sense.h"
#include "polhode/mechanism/drive.h"
#include "polhode/mechanism/forces/force_list.h"
#include "polhode/mechanism/joint_model.h"
#include "polhode/mechanism/orientation_signal.h"
#include "polhode/mechanism/problem.h"
#include "polhode/mechanism/range.h"
#include "polhode/mechanism/shape.h"
#include "polhode/mechanism/signal.h"
#include "polhode/spatial/inertia.h"

/// What a mechanism is made of, as the user says it: everything refers to everything else by name.
/// MechanismBuilder checks these and turns them into the numbered, flat Mechanism that algorithms run on.
namespace polhode {

inline constexpr const char* ground_name = "ground";

struct BodySpec {
  std::string name;
  MassProperties mass{};           ///< in the body's frame
  Transform<double> drawn_pose{};  ///< X_WB in the drawing, from which joints given in Ground take their frames
  Source source{};
  bool as_given =
      false;  ///< an inertia that breaks the triangle inequality, as a published one may by a digit, is taken as it is
};

/// Where a joint sits, in Ground coordinates of the drawing. The joint's coordinates are zero there.
struct DrawnPlacement {
  Vec3<double> at{};                    ///< [m]
  std::optional<Vec3<double>> axis{};   ///< z of F and M (for a universal joint: x of F)
  std::optional<Vec3<double>> axis2{};  ///< universal joint only: y of M
};
/// Where a joint sits, in the frames of its two bodies.
struct LocalPlacement {
  Transform<double> X_PF{}, X_BM{};
};

struct JointSpec {
  std::string name;
  JointModel model = Revolute{};
  std::string parent = ground_name, child;
  std::variant<DrawnPlacement, LocalPlacement> placement = LocalPlacement{};
  bool reversed = false;  ///< the joint's F sits on the child, M on the parent; coordinates keep their meaning
  std::vector<std::string> coordinate_names{};  ///< empty: made from the joint's name
  Source source{};
};

struct FrameSpec {
  std::string name, body;
  Transform<double> X_BF{};
  Source source{};
};

/// A constraint, as constraints/constraint_list.h has them. Where it holds a speed, the coordinate's name will do, or the
/// speed's own, such as "hip.wx" of a ball joint.
struct ConstraintSpec {
  std::string name;  ///< may be empty
  ConstraintDescription model;
  Source source{};
  bool disabled = false;             ///< to begin with
  std::string kind{};                ///< what the user calls it, such as "rod" for a wire; empty: the usual word
  RowSense sense = RowSense::equal;  ///< at_least: of constraints with one row, which holds positions
};

// Forces. Where a force or a damper acts on a coordinate, a speed's own name will do too, such as "hip.wx" of a ball joint.

/// Which bodies uniform gravity acts on: all but those named, or only those named.
struct GravityScope {
  std::vector<std::string> bodies{};
  bool only = false;
  Source source{};
};

/// A force, as forces/force_list.h has them.
struct ForceSpec {
  ForceDescription model;
  Source source{};
};

/// A coordinate that follows a given function of time exactly, whatever force that takes (Johnson & Murphey 2008, section
/// VIII). Its rate must be a speed, so coordinates of quaternions take none.
struct KinematicSpec {
  std::string coordinate;
  Signal signal{};
  Source source{};
};

/// A speed that follows a given function of time exactly, whatever force that takes (Simbody theory manual 8.3): the signal is
/// du/dt at level acceleration, u at level velocity, and the coordinate at level position, which is the same as KinematicSpec.
/// At the first two a speed's own name will do, such as "hip.wx" of a ball joint.
struct MotionSpec {
  std::string coordinate;
  Drive level = Drive::position;
  Signal signal{};
  Source source{};
};
/// A joint with a quaternion (ball, ellipsoid, free) whose orientation M in F follows a given function of time; of a free joint
/// its place may, too.
struct JointMotionSpec {
  std::string joint;
  OrientationSignal orientation;
  std::vector<Signal> place{};  ///< of M's origin in F: x, y and z, or nothing
  Source source{};
};
/// A coordinate that is always where the forces on it balance, and whose speed counts as 0 (Simbody theory manual 10.3
/// and 10.4.2). All of its joint and everything outboard must be fast too.
struct FastSpec {
  std::string coordinate;
  Source source{};
};
/// A joint that is locked to begin with; State::unlock() frees it.
struct LockSpec {
  std::string joint;
  Drive level = Drive::position;
  Source source{};
};
/// A number of the State that changes at events only.
struct DiscreteSpec {
  std::string name;
  double initial = 0;
  Source source{};
};

/// A number of the State that comes from outside: whoever runs the mechanism may change it from step to step. What is set
/// beyond the limits counts as the limit.
struct InputSpec {
  std::string name;
  double initial = 0;
  Range limits{};
  Source source{};
};

/// A first-order state: a number of the State whose rate is a law.
struct StateSpec {
  std::string name;
  double initial = 0;
  Law rate{};
  Source source{};
};

/// (initial ("q" value [speed])); the speed belongs to the coordinate's rate, so quaternion coordinates take none.
struct InitialValue {
  std::string coordinate;
  std::optional<double> value{}, speed{};
  Source source{};
};
/// Velocity of a body's origin in Ground; the joint speeds that give it are found from the tree.
struct InitialVelocity {
  std::string body;
  Motion<double> V_WB{};
  Source source{};
};

}  // namespace polhode
