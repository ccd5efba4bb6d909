#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/elements.h"
#include "polhode/mechanism/event_spec.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// Collects the elements of a mechanism, in any order, and turns them into a Mechanism.
///
///   MechanismBuilder builder;
///   builder.add_body({.name = "rod", .mass = MassProperties::rod(1.0, {0, 0, -1})});
///   builder.add_joint({.name = "pin", .model = Revolute{}, .child = "rod",
///                      .placement = DrawnPlacement{.at = {0, 0, 0}, .axis = Vec3<double>{0, 1, 0}}});
///   const Mechanism mechanism = builder.build();   // throws ModelError with every problem it found
class MechanismBuilder {
 public:
  std::string name;                   ///< of the mechanism; free text
  Vec3<double> gravity{0, 0, -9.81};  ///< [m/s^2]
  GravityScope gravity_scope;         ///< the bodies that it acts on; all, unless told otherwise

  /// Each adds one element; problems are kept for build().
  MechanismBuilder& add_body(BodySpec spec);
  MechanismBuilder& add_joint(JointSpec spec);
  MechanismBuilder& add_frame(FrameSpec spec);
  MechanismBuilder& add_shape(ShapeSpec spec);
  MechanismBuilder& add_constraint(ConstraintSpec spec);
  MechanismBuilder& add_force(ForceSpec spec);
  MechanismBuilder& add_potential(PotentialFactory make) { return add_force({std::move(make)}); }
  MechanismBuilder& add_force_element(ForceFactory make) { return add_force({std::move(make)}); }
  MechanismBuilder& add_kinematic(KinematicSpec spec);
  MechanismBuilder& add_motion(MotionSpec spec);
  MechanismBuilder& add_motion(JointMotionSpec spec);
  MechanismBuilder& add_fast(FastSpec spec);
  MechanismBuilder& add_discrete(DiscreteSpec spec);
  /// A motor that names no input brings one of its own.
  MechanismBuilder& add_input(InputSpec spec);
  MechanismBuilder& add_state(StateSpec spec);
  /// Each adds what is so at the start, or happens later.
  MechanismBuilder& lock(LockSpec spec);
  MechanismBuilder& add_event(EventSpec spec);
  /// A later value of the same coordinate or speed replaces an earlier one.
  MechanismBuilder& set_initial(InitialValue value);
  MechanismBuilder& set_velocity(InitialVelocity velocity);
  /// Takes back all initial values and velocities.
  MechanismBuilder& clear_initial();

  /// What was added so far, in that order.
  const std::vector<BodySpec>& bodies() const { return bodies_; }
  const std::vector<JointSpec>& joints() const { return joints_; }
  const std::vector<FrameSpec>& frames() const { return frames_; }
  const std::vector<ShapeSpec>& shapes() const { return shapes_; }
  const std::vector<ConstraintSpec>& constraints() const { return constraints_; }
  const std::vector<ForceSpec>& forces() const { return forces_; }
  const std::vector<KinematicSpec>& kinematic() const { return kinematic_; }
  const std::vector<JointMotionSpec>& joint_motions() const { return joint_motions_; }
  const std::vector<MotionSpec>& motions() const { return motions_; }  ///< those at level position are among kinematic()
  /// What was added so far, in that order.
  const std::vector<FastSpec>& fast() const { return fast_; }
  const std::vector<DiscreteSpec>& discrete() const { return discrete_; }
  const std::vector<InputSpec>& inputs() const { return inputs_; }
  const std::vector<StateSpec>& states() const { return states_; }
  const std::vector<LockSpec>& locks() const { return locks_; }
  const std::vector<EventSpec>& events() const { return events_; }
  const std::vector<InitialValue>& initial_values() const { return initial_values_; }
  const std::vector<InitialVelocity>& initial_velocities() const { return initial_velocities_; }

  /// Problems found elsewhere (by a parser, say) that belong in the one report build() throws.
  void report(Problem problem);

  /// Checks everything. Throws ModelError with every problem that it found.
  Mechanism build() const;

 private:
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<FrameSpec> frames_;
  std::vector<ShapeSpec> shapes_;
  std::vector<ConstraintSpec> constraints_;
  std::vector<ForceSpec> forces_;
  std::vector<KinematicSpec> kinematic_;
  std::vector<MotionSpec> motions_;
  std::vector<JointMotionSpec> joint_motions_;
  std::vector<FastSpec> fast_;
  std::vector<DiscreteSpec> discrete_;
  std::vector<InputSpec> inputs_;
  std::vector<StateSpec> states_;
  std::vector<LockSpec> locks_;
  std::vector<EventSpec> events_;
  std::vector<InitialValue> initial_values_;
  std::vector<InitialVelocity> initial_velocities_;
  std::vector<Problem> problems_;
};

}  // namespace polhode
