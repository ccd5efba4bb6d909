#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/constraints/constraint_list.h"
#include "polhode/mechanism/drive.h"
#include "polhode/mechanism/elements.h"
#include "polhode/mechanism/forces/force_list.h"
#include "polhode/mechanism/name_table.h"

namespace polhode {

class MechanismBuilder;

/// A body after building. Index 0 is Ground; every other body has one inboard joint, with the same index.
struct Body {
  std::string name;
  MassProperties mass;           ///< in the body's frame B; of a body with parts, only its own share: Mechanism::whole_mass()
  int parent;                    ///< index, less than the body's own; -1 for Ground
  Transform<double> drawn_pose;  ///< X_WB of the drawing
  /// A loop may need one of its bodies twice: once in either branch of the tree (resolver_halves.cpp). Each of the two has its
  /// share of the mass, and a weld among the loop joints holds them together. Here: the body that this one is a part of, or -1.
  int part_of = -1;
};

/// The joint through which a body hangs in the tree.
struct Joint {
  std::string name;
  JointModel model;
  bool reversed;                 ///< X_FM is the inverse of model.X_FM
  Transform<double> X_PF, X_BM;  ///< F on the parent body, M on the child body
  int first_q, nq, first_u, nu, first_chart, nchart;
  bool implicit;             ///< not written by the user: a body that no joint holds is free
  bool swapped;              ///< the user named the bodies the other way round
  Transform<double> X_MB{};  ///< inverse of X_BM
  Source source{};
};

/// A joint that closes a loop: the spanning tree did not need it.
struct LoopJoint {
  std::string name;
  JointModel model;
  bool reversed;
  int parent, child;  ///< body indices
  Transform<double> X_PF, X_BM;
  Source source{};
};

struct Frame {
  std::string name;
  int body;
  Transform<double> X_BF;
};

// Constraints with their names resolved to indices; forces are in forces/.
struct Constraint {
  std::string name;         ///< may be empty
  std::string description;  ///< for messages: `wire "hip" "knee"`
  ConstraintModel model;
  Source source{};
  bool disabled = false;             ///< to begin with; a State can enable it
  RowSense sense = RowSense::equal;  ///< one_sided.h says what at_least is for
};

/// A coordinate q that follows a signal; the speed u is its rate.
struct KinematicCoordinate {
  int q, u;
  Signal signal;
  Source source{};
};

/// A speed whose motion is not left to forces: it follows a signal at its level, or is fast (then the signal is not read).
/// Kinematic coordinates are among them, at level position.
struct DrivenSpeed {
  int q, u;  ///< q is -1 where no coordinate's rate is u
  Drive drive;
  Signal signal;
  Source source{};
};

/// A joint whose quaternion follows an orientation. Its turning speeds are among the driven ones, at level position.
struct DrivenOrientation {
  int joint;
  OrientationSignal orientation;
  Source source{};
};

/// A joint that is locked in the State to begin with.
struct InitialLock {
  int joint;
  Drive level;
  Source source{};
};

/// A number that changes at events only; users' force elements own some, the model names others.
struct DiscreteVariable {
  std::string name;
  double initial;
};

/// A number from outside (InputSpec).
struct Input {
  std::string name;
  double initial;
  Range limits{};
};

/// An auxiliary state whose rate is a law (StateSpec).
struct StateLaw {
  int z;
  Law rate;
};

/// What the sweeps over the tree read: one record per body, in tree order, in the frame M of its inboard joint.
/// Taking M as the body's frame saves the constant transform from M to B in every sweep.
struct FlatBody {
  enum class Kind : int { revolute, prismatic, fixed, general };
  int parent;
  Kind kind;
  int first_q, first_u, nu;
  int run_start;            ///< first body of the unbranched run of consecutive numbers that ends in this one
  bool gathers;             ///< has more than one child
  bool opens;               ///< the highest-numbered child of a parent that gathers, so the first that an inward sweep meets
  double R_PF[9], p_PF[3];  ///< F in the parent's M frame; columns of R one after another
  double mass, first_moment[3];    ///< m and m c in M [kg], [kg m]
  double inertia_about_origin[6];  ///< in M: xx yy zz xy xz yz [kg m^2]
};

/// A multibody mechanism: immutable, cheap to copy, shared freely between threads. Made by MechanismBuilder.
class Mechanism {
 public:
  // Copies only: a mechanism that was moved from would be an empty one.
  Mechanism(const Mechanism&) = default;
  Mechanism& operator=(const Mechanism&) = default;

  const std::string& name() const { return d_->name; }
  const Vec3<double>& gravity() const { return d_->gravity; }

  int num_bodies() const { return int(d_->bodies.size()); }  ///< Ground included
  int num_q() const { return d_->num_q; }
  int num_u() const { return d_->num_u; }
  int num_chart() const { return d_->num_chart; }

