#include "polhode/state/method.h"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/mechanism/one_sided.h"
#include "polhode/state/state.h"

namespace polhode {
namespace {

/// What the actions of a model's events would ask of the method.
void add_actions(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method,
                 std::vector<Unsupported>& found) {
  for (const EventSpec& event : mechanism.description().events()) {
    for (const ActionSpec& action : event.actions) {
      const auto* lock = std::get_if<LockAction>(&action.model);
      const auto* enable = std::get_if<EnableAction>(&action.model);
      if (lock && !features.locks)
        found.push_back({fmt::format("event \"{}\" {} joint \"{}\", which method {} cannot do during a run", event.name,
                                     lock->on ? "locks" : "unlocks", lock->joint, method),
                         &MethodFeatures::locks, "", action.source});
      if (enable && !features.switching)
        found.push_back({fmt::format("event \"{}\" {} constraint \"{}\", which method {} cannot do during a run", event.name,
                                     enable->on ? "enables" : "disables", enable->constraint, method),
                         &MethodFeatures::switching, "", action.source});
    }
  }
}

bool has_rows(const std::shared_ptr<const CustomConstraint>& model, RowLevel level) {
  for (int row = 0; row < model->num_rows(); ++row)
    if (model->level(row) == level) return true;
  return false;
}
template <class Model>
bool has_rows(const Model& model, RowLevel level) {
  if constexpr (LinearConstraint<Model>) {
    return model.equation().level == level;
  } else {
    return level == RowLevel::velocity && Model::nonholonomic > 0;
  }
}

void add_constraints(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method,
                     std::vector<Unsupported>& found) {
  const auto not_positions = [&](const std::string& owner, const char* what, bool MethodFeatures::*needs,
                                 const Source& source) {
    found.push_back({fmt::format("{} holds {}, which method {} cannot enforce", owner, what, method), needs, "", source});
  };
  constexpr const char* velocities = "velocities, not positions (it is nonholonomic)";
  for (const LoopJoint& joint : mechanism.loop_joints()) {
    if (!features.loop_joints) {
      found.push_back({fmt::format("joint \"{}\" closes a loop (\"{}\" to \"{}\"), which method {} cannot simulate", joint.name,
                                   mechanism.bodies()[joint.parent].name, mechanism.bodies()[joint.child].name, method),
                       &MethodFeatures::loop_joints, "leave the joint out", joint.source});
    } else if (!features.velocity_rows && num_nonholonomic_rows(joint.model) > 0) {
      not_positions(fmt::format("joint \"{}\"", joint.name), velocities, &MethodFeatures::velocity_rows, joint.source);
    }
  }
  for (const Constraint& constraint : mechanism.constraints()) {
    const auto has = [&](RowLevel level) {
      return std::visit([&](const auto& model) { return has_rows(model, level); }, constraint.model);
    };
    if (!features.constraints) {
      found.push_back({fmt::format("{} is a constraint, which method {} cannot enforce", constraint.description, method),
                       &MethodFeatures::constraints, "leave it out", constraint.source});
      continue;
    }
    if (!features.velocity_rows && has(RowLevel::velocity))
      not_positions(constraint.description, velocities, &MethodFeatures::velocity_rows, constraint.source);
    if (!features.acceleration_rows && has(RowLevel::acceleration))
      not_positions(constraint.description, "accelerations, not positions", &MethodFeatures::acceleration_rows,
                    constraint.source);
    if (!features.one_sided && is_one_sided(constraint))
      found.push_back(
          {fmt::format("{} holds on one side only (h >= 0), which method {} cannot enforce", constraint.description, method),
           &MethodFeatures::one_sided, "make it an equation", constraint.source});
  }
}

void add_motions(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method,
                 std::vector<Unsupported>& found) {
  if (!features.kinematic)
    for (const KinematicCoordinate& k : mechanism.kinematic())
      found.push_back({fmt::format("coordinate \"{}\" follows a signal (it is kinematic), which method {} cannot simulate",
                                   mechanism.coordinate_names()[std::size_t(k.q)], method),
                       &MethodFeatures::kinematic, "leave the signal out", k.source});
  for (const DrivenSpeed& d : mechanism.driven()) {
    if (d.drive == Drive::fast && !features.fast)
      found.push_back({fmt::format("coordinate \"{}\" is fast (always in equilibrium), which method {} cannot simulate",
                                   mechanism.coordinate_names()[std::size_t(d.q)], method),
                       &MethodFeatures::fast, "leave it to forces", d.source});
    if ((d.drive == Drive::velocity || d.drive == Drive::acceleration) && !features.motions)
      found.push_back({fmt::format("speed \"{}\" follows a signal at level {}, which method {} cannot simulate",
                                   mechanism.speed_names()[std::size_t(d.u)], name(d.drive), method),
                       &MethodFeatures::motions, "give the motion at level position", d.source});
  }
  if (!features.locks)
    for (const InitialLock& lock : mechanism.initial_locks())
      found.push_back({fmt::format("joint \"{}\" is locked, which method {} cannot simulate",
                                   mechanism.joints()[std::size_t(lock.joint)].name, method),
                       &MethodFeatures::locks, "make the joint kinematic", lock.source});
}

void add_elements(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method,
                  std::vector<Unsupported>& found) {
  if (features.auxiliary) return;
  for (const StateLaw& state : mechanism.state_laws())
    found.push_back({fmt::format("there is a state \"{}\", which method {} cannot simulate",
                                 mechanism.z_names()[std::size_t(state.z)], method),
                     &MethodFeatures::auxiliary, "", state.rate.where()});
  for (const UsersForce& force : mechanism.forces().of<UsersForce>())
    if (const ElementStates& own = force.states; own.nz + own.ndiscrete > 0)
      found.push_back({fmt::format("a force element has {} \"{}\" of its own, which method {} cannot simulate",
                                   own.nz > 0 ? "auxiliary state" : "discrete variable",
                                   own.nz > 0 ? mechanism.z_names()[std::size_t(own.first_z)]
                                              : mechanism.discrete_variables()[std::size_t(own.first_discrete)].name,
                                   method),
                       &MethodFeatures::auxiliary});
}

/// Joints that the state locks, or does not let follow their signals.
void add_locks(const State& state, std::string_view method, std::vector<Unsupported>& found) {
  const Mechanism& mechanism = state.mechanism();
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    const auto now = state.drives().subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
    const auto model = mechanism.drives().subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
    const bool locked = state.is_locked(b);
    if (locked || !std::equal(now.begin(), now.end(), model.begin()))
      found.push_back({fmt::format("joint \"{}\" {} in this state, which method {} cannot simulate", joint.name,
                                   locked ? "is locked" : "does not follow its signal", method),
                       &MethodFeatures::locks, locked ? "unlock it" : "", joint.source});
  }
}

void add_switches(const State& state, std::string_view method, std::vector<Unsupported>& found) {
  const Mechanism& mechanism = state.mechanism();
  const int loops = int(mechanism.loop_joints().size());
  for (int e = 0; e < mechanism.num_constraint_elements(); ++e) {
    if (state.is_enabled(e)) continue;
    const auto [what, source] = e < loops ? std::pair(fmt::format("joint \"{}\"", mechanism.loop_joints()[std::size_t(e)].name),
                                                      mechanism.loop_joints()[std::size_t(e)].source)
                                          : std::pair(mechanism.constraints()[std::size_t(e - loops)].description,
                                                      mechanism.constraints()[std::size_t(e - loops)].source);
    found.push_back({fmt::format("{} is disabled in this state, which method {} cannot simulate", what, method),
                     &MethodFeatures::switching, "enable it", source});
  }
}

}  // namespace

