#include "polhode/mechanism/resolver_drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

bool turns_in_F(const JointModel& model) {
  return std::holds_alternative<Ball>(model) || std::holds_alternative<Free>(model) || std::holds_alternative<Ellipsoid>(model);
}

}  // namespace

void Drives::make_kinematic() {
  out_.speed_is_kinematic.assign(std::size_t(out_.num_u), 0);
  std::unordered_map<int, Source> first;
  for (const KinematicSpec& spec : in_.kinematic()) add_kinematic(spec, first);
  for (const JointMotionSpec& spec : in_.joint_motions()) {
    const auto joint = spec.place.empty() ? std::nullopt : joint_of(spec);
    if (!joint) continue;
    for (int i = 0; i < 3; ++i)
      add_kinematic({out_.coordinate_names[std::size_t(out_.joints[std::size_t(*joint)].first_q + 4 + i)],
                     spec.place[std::size_t(i)], spec.source},
                    first);
  }
  std::sort(out_.kinematic.begin(), out_.kinematic.end(),
            [](const KinematicCoordinate& a, const KinematicCoordinate& b) { return a.u < b.u; });
}

void Drives::add_kinematic(const KinematicSpec& spec, std::unordered_map<int, Source>& first) {
  const std::string what = fmt::format("kinematic \"{}\"", spec.coordinate);
  const auto axis = names_.axis_of(spec.coordinate, "kinematic", spec.source);
  if (!axis) return;
  const auto [it, is_new] = first.emplace(axis->q, spec.source);
  if (!is_new) {
    problems_.note({fmt::format("{}: the coordinate already follows a signal; keep one of the two", what), spec.source,
                    it->second, "the first one is here"});
    return;
  }
  const Signal::Sample start = spec.signal.at(0);
  if (!std::isfinite(start.value) || !std::isfinite(start.rate)) {
    problem(fmt::format("{}: at t = 0 the signal's value is {} and its rate {}; both must be finite", what, start.value,
                        start.rate),
            spec.source);
    return;
  }
  if (spec.signal.jumps()) {
    problem(fmt::format("{}: a coordinate cannot jump, as values that are held do; join the points otherwise, or drive it by a "
                        "force",
                        what),
            spec.source);
    return;
  }
  out_.kinematic.push_back({axis->q, axis->u, spec.signal, spec.source});
  out_.speed_is_kinematic[std::size_t(axis->u)] = 1;
}

/// The joint whose orientation is to follow a signal, if it can.
std::optional<int> Drives::joint_of(const JointMotionSpec& spec) {
  const auto joint = out_.joint_table.find(spec.joint);
  return joint && *joint > 0 && turns_in_F(out_.joints[std::size_t(*joint)].model) &&
                 (spec.place.empty() || std::holds_alternative<Free>(out_.joints[std::size_t(*joint)].model))
             ? joint
             : std::nullopt;
}

namespace {

/// Whether an orientation would jump, as one of values that are held does.
bool jumps(const OrientationSignal& orientation) {
  const auto any = [](const std::vector<Signal>& signals) {
    return std::any_of(signals.begin(), signals.end(), [](const Signal& signal) { return signal.jumps(); });
  };
  if (const auto* rpy = std::get_if<OrientationSignal::RollPitchYaw>(&orientation.form())) return any(rpy->angles);
  if (const auto* about = std::get_if<OrientationSignal::AboutAxis>(&orientation.form())) return about->angle.jumps();
  return any(std::get<OrientationSignal::Samples>(orientation.form()).parts);
}

}  // namespace

