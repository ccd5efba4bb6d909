#include "polhode/mechanism/resolver_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {
namespace {

constexpr double any = -std::numeric_limits<double>::infinity();

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string event_label(const EventSpec& event) { return fmt::format("event \"{}\"", event.name); }

}  // namespace

void EventChecker::check_events() {
  std::unordered_map<std::string, Source> first;
  for (const EventSpec& event : in_.events()) {
    const std::string what = event_label(event);
    const auto [it, is_new] = first.emplace(event.name, event.source);
    if (event.name.empty()) problem("an event has no name; give it one", event.source);
    if (!is_new) problems_.duplicate(what, event.source, it->second);
    check_when(event, what);
    for (const ActionSpec& action : event.actions) check_action(action, what);
  }
  // Users' elements may bring discrete variables along; they are made last.
  const auto is_code = [](const ForceSpec& force) { return std::holds_alternative<ForceFactory>(force.model); };
  if (!problems_.none() && std::none_of(in_.forces().begin(), in_.forces().end(), is_code)) check_discrete_of_events();
}

void EventChecker::check_when(const EventSpec& event, const std::string& what) {
  const Source& where = event.source;
  const auto time = [&](double t, const char* name) { return names_.number(t, any, name, what, where); };
  std::visit(Overloaded{
                 [&](const WhenSpec& when) {
                   names_.number(when.value, any, "value", what, where);
                   check_witness(when.witness, what, where);
                 },
                 [&](const AtSpec& at) {
                   if (at.times.empty()) problem(fmt::format("{}: it has no times; give at least one", what), where);
                   for (const double t : at.times)
                     if (!time(t, "time")) return;
                 },
                 [&](const EverySpec& every) {
                   time(every.from, "start");
                   if (!(std::isfinite(every.period) && every.period > 0))
                     problem(fmt::format("{}: period {} s must be a positive number", what, every.period), where);
                 },
                 [](const EveryStepSpec&) {},
             },
             event.when);
}

void EventChecker::check_witness(const WitnessSpec& witness, const std::string& what, const Source& where) {
  std::visit(Overloaded{
                 [&](const CoordinateWitness& w) { names_.coordinate_of(w.coordinate, what, where); },
                 [&](const SpeedWitness& w) { names_.speed_of(w.speed, what, where); },
                 [&](const PositionWitness& w) {
                   names_.frame_of(w.frame, what, where);
                   if (w.axis < 0 || w.axis > 2) problem(fmt::format("{}: axis no. {} is not 0, 1 or 2", what, w.axis), where);
                 },
                 [&](const DistanceWitness& w) { names_.frames_of(w.frame_a, w.frame_b, what, where); },
                 [](const TimeWitness&) {},
                 [](const EnergyWitness&) {},
                 [](const DiscreteWitness&) {},   // check_discrete_of_events()
                 [&](const QuantityWitness& w) {  // which there are, studies know (study/events.h)
                   if (w.quantity.empty())
                     problem(fmt::format("{}: a quantity has no name; give the name of a column", what), where);
                 },
             },
             witness);
}

void EventChecker::check_action(const ActionSpec& action, const std::string& what) {
  const Source& where = action.source;
  std::visit(Overloaded{
                 [](const StopAction&) {},
                 [](const SayAction&) {},
                 [&](const EnableAction& a) { check_constraint_name(a.constraint, what, where); },
                 [&](const LockAction& a) { check_joint_name(a.joint, what, where); },
                 [&](const SetCoordinateAction& a) {
                   const auto axis = names_.axis_of(a.coordinate, what, where);
                   check_settable(axis ? std::optional(axis->u) : std::nullopt, a.coordinate, what, where);
                   names_.number(a.value, any, "value", what, where);
                 },
                 [&](const SetSpeedAction& a) {
                   check_settable(names_.speed_of(a.speed, what, where), a.speed, what, where);
                   names_.number(a.value, any, "value", what, where);
                 },
                 [&](const ScaleSpeedAction& a) {
                   check_settable(names_.speed_of(a.speed, what, where), a.speed, what, where);
                   names_.number(a.factor, any, "factor", what, where);
                 },
                 [&](const SetDiscreteAction& a) { names_.number(a.value, any, "value", what, where); },
             },
             action.model);
}

void EventChecker::check_constraint_name(const std::string& name, const std::string& what, const Source& where) {
  // As the user wrote them: a constraint with a mistake of its own has been told of already.
  std::vector<std::string> names;
  for (const LoopJoint& joint : out_.loop_joints) names.push_back(joint.name);
  for (const ConstraintSpec& constraint : in_.constraints())
    if (!constraint.name.empty()) names.push_back(constraint.name);
  if (names_.wishes().opens_loop_joint(name)) return;
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  problem(fmt::format("{}: there is no constraint or loop joint \"{}\"{}", what, name,
                      names.empty() ? std::string("; none has a name, give the constraint one: (name \"...\")")
                                    : problems_.hint(
                                          name, [&] { return names; }, "with a name")),
          where);
}

void EventChecker::check_joint_name(const std::string& name, const std::string& what, const Source& where) {
  for (std::size_t b = 1; b < out_.joints.size(); ++b)
    if (out_.joints[b].name == name) return names_.wishes().name_joint_of_body(int(b));
  if (names_.wishes().is_loop_joint(name)) return;
  if (graph_.joints.find(name)) return;  // its own mistake has been told
  const auto names = [&] { return names_.joint_names(); };
  problem(fmt::format("{}: joint \"{}\" is not defined{}", what, name, problems_.hint(name, names, "joints")), where);
}

/// What follows a signal, or the forces on it, cannot be set.
void EventChecker::check_settable(std::optional<int> u, const std::string& name, const std::string& what, const Source& where) {
  if (!u) return;
  const Drive drive = out_.drives[std::size_t(*u)];
  if (drive == Drive::position || drive == Drive::velocity)
    problem(
        fmt::format("{}: \"{}\" follows a signal, so an event cannot set it; change the signal, or leave this out", what, name),
        where);
  if (drive == Drive::fast)
    problem(
        fmt::format("{}: \"{}\" is fast: it is always where the forces on it balance, so an event cannot set it", what, name),
        where);
}

void EventChecker::check_discrete_name(const std::string& name, const std::string& what, const Source& where) {
  const auto same = [&](const DiscreteVariable& variable) { return variable.name == name; };
  if (std::any_of(out_.discrete.begin(), out_.discrete.end(), same)) return;
  const auto names = [&] {
    std::vector<std::string> all;
    for (const DiscreteVariable& variable : out_.discrete) all.push_back(variable.name);
    return all;
  };
  problem(fmt::format("{}: discrete variable \"{}\" is not defined{}", what, name,
                      out_.discrete.empty() ? std::string("; add (discrete \"...\" value)")
                                            : problems_.hint(name, names, "discrete variables")),
          where);
}

void EventChecker::check_discrete_of_events() {
  for (const EventSpec& event : in_.events()) {
    if (const auto* when = std::get_if<WhenSpec>(&event.when))
      if (const auto* witness = std::get_if<DiscreteWitness>(&when->witness))
        check_discrete_name(witness->variable, event_label(event), event.source);
    for (const ActionSpec& action : event.actions)
      if (const auto* set = std::get_if<SetDiscreteAction>(&action.model))
        check_discrete_name(set->variable, event_label(event), action.source);
  }
}

}  // namespace polhode
