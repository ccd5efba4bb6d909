#include "polhode/state/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/state/methods.h"

namespace polhode {

void require_same(const Mechanism& mechanism, const State& state) {
  if (&state.mechanism().bodies() != &mechanism.bodies())
    throw std::invalid_argument("the state belongs to another mechanism than the stepper; make both from the same one");
}

namespace {

template <class Able>
std::string names_of_methods(Able able) {
  std::vector<std::string_view> named;
  for (const MethodEntry& method : all_methods)
    if (able(method)) named.push_back(method.name);
  std::string names;
  for (std::size_t i = 0; i < named.size(); ++i)
    names += std::string(i == 0 ? "" : i + 1 == named.size() ? " or " : ", ") + std::string(named[i]);
  return names;
}

}  // namespace

std::string methods_with(bool MethodFeatures::*feature) {
  return names_of_methods([&](const MethodEntry& method) { return method.features.*feature; });
}

std::string methods_with(bool MethodEntry::*ability) {
  return names_of_methods([&](const MethodEntry& method) { return method.*ability; });
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
        problems.push_back(
            {fmt::format("event \"{}\" {} joint \"{}\", which method {} cannot do during a run; use {}", event.name,
                         lock->on ? "locks" : "unlocks", lock->joint, method, methods_with(&MethodFeatures::locks)),
             action.source});
      if (enable && !features.switching)
        problems.push_back({fmt::format("event \"{}\" {} constraint \"{}\", which method {} cannot do during a run; use {}",
                                        event.name, enable->on ? "enables" : "disables", enable->constraint, method,
                                        methods_with(&MethodFeatures::switching)),
                            action.source});
    }
  }
}

}  // namespace

void require_supported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method) {
  std::vector<Problem> problems;
  if (!features.loop_joints)
    for (const LoopJoint& joint : mechanism.loop_joints())
      problems.push_back({fmt::format("joint \"{}\" closes a loop (\"{}\" to \"{}\"), which method {} cannot simulate; use {}, "
                                      "or leave the joint out",
                                      joint.name, mechanism.bodies()[joint.parent].name, mechanism.bodies()[joint.child].name,
                                      method, methods_with(&MethodFeatures::loop_joints)),
                          joint.source});
  if (!features.constraints)
    for (const Constraint& constraint : mechanism.constraints())
      problems.push_back({fmt::format("{} is a constraint, which method {} cannot enforce; use {}, or leave it out",
                                      constraint.description, method, methods_with(&MethodFeatures::constraints)),
                          constraint.source});
  if (!features.kinematic)
    for (const KinematicCoordinate& k : mechanism.kinematic())
      problems.push_back(
          {fmt::format("coordinate \"{}\" follows a signal (it is kinematic), which method {} cannot simulate; use {}, "
                       "or leave the signal out",
                       mechanism.coordinate_names()[std::size_t(k.q)], method, methods_with(&MethodFeatures::kinematic)),
           k.source});
  for (const DrivenSpeed& d : mechanism.driven()) {
    const std::string& speed = mechanism.speed_names()[std::size_t(d.u)];
    if (d.drive == Drive::fast && !features.fast)
      problems.push_back(
          {fmt::format("coordinate \"{}\" is fast (always in equilibrium), which method {} cannot simulate; use "
                       "{}, or leave it to forces",
                       mechanism.coordinate_names()[std::size_t(d.q)], method, methods_with(&MethodFeatures::fast)),
           d.source});
    if ((d.drive == Drive::velocity || d.drive == Drive::acceleration) && !features.motions)
      problems.push_back({fmt::format("speed \"{}\" follows a signal at level {}, which method {} cannot simulate; use "
                                      "{}, or give the motion at level position",
                                      speed, name(d.drive), method, methods_with(&MethodFeatures::motions)),
                          d.source});
  }
  if (!features.locks)
    for (const InitialLock& lock : mechanism.initial_locks())
      problems.push_back(
          {fmt::format("joint \"{}\" is locked, which method {} cannot simulate; use {}, or make the joint kinematic",
                       mechanism.joints()[std::size_t(lock.joint)].name, method, methods_with(&MethodFeatures::locks)),
           lock.source});
  if (!features.auxiliary)
    for (const UsersForce& force : mechanism.forces().of<UsersForce>())
      if (const ElementStates& own = force.states; own.nz + own.ndiscrete > 0)
        problems.push_back({fmt::format("a force element has {} \"{}\" of its own, which method {} cannot simulate; use {}",
                                        own.nz > 0 ? "auxiliary state" : "discrete variable",
                                        own.nz > 0 ? mechanism.z_names()[std::size_t(own.first_z)]
                                                   : mechanism.discrete_variables()[std::size_t(own.first_discrete)].name,
                                        method, methods_with(&MethodFeatures::auxiliary)),
                            {}});
  refuse_actions(mechanism, features, method, problems);
  if (!problems.empty()) throw ModelError(std::move(problems));
}

void require_supported(const State& state, const MethodFeatures& features, std::string_view method) {
  const Mechanism& mechanism = state.mechanism();
  std::vector<Problem> problems;
  for (int b = 1; b < mechanism.num_bodies() && !features.locks; ++b) {
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    const auto now = state.drives().subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
    const auto model = mechanism.drives().subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
    const bool locked = state.is_locked(b);
    if (locked || !std::equal(now.begin(), now.end(), model.begin()))
      problems.push_back({fmt::format("joint \"{}\" {} in this state, which method {} cannot simulate; {}", joint.name,
                                      locked ? "is locked" : "does not follow its signal", method,
                                      (locked ? "unlock it, or use " : "use ") + methods_with(&MethodFeatures::locks)),
                          joint.source});
  }
  const int loops = int(mechanism.loop_joints().size());
  for (int e = 0; e < mechanism.num_constraint_elements() && !features.switching; ++e) {
    if (state.is_enabled(e)) continue;
    const auto [what, source] = e < loops ? std::pair(fmt::format("joint \"{}\"", mechanism.loop_joints()[std::size_t(e)].name),
                                                      mechanism.loop_joints()[std::size_t(e)].source)
                                          : std::pair(mechanism.constraints()[std::size_t(e - loops)].description,
                                                      mechanism.constraints()[std::size_t(e - loops)].source);
    problems.push_back({fmt::format("{} is disabled in this state, which method {} cannot simulate; enable it, or use {}", what,
                                    method, methods_with(&MethodFeatures::switching)),
                        source});
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace polhode
