#include "polhode/state/stepper.h"

#include <fmt/format.h>

#include <stdexcept>

namespace polhode {

void require_same(const Mechanism& mechanism, const State& state) {
  if (&state.mechanism().bodies() != &mechanism.bodies())
    throw std::invalid_argument("the state is of another mechanism than the stepper; make both from the same one");
}

void require_supported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method) {
  std::vector<Problem> problems;
  if (!features.loop_joints)
    for (const LoopJoint& joint : mechanism.loop_joints())
      problems.push_back(
          {fmt::format("joint \"{}\" closes a loop (\"{}\" to \"{}\"), which method {} cannot simulate yet; "
                       "`polhode check` shows the mechanism, or leave the joint out",
                       joint.name, mechanism.bodies()[joint.parent].name, mechanism.bodies()[joint.child].name, method),
           joint.source});
  if (!features.constraints)
    for (const Constraint& constraint : mechanism.constraints())
      problems.push_back(
          {fmt::format("{} is a constraint, which method {} cannot enforce yet; `polhode check` shows the mechanism, "
                       "or leave it out",
                       constraint.description, method),
           constraint.source});
  if (!features.kinematic)
    for (const KinematicCoordinate& k : mechanism.kinematic())
      problems.push_back(
          {fmt::format("coordinate \"{}\" follows a signal (it is kinematic), which method {} cannot simulate yet; "
                       "`polhode check` shows the mechanism, or leave the signal out",
                       mechanism.coordinate_names()[std::size_t(k.q)], method),
           k.source});
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace polhode