  const std::vector<Body>& bodies() const { return d_->bodies; }
  const std::vector<Joint>& joints() const { return d_->joints; }  ///< joints()[b] holds body b; joints()[0] is a weld
  const std::vector<LoopJoint>& loop_joints() const { return d_->loop_joints; }
  const std::vector<Frame>& frames() const { return d_->frames; }  ///< one per body (its origin) first, then the named ones
  const std::vector<Shape>& shapes() const { return d_->shapes; }  ///< for the eye only
  const std::vector<Constraint>& constraints() const { return d_->constraints; }
  const Forces& forces() const { return d_->forces; }
  const std::vector<KinematicCoordinate>& kinematic() const { return d_->kinematic; }  ///< in the order of their speeds
  bool is_kinematic(int u) const { return d_->speed_is_kinematic[std::size_t(u)] != 0; }
  const std::vector<DrivenSpeed>& driven() const { return d_->driven; }                    ///< in the order of their speeds
  const std::vector<DrivenOrientation>& orientations() const { return d_->orientations; }  ///< that follow signals
  std::span<const Drive> drives() const { return d_->drives; }                             ///< by speed, as the model has them
  std::span<const char> driven_speeds() const { return d_->speed_is_driven; }              ///< by speed: not 0 where it is
  const std::vector<InitialLock>& initial_locks() const { return d_->locks; }              ///< of a new State
  std::span<const FlatBody> flat() const { return d_->flat; }

  /// Loop joints first, then constraints: what can be enabled and disabled in a State.
  int num_constraint_elements() const { return int(d_->loop_joints.size() + d_->constraints.size()); }
  /// Index in that list of the constraint or loop joint of that name.
  int constraint_element(std::string_view name) const;
  /// By element of that list: 0 for those that the model disables to begin with.
  std::vector<char> initially_enabled() const;

  /// Auxiliary states z: those that the model names, whose rates are laws, then those of users' force elements; and discrete
  /// variables.
  int num_z() const { return int(d_->initial_z.size()); }
  const std::vector<double>& initial_z() const { return d_->initial_z; }
  const std::vector<std::string>& z_names() const { return d_->z_names; }
  const std::vector<StateLaw>& state_laws() const { return d_->state_laws; }
  const std::vector<DiscreteVariable>& discrete_variables() const { return d_->discrete; }
  const std::vector<double>& initial_discrete() const { return d_->initial_discrete; }
  int discrete_variable(std::string_view name) const;

  /// Numbers from outside: those that the model names, then the motors' own.
  const std::vector<Input>& inputs() const { return d_->inputs; }
  const std::vector<double>& initial_inputs() const { return d_->initial_inputs; }
  int input(std::string_view name) const;

  /// What forces read besides motion, to begin with.
  Now initial_now(double t = 0) const { return {t, initial_inputs(), initial_z(), initial_discrete()}; }
  /// The same with initial values for what is empty. Throws std::invalid_argument where numbers are too few or too many.
  Now completed(const Now& now) const;

  const std::vector<std::string>& coordinate_names() const { return d_->coordinate_names; }
  const std::vector<std::string>& speed_names() const { return d_->speed_names; }

  /// Look-ups by name; a name that is not there is an error that lists those that are.
  int body(std::string_view name) const;
  int joint(std::string_view name) const;
  int frame(std::string_view name) const;
  int coordinate(std::string_view name) const;
  int speed(std::string_view name) const;

  /// The body's mass as the user gave it, whatever parts it has in the tree [kg]; 0 for Ground.
  double whole_mass(int body) const;

  /// Coordinates and speeds that the model asks for at the start, kinematic ones as their signals have them at t = 0 (bodies'
  /// velocities still as asked, not yet as speeds).
  const std::vector<double>& initial_q() const { return d_->initial_q; }
  const std::vector<double>& initial_u() const { return d_->initial_u; }
  const std::vector<InitialVelocity>& initial_velocities() const { return d_->initial_velocities; }

  /// Oddities that were understood, to be told to whoever made the description.
  const std::vector<Problem>& warnings() const { return d_->warnings; }

  /// The description this mechanism was built from, for printing it back.
  const MechanismBuilder& description() const { return *d_->description; }

 private:
  friend class MechanismResolver;
  struct Data {
    std::string name;
    Vec3<double> gravity{};
    int num_q = 0, num_u = 0, num_chart = 0;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<LoopJoint> loop_joints;
    std::vector<Frame> frames;
    std::vector<Shape> shapes;
    std::vector<Constraint> constraints;
    Forces forces;
    std::vector<KinematicCoordinate> kinematic;
    std::vector<char> speed_is_kinematic;
    std::vector<DrivenSpeed> driven;
    std::vector<DrivenOrientation> orientations;
    std::vector<Drive> drives;
    std::vector<char> speed_is_driven;
    std::vector<InitialLock> locks;
    std::vector<double> initial_z;
    std::vector<std::string> z_names;
    std::vector<StateLaw> state_laws;
    std::vector<DiscreteVariable> discrete;
    std::vector<double> initial_discrete;
    std::vector<Input> inputs;
    std::vector<double> initial_inputs;
    std::vector<FlatBody> flat;
    std::vector<std::string> coordinate_names, speed_names;
    NameTable joint_table, frame_table, coordinate_table, speed_table;
    std::vector<double> initial_q, initial_u;
    std::vector<InitialVelocity> initial_velocities;
    std::vector<Problem> warnings;
    std::vector<double> whole_mass;  // by body
    std::shared_ptr<const MechanismBuilder> description;
  };
  explicit Mechanism(std::shared_ptr<const Data> d) : d_(std::move(d)) {}
  std::shared_ptr<const Data> d_;
};

}  // namespace polhode
