#include "polhode/mechanism/builder.h"

#include <utility>

#include "polhode/mechanism/resolver.h"

namespace polhode {

MechanismBuilder& MechanismBuilder::add_body(BodySpec spec) {
  bodies_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_joint(JointSpec spec) {
  joints_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_frame(FrameSpec spec) {
  frames_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_shape(ShapeSpec spec) {
  shapes_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_constraint(ConstraintSpec spec) {
  constraints_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_force(ForceSpec spec) {
  forces_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_kinematic(KinematicSpec spec) {
  kinematic_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_motion(MotionSpec spec) {
  if (spec.level == Drive::position)
    return add_kinematic({std::move(spec.coordinate), std::move(spec.signal), std::move(spec.source)});
  motions_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_motion(JointMotionSpec spec) {
  joint_motions_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_fast(FastSpec spec) {
  fast_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_discrete(DiscreteSpec spec) {
  discrete_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_input(InputSpec spec) {
  inputs_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_state(StateSpec spec) {
  states_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::lock(LockSpec spec) {
  locks_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::add_event(EventSpec spec) {
  events_.push_back(std::move(spec));
  return *this;
}
MechanismBuilder& MechanismBuilder::set_initial(InitialValue value) {
  initial_values_.push_back(std::move(value));
  return *this;
}
MechanismBuilder& MechanismBuilder::set_velocity(InitialVelocity velocity) {
  initial_velocities_.push_back(std::move(velocity));
  return *this;
}
MechanismBuilder& MechanismBuilder::clear_initial() {
  initial_values_.clear();
  initial_velocities_.clear();
  return *this;
}
void MechanismBuilder::report(Problem problem) { problems_.push_back(std::move(problem)); }

Mechanism MechanismBuilder::build() const {
  TreeWishes wishes;  // grow with each attempt, so that there is a last one
  for (;;) {
    MechanismResolver resolver(*this, problems_, wishes);
    if (const auto mechanism = resolver.resolve()) return *mechanism;
    wishes = resolver.wishes();
  }
}

}  // namespace polhode