void Drives::add_orientation(const JointMotionSpec& spec) {
  const std::string what = fmt::format("motion \"{}\"", spec.joint);
  const auto found = out_.joint_table.find(spec.joint);
  if (!found || *found == 0) {
    const auto names = [&] { return names_.joint_names(); };
    if (!names_.wishes().is_loop_joint(spec.joint))
      problem(fmt::format("motion: joint \"{}\" is not defined{}", spec.joint, problems_.hint(spec.joint, names, "joints")),
              spec.source);
    return;
  }
  names_.wishes().name_joint_of_body(*found);
  const auto joint = joint_of(spec);
  const Joint& named = out_.joints[std::size_t(*found)];
  if (!joint) {
    const bool turns = turns_in_F(named.model);
    problem(fmt::format("{}: a {} joint {}", what, type_name(named.model),
                        turns ? "has no place of its own that a pose could move; give the orientation alone"
                              : "does not turn freely about three axes; give its coordinates motions of their own"),
            spec.source);
    return;
  }
  const OrientationSignal::Sample start = spec.orientation.at(0);
  if (!std::isfinite(norm_squared(start.q)) || !std::isfinite(dot(start.w, start.w))) {
    problem(fmt::format("{}: at t = 0 the orientation and its rate must be finite", what), spec.source);
    return;
  }
  if (jumps(spec.orientation)) {
    problem(fmt::format("{}: a joint cannot jump, as values that are held do; join the points otherwise", what), spec.source);
    return;
  }
  for (int k = 0; k < 3; ++k)
    add_driven({-1, named.first_u + k, Drive::position, spec.orientation.speed(k), spec.source}, what);
  out_.orientations.push_back({*joint, spec.orientation, spec.source});
  put_quaternion(start.q, out_.initial_q.data() + named.first_q);
}

void Drives::make_drives() {
  out_.drives.assign(std::size_t(out_.num_u), Drive::forces);
  for (const KinematicCoordinate& k : out_.kinematic) add_driven({k.q, k.u, Drive::position, k.signal, k.source}, "kinematic");
  for (const MotionSpec& spec : in_.motions()) add_motion(spec);
  refuse_starts_of_orientations();
  for (const JointMotionSpec& spec : in_.joint_motions()) add_orientation(spec);
  for (const FastSpec& spec : in_.fast()) add_fast(spec);
  std::sort(out_.driven.begin(), out_.driven.end(), [](const DrivenSpeed& a, const DrivenSpeed& b) { return a.u < b.u; });
  out_.speed_is_driven.resize(out_.drives.size());
  for (std::size_t u = 0; u < out_.drives.size(); ++u) out_.speed_is_driven[u] = out_.drives[u] != Drive::forces;
  refuse_slow_on_fast();
  make_locks();
  refuse_contradictions();
  for (const DrivenSpeed& d : out_.driven) {
    const Start start = start_of(d);
    if (start.value) out_.initial_q[std::size_t(d.q)] = *start.value;
    if (start.rate) out_.initial_u[std::size_t(d.u)] = *start.rate;
  }
}

void Drives::add_driven(DrivenSpeed driven, const std::string& what) {
  const std::size_t u = std::size_t(driven.u);
  if (out_.drives[u] != Drive::forces) {
    const auto first =
        std::find_if(out_.driven.begin(), out_.driven.end(), [&](const DrivenSpeed& other) { return other.u == driven.u; });
    problems_.note({fmt::format("{}: speed \"{}\" is driven already, at level {}; keep one of the two", what,
                                out_.speed_names[u], name(out_.drives[u])),
                    driven.source, first->source, "the first one is here"});
    return;
  }
  out_.drives[u] = driven.drive;
  out_.driven.push_back(std::move(driven));
}

void Drives::add_motion(const MotionSpec& spec) {
  const std::string what = fmt::format("motion \"{}\"", spec.coordinate);
  if (spec.level != Drive::velocity && spec.level != Drive::acceleration) {
    problem(spec.law ? fmt::format("{}: a law gives a velocity or an acceleration, not level {}", what, name(spec.level))
                     : fmt::format("{}: a motion cannot be at level {}; use position, velocity or acceleration", what,
                                   name(spec.level)),
            spec.source);
    return;
  }
  const auto u = names_.speed_of(spec.coordinate, "motion", spec.source);
  if (!u) return;
  if (spec.law) return add_law(spec, *u);
  const Signal::Sample start = spec.signal.at(0);
  if (!std::isfinite(start.value) || (spec.level == Drive::velocity && !std::isfinite(start.rate))) {
    problem(fmt::format("{}: at t = 0 the signal's value is {} and its rate {}, which must be finite", what, start.value,
                        start.rate),
            spec.source);
    return;
  }
  add_driven({names_.index().q_of_speed[std::size_t(*u)], *u, spec.level, spec.signal, spec.source}, what);
}

