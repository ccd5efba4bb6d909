#include "polhode/state/stepper.h"

#include <fmt/format.h>

#include <stdexcept>

#include "polhode/mechanism/builder.h"

namespace polhode {

void require_same(const Mechanism& mechanism, const State& state) {
  if (&state.mechanism().bodies() != &mechanism.bodies())
    throw std::invalid_argument("the state is of another mechanism than the stepper; make both from the same one");
}

namespace {

/// What the actions of a model's events would ask of the method.
void refuse_actions(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method,
                    std::vector<Problem>& problems) {
  for (const EventSpec& event : mechanism.description().events()) {
    for (const ActionSpec& action : event.actions) {
      const auto* lock = std::get_if<LockAction>(&action.model);
      const auto* enable = std::get_if<EnableAction>(&action.model);
      if (lock && !features.locks)
        problems.push_back({fmt::format("event \"{}\" {} joint \"{}\", which method {} cannot do during a run", event.name,
                                        lock->on ? "locks" : "unlocks", lock->joint, method),
                            action.source});
      if (enable && !features.enabling)
        problems.push_back({fmt::format("event \"{}\" {} constraint \"{}\", which method {} cannot do during a run", event.name,
                                        enable->on ? "enables" : "disables", enable->constraint, method),
                            action.source});
    }
  }
}

}  // namespace

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
  refuse_actions(mechanism, features, method, problems);
  if (!problems.empty()) throw ModelError(std::move(problems));
}

void require_supported(const State& state, const MethodFeatures& features, std::string_view method) {
  const Mechanism& m = state.mechanism();
  for (int joint = 1; joint < m.num_bodies() && !features.locks; ++joint)
    if (state.is_locked(joint))
      throw std::invalid_argument(
          fmt::format("joint \"{}\" is locked, which method {} cannot do", m.joints()[std::size_t(joint)].name, method));
  const std::size_t loops = m.loop_joints().size();
  for (std::size_t i = 0; i < state.enabled().size() && !features.enabling; ++i)
    if (!state.enabled()[i])
      throw std::invalid_argument(fmt::format(
          "{} is disabled, which method {} cannot do",
          i < loops ? fmt::format("joint \"{}\"", m.loop_joints()[i].name) : m.constraints()[i - loops].description, method));
}

}  // namespace polhode