Problem Unsupported::problem(const std::string& able_methods) const {
  std::string remedy = able_methods.empty() ? "" : "use " + able_methods;
  if (!instead.empty()) remedy += (remedy.empty() ? "" : ", or ") + instead;
  return {remedy.empty() ? what : what + "; " + remedy, source};
}

std::vector<Unsupported> unsupported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method) {
  std::vector<Unsupported> found;
  add_constraints(mechanism, features, method, found);
  add_motions(mechanism, features, method, found);
  add_elements(mechanism, features, method, found);
  add_actions(mechanism, features, method, found);
  return found;
}

std::vector<Unsupported> unsupported(const State& state, const MethodFeatures& features, std::string_view method) {
  std::vector<Unsupported> found;
  if (!features.locks) add_locks(state, method, found);
  if (!features.switching) add_switches(state, method, found);
  return found;
}

void require_none(const std::vector<Unsupported>& unsupported) {
  if (unsupported.empty()) return;
  std::vector<Problem> problems;
  for (const Unsupported& one : unsupported) problems.push_back(one.problem());
  throw ModelError(std::move(problems));
}

void require_supported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method) {
  require_none(unsupported(mechanism, features, method));
}
void require_supported(const State& state, const MethodFeatures& features, std::string_view method) {
  require_none(unsupported(state, features, method));
}

const OptionField* MethodEntry::option(std::string_view option_name) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OptionField& field) { return field.name == option_name; });
  return found == options.end() ? nullptr : &*found;
}

std::optional<double> MethodEntry::number(const OptionValues& given, std::string_view option_name) const {
  const OptionField* const field = option(option_name);
  if (!field) return std::nullopt;
  if (const auto number = given.number(option_name)) return number;
  return field->standard ? OptionValues{{field->name, *field->standard}}.number(option_name) : std::nullopt;
}

}  // namespace polhode