/// What the user asked for the quaternion that an orientation replaces: it may only be the same.
void Drives::refuse_starts_of_orientations() {
  for (const JointMotionSpec& spec : in_.joint_motions()) {
    const auto joint = joint_of(spec);
    if (!joint) continue;
    const int first_q = out_.joints[std::size_t(*joint)].first_q;
    double start[4];
    put_quaternion(spec.orientation.at(0).q, start);
    for (const InitialValue& value : in_.initial_values()) {
      const auto q = out_.coordinate_table.find(value.coordinate);
      if (!q || *q < first_q || *q >= first_q + 4 || !value.value) continue;
      if (std::abs(std::abs(*value.value) - std::abs(start[*q - first_q])) <= 1e-9) continue;
      problems_.note({fmt::format("initial value of \"{}\": the joint's orientation follows a signal, which starts elsewhere; "
                                  "leave the initial value out, or change the signal",
                                  value.coordinate),
                      value.source, spec.source, "the signal is here"});
      break;
    }
  }
}

void Drives::add_law(const MotionSpec& spec, int u) {
  const std::string what = fmt::format("motion \"{}\"", spec.coordinate);
  if (!spec.law->function) return problem(fmt::format("{}: the law is empty", what), spec.source);
  if (int(spec.law->coordinates.size()) > MotionLaw::most_coordinates)
    return problem(fmt::format("{}: a law reads {} coordinates at most, not {}", what, MotionLaw::most_coordinates,
                               spec.law->coordinates.size()),
                   spec.source);
  auto law = std::make_shared<PlacedLaw>();
  law->function = spec.law->function;
  for (const std::string& name : spec.law->coordinates) {
    const auto axis = names_.axis_of(name, "motion", spec.source);
    if (!axis) return;
    law->axes.push_back({axis->q, axis->u});
  }
  for (const InitialValue& value : in_.initial_values()) {
    const auto q = out_.coordinate_table.find(value.coordinate);
    const auto own =
        q && *q >= 0 ? names_.index().speed_of_q[std::size_t(*q)] : out_.speed_table.find(value.coordinate).value_or(-1);
    if (spec.level != Drive::velocity || own != u || !value.speed) continue;
    problems_.note({fmt::format("initial value of \"{}\": its speed follows a law; leave the speed out", value.coordinate),
                    value.source, spec.source, "the law is here"});
  }
  add_driven({names_.index().q_of_speed[std::size_t(u)], u, spec.level, {}, spec.source, std::move(law)}, what);
}

void Drives::add_fast(const FastSpec& spec) {
  const auto axis = names_.axis_of(spec.coordinate, "fast", spec.source);
  if (axis) add_driven({axis->q, axis->u, Drive::fast, {}, spec.source}, fmt::format("fast \"{}\"", spec.coordinate));
}

/// Fast coordinates follow the others at once, so nothing that has a history of its own may hang on them (Simbody theory
/// manual 10.3).
void Drives::refuse_slow_on_fast() {
  std::vector<const DrivenSpeed*> fast_at(out_.joints.size(), nullptr);  // by body: a fast coordinate between it and Ground
  std::vector<const DrivenSpeed*> fast(out_.drives.size(), nullptr);     // by speed
  for (const DrivenSpeed& d : out_.driven)
    if (d.drive == Drive::fast) fast[std::size_t(d.u)] = &d;
  for (std::size_t b = 1; b < out_.joints.size(); ++b) {
    const Joint& joint = out_.joints[b];
    fast_at[b] = fast_at[std::size_t(out_.bodies[b].parent)];
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u)
      if (fast[std::size_t(u)]) fast_at[b] = fast[std::size_t(u)];
    if (!fast_at[b]) continue;
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) {
      if (fast[std::size_t(u)]) continue;
      problems_.note(
          {fmt::format("joint \"{}\" moves with fast coordinate \"{}\", but its speed \"{}\" is not fast; every joint that a "
                       "fast joint carries must be fast in all its coordinates",
                       joint.name, out_.coordinate_names[std::size_t(fast_at[b]->q)], out_.speed_names[std::size_t(u)]),
           joint_source_[b], fast_at[b]->source, "made fast here"});
      break;
    }
  }
}

