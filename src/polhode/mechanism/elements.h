#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/constraints/custom_constraint.h"
#include "polhode/mechanism/drive.h"
#include "polhode/mechanism/forces/force_list.h"
#include "polhode/mechanism/joint_model.h"
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

// Constraints: equations between frames or coordinates. What each of them means is in mechanism/constraints/.

/// The difference of two frames' origins has no component along a direction fixed in Ground (Johnson & Murphey, IV-D4).
struct PointConstraintSpec {
  std::string frame_a, frame_b;
  Vec3<double> direction;  ///< of any length
};
/// Ball: two frames' origins coincide: three equations.
struct CoincidentPointsSpec {
  std::string frame_a, frame_b;
};
/// Weld: two frames coincide, origins and axes: six equations.
struct CoincidentFramesSpec {
  std::string frame_a, frame_b;
};
/// The origin of frame b stays in a plane fixed in frame a, through its origin.
struct PointInPlaneSpec {
  std::string frame_a, frame_b;
  Vec3<double> normal;  ///< in a's axes, of any length
};
/// The origin of frame b stays on a line fixed in frame a, through its origin: two equations.
struct PointOnLineSpec {
  std::string frame_a, frame_b;
  Vec3<double> direction;  ///< in a's axes, of any length
};
/// Rod: two frames' origins keep their distance (Johnson & Murphey (37)).
struct WireSpec {
  std::string frame_a, frame_b;
  double length;  ///< [m]
};
/// A direction fixed in frame a and one fixed in frame b keep their angle.
struct ConstantAngleSpec {
  std::string frame_a, frame_b;
  Vec3<double> axis_a, axis_b;  ///< of any length
  double angle;                 ///< [rad], between 0 and pi
};
/// The axes of two frames stay parallel: three equations.
struct ConstantOrientationSpec {
  std::string frame_a, frame_b;
};
/// The points of two bodies that are at the origin of the case frame move alike along a direction fixed in it.
struct NoSlipSpec {
  std::string frame_case, frame_a, frame_b;
  Vec3<double> direction;  ///< in the case's axes, of any length
};
/// A thin wheel about the z axis of its frame rolls on the plane z = 0 of another.
struct RollingDiskSpec {
  std::string wheel, plane;
  double radius;  ///< [m]
};
/// A ball about the origin of its frame rolls on the plane z = 0 of another.
struct RollingBallSpec {
  std::string ball, plane;
  double radius;  ///< [m]
};
/// translation = lead * rotation between two coordinates (Johnson & Murphey (39)).
struct ScrewSpec {
  std::string rotation, translation;
  double lead;  ///< [m/rad]
};
/// b = ratio * a between two angles.
struct GearSpec {
  std::string a, b;
  double ratio;
};
/// The sum of coefficient * coordinate is constant.
struct CouplerSpec {
  struct Term {
    std::string coordinate;
    double coefficient;
  };
  std::vector<Term> terms;
  double constant = 0;
};
// Where a constraint holds a speed, the coordinate's name will do, or the speed's own, such as "hip.wx" of a ball joint.

/// The sum of coefficient * speed is constant.
struct SpeedCouplerSpec {
  std::vector<CouplerSpec::Term> terms;
  double constant = 0;
};
struct ConstantCoordinateSpec {
  std::string coordinate;
  double value;  ///< [rad] or [m]
};
struct ConstantSpeedSpec {
  std::string speed;
  double value;  ///< [rad/s] or [m/s]
};
/// The speed changes at a constant rate; how fast it is, and where, is as it comes.
struct ConstantAccelerationSpec {
  std::string speed;
  double value;  ///< [rad/s^2] or [m/s^2]
};
/// A coordinate follows a signal by way of a constraint force.
struct MotionConstraintSpec {
  std::string coordinate;
  Signal signal{};
};
struct ConstraintSpec {
  std::string name;  ///< may be empty
  std::variant<PointConstraintSpec, CoincidentPointsSpec, CoincidentFramesSpec, PointInPlaneSpec, PointOnLineSpec, WireSpec,
               ConstantAngleSpec, ConstantOrientationSpec, NoSlipSpec, RollingDiskSpec, RollingBallSpec, ScrewSpec, GearSpec,
               CouplerSpec, SpeedCouplerSpec, ConstantCoordinateSpec, ConstantSpeedSpec, ConstantAccelerationSpec,
               MotionConstraintSpec, ConstraintFactory>
      model;
  Source source{};
  bool disabled = false;  ///< to begin with
  std::string kind{};     ///< what the user calls it, such as "rod" for a wire; empty: the usual word
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