void Drives::make_locks() {
  for (const LockSpec& spec : in_.locks()) {
    const std::string what = fmt::format("lock \"{}\"", spec.joint);
    const auto joint = out_.joint_table.find(spec.joint);
    if (!joint || *joint == 0) {
      const auto names = [&] { return names_.joint_names(); };
      if (!names_.wishes().is_loop_joint(spec.joint))
        problem(fmt::format("lock: joint \"{}\" is not defined{}", spec.joint, problems_.hint(spec.joint, names, "joints")),
                spec.source);
      continue;
    }
    names_.wishes().name_joint_of_body(*joint);
    if (spec.level == Drive::forces || spec.level == Drive::fast) {
      problem(fmt::format("{}: a lock cannot be at level {}; use position, velocity or acceleration", what, name(spec.level)),
              spec.source);
      continue;
    }
    if (out_.joints[std::size_t(*joint)].nu == 0) {
      problem(fmt::format("{}: the joint is a weld and does not move; leave the lock out", what), spec.source);
      continue;
    }
    const auto first =
        std::find_if(out_.locks.begin(), out_.locks.end(), [&](const InitialLock& other) { return other.joint == *joint; });
    if (first != out_.locks.end()) {
      problems_.note({fmt::format("{}: the joint is locked already; keep one of the two", what), spec.source, first->source,
                      "the first one is here"});
      continue;
    }
    out_.locks.push_back({*joint, spec.level, spec.source});
  }
}

void Drives::make_discrete() {
  std::unordered_map<std::string, Source> first;
  for (const DiscreteSpec& spec : in_.discrete()) {
    if (spec.name.empty()) {
      problem("a discrete variable has no name; give it one", spec.source);
    } else if (!first.emplace(spec.name, spec.source).second) {
      problems_.duplicate(fmt::format("discrete variable \"{}\"", spec.name), spec.source, first[spec.name]);
    } else if (!std::isfinite(spec.initial)) {
      problem(fmt::format("discrete variable \"{}\" must start as a finite number, not {}", spec.name, spec.initial),
              spec.source);
    } else {
      out_.discrete.push_back({spec.name, spec.initial});
      out_.initial_discrete.push_back(spec.initial);
    }
  }
}

/// What a drive says of the start: of position level both, of velocity level the rate, of a fast coordinate that it is still.
Drives::Start Drives::start_of(const DrivenSpeed& d) {
  const Signal::Sample s = d.signal.at(0);
  if (d.drive == Drive::position && d.q >= 0) return {s.value, s.rate};
  if (d.drive == Drive::position) return {std::nullopt, s.rate};
  if (d.drive == Drive::velocity && d.law) return {};
  if (d.drive == Drive::velocity) return {std::nullopt, s.value};
  if (d.drive == Drive::fast) return {std::nullopt, 0.0};
  return {};
}

/// A start that is asked for, and that a signal or a lock does not have.
void Drives::refuse_contradictions() {
  if (out_.driven.empty() && out_.locks.empty()) return;
  struct GivenStart {
    Start start;
    Source source;
    bool lock;
  };
  std::vector<GivenStart> by_u(std::size_t(out_.num_u));
  for (const DrivenSpeed& d : out_.driven) by_u[std::size_t(d.u)] = {start_of(d), d.source, d.drive == Drive::fast};
  for (const InitialLock& lock : out_.locks) {
    const Joint& joint = out_.joints[std::size_t(lock.joint)];
    for (int u = joint.first_u; lock.level == Drive::position && u < joint.first_u + joint.nu; ++u)
      by_u[std::size_t(u)] = {{std::nullopt, 0.0}, lock.source, true};
  }
  const auto differ = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && !(std::abs(*a - *b) <= 1e-9 * (1 + std::abs(*b)));
  };
  for (const InitialValue& value : in_.initial_values()) {
    const auto q = out_.coordinate_table.find(value.coordinate);
    const auto u = !q ? out_.speed_table.find(value.coordinate)
                   : *q >= 0 && names_.index().speed_of_q[std::size_t(*q)] >= 0
                       ? std::optional(names_.index().speed_of_q[std::size_t(*q)])
                       : std::nullopt;
    if (!u) continue;
    const auto& [start, source, lock] = by_u[std::size_t(*u)];
    const bool wrong_value = differ(value.value, start.value);
    if (!wrong_value && !differ(value.speed, start.rate)) continue;
    if (lock) {
      problems_.note({fmt::format("initial value of \"{}\": it is held at rest, so its speed is 0, not {:.9g}; leave the "
                                  "speed out",
                                  value.coordinate, *value.speed),
                      value.source, source, "it is held here"});
    } else {
      problems_.note({fmt::format("initial value of \"{}\": the coordinate follows a signal, whose {} at t = 0 is {:.9g}, not "
                                  "{:.9g}; leave the initial value out, or change the signal",
                                  value.coordinate, wrong_value || !start.value ? "value" : "rate",
                                  wrong_value ? *start.value : *start.rate, wrong_value ? *value.value : *value.speed),
                      value.source, source, "the signal is here"});
    }
  }
}

}  // namespace polhode
