#include "polhode/study/quantity_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/column_names.h"
#include "polhode/study/element_names.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/reactions.h"

namespace polhode::study {
namespace {

enum Family : int {
  coordinates,
  speeds,
  positions,
  orientations,
  velocities,
  accelerations,
  energies,
  momentum,
  reactions,
  multipliers,
  forces,
  motion_forces,
  power,
  work,
  constraint_errors,
  states,
  discrete,
  inputs,
  triggers,
  results,
  num_families
};

constexpr std::array<QuantityFamily, num_families> families{{
    {"coordinates", "COORDINATE", "rad, m", "every coordinate"},
    {"speeds", "SPEED", "rad/s, m/s", "every speed"},
    {"positions", "FRAME.x .y .z", "m", "the origin of every frame, in Ground"},
    {"orientations", "FRAME.qw .qx .qy .qz", "", "the unit quaternion that turns the frame's axes from Ground's, qw >= 0"},
    {"velocities", "FRAME.vx .vy .vz .wx .wy .wz", "m/s, rad/s", "of the frame's origin, and angular, in Ground axes"},
    {"accelerations", "SPEED' and FRAME.ax .ay .az .alphax .alphay .alphaz", "m/s^2, rad/s^2",
     "of every speed; of the frame's origin, and angular, in Ground axes"},
    {"energies", "kinetic, potential, energy", "J", "of the whole mechanism"},
    {"momentum", "momentum.x .y .z, angular-momentum.x .y .z", "kg m/s, kg m^2/s",
     "of the whole mechanism, angular about Ground's origin"},
    {"reactions", "JOINT.force.x .y .z, JOINT.torque.x .y .z; the same of constraints", "N, N m",
     "what the joint puts on its child, at the origin of the joint's frame there, in Ground axes; what a constraint between "
     "frames puts on the second one, at its origin"},
    {"multipliers", "CONSTRAINT.multiplier, or .multiplier.1 .2 ...", "N, N m",
     "lambda in M du/dt + G^T lambda = f, by row of every constraint and joint that closes a loop"},
    {"forces", "ELEMENT.force; ELEMENT.force.x .. ELEMENT.torque.z", "N, N m",
     "of every force element: along its coordinate; the tension along its line; on its body's origin, in Ground axes"},
    {"motion-forces", "COORDINATE.motion-force", "N, N m", "what it takes to move a coordinate that is driven or locked"},
    {"power", "ELEMENT.power, gravity.power, COORDINATE.motion-power", "W", "that a force gives to the mechanism"},
    {"work", "ELEMENT.work, gravity.work, COORDINATE.motion-work", "J",
     "the power, summed over time from the start of the run"},
    {"constraint-errors", "constraint, CONSTRAINT.error, CONSTRAINT.velocity-error", "m, rad; m/s, rad/s",
     "the largest error of positions; the error of every row, or .error.1 .2 ..., and its rate"},
    {"states", "STATE", "", "auxiliary states"},
    {"discrete", "VARIABLE", "", "discrete variables"},
    {"inputs", "INPUT", "", "numbers from outside"},
    {"triggers", "EVENT.trigger", "", "the witness of every event less its value: the event happens where this crosses zero"},
    {"results", "ENTRY, or ENTRY.1 .2 ...", "", "what users' elements offer: their cache entries"},
}};

constexpr std::array<const char*, 3> xyz{"x", "y", "z"};

/// Writes the list, family after family.
class Lister {
 public:
  Lister(const Mechanism& mechanism, const ColumnNames& names, std::vector<QuantityFacts>& all)
      : m_(mechanism), names_(names), all_(all) {}
  void list(QuantityList::Scope scope);

 private:
  void add(Family family, QuantityKind kind, Stage stage, std::string element, std::string name, std::string unit, int index,
           int part = 0) {
    all_.push_back({std::move(name), std::move(unit), std::move(element), family, kind, stage, index, part});
  }
  void add_coordinates();
  void add_positions();
  void add_frames();
  void add_totals();
  void add_load(const std::string& of, QuantityKind kind, int index);
  void add_reactions();
  void add_rows();
  void add_forces();
  void add_powers();
  void add_variables();
  bool is_shown(int frame) const {
    return frame > 0 && (frame >= m_.num_bodies() || m_.bodies()[std::size_t(frame)].part_of < 0);
  }
  /// Of the two parts that a loop needs of one body: nothing that the user knows of.
  bool is_inner_weld(int element) const;
  std::vector<int> driven_speeds() const;
  std::string name_of_driven(int u) const;

  const Mechanism& m_;
  const ColumnNames& names_;
  std::vector<QuantityFacts>& all_;
};

void Lister::list(QuantityList::Scope scope) {
  add_coordinates();
  add_positions();
  add_totals();
  if (scope == QuantityList::Scope::all) {
    add_frames();
    add_reactions();
    add_rows();
    add_forces();
    add_powers();
    add_variables();
  }
  std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.family < b.family; });
}

void Lister::add_coordinates() {
  for (const Joint& joint : m_.joints()) {
    const std::vector<bool> turns = turning_speeds(joint.model);
    const std::vector<int> speed = speed_of_coordinate(joint.model);
    for (int i = 0; i < joint.nq; ++i) {
      const int s = speed[std::size_t(i)];
      const char* const unit = s < 0 ? "" : turns[std::size_t(s)] ? "rad" : "m";
      add(coordinates, QuantityKind::coordinate, Stage::time, joint.name, names_.coordinates()[std::size_t(joint.first_q + i)],
          unit, joint.first_q + i);
    }
    for (int k = 0; k < joint.nu; ++k) {
      const std::size_t u = std::size_t(joint.first_u + k);
      const bool turning = turns[std::size_t(k)];
      add(speeds, QuantityKind::speed, Stage::velocity, joint.name, names_.speeds()[u], turning ? "rad/s" : "m/s", int(u));
      add(accelerations, QuantityKind::speed_rate, Stage::acceleration, joint.name, names_.accelerations()[u],
          turning ? "rad/s^2" : "m/s^2", int(u));
    }
  }
}

void Lister::add_positions() {
  for (int f = 0; f < int(m_.frames().size()); ++f)
    for (int axis = 0; axis < 3 && is_shown(f); ++axis)
      add(positions, QuantityKind::position, Stage::position, m_.frames()[std::size_t(f)].name, names_.frame(f, axis), "m", f,
          axis);
}

void Lister::add_frames() {
  for (int f = 0; f < int(m_.frames().size()); ++f) {
    if (!is_shown(f)) continue;
    const std::string& of = m_.frames()[std::size_t(f)].name;
    const auto add_six = [&](Family family, QuantityKind kind, Stage stage, std::array<const char*, 2> letters,
                             std::array<const char*, 2> units) {
      for (int i = 0; i < 6; ++i)
        add(family, kind, stage, of, fmt::format("{}.{}{}", of, letters[std::size_t(i / 3)], xyz[std::size_t(i % 3)]),
            units[std::size_t(i / 3)], f, i);
    };
    for (int i = 0; i < 4; ++i)
      add(orientations, QuantityKind::orientation, Stage::position, of, fmt::format("{}.q{}", of, "wxyz"[i]), "", f, i);
    add_six(velocities, QuantityKind::velocity, Stage::velocity, {"v", "w"}, {"m/s", "rad/s"});
    add_six(accelerations, QuantityKind::acceleration, Stage::acceleration, {"a", "alpha"}, {"m/s^2", "rad/s^2"});
  }
}

void Lister::add_totals() {
  add(energies, QuantityKind::kinetic, Stage::velocity, "", "kinetic", "J", 0);
  add(energies, QuantityKind::potential, Stage::position, "", "potential", "J", 0);
  add(energies, QuantityKind::energy, Stage::velocity, "", "energy", "J", 0);
  for (int i = 0; i < 6; ++i) {
    const bool linear = i < 3;
    add(momentum, QuantityKind::momentum, Stage::velocity, "",
        fmt::format("{}momentum.{}", linear ? "" : "angular-", xyz[std::size_t(i % 3)]), linear ? "kg m/s" : "kg m^2/s", 0, i);
  }
}

void Lister::add_load(const std::string& of, QuantityKind kind, int index) {
  for (int i = 0; i < 6; ++i)
    add(reactions, kind, Stage::acceleration, of,
        fmt::format("{}.{}.{}", of, i < 3 ? "force" : "torque", xyz[std::size_t(i % 3)]), i < 3 ? "N" : "N m", index, i);
}

bool Lister::is_inner_weld(int element) const {
  if (element >= int(m_.loop_joints().size())) return false;
  const LoopJoint& joint = m_.loop_joints()[std::size_t(element)];
  const auto is_part_of = [&](int part, int whole) { return m_.bodies()[std::size_t(part)].part_of == whole; };
  return is_part_of(joint.child, joint.parent) || is_part_of(joint.parent, joint.child);
}

void Lister::add_reactions() {
  for (int b = 1; b < m_.num_bodies(); ++b)
    if (const Joint& joint = m_.joints()[std::size_t(b)]; !joint.implicit) add_load(joint.name, QuantityKind::joint_load, b);
  const std::vector<std::string> names = constraint_names(m_);
  for (int e = 0; e < int(names.size()); ++e)
    if (tree::constraint_load_place(m_, e) && !is_inner_weld(e))
      add_load(names[std::size_t(e)], QuantityKind::constraint_load, e);
}

void Lister::add_rows() {
  const std::vector<std::string> names = constraint_names(m_);
  const std::vector<char> all(names.size(), 1);
  const tree::Constraints rows(m_, all);
  add(constraint_errors, QuantityKind::largest_error, Stage::position, "", "constraint", "", 0);
  std::vector<int> count(names.size(), 0);
  for (int row = 0; row < rows.num_rows(); ++row) ++count[std::size_t(rows.element(row))];
  for (int row = 0; row < rows.num_rows(); ++row) {
    const int e = rows.element(row), k = rows.row_of_owner(row);
    if (is_inner_weld(e)) continue;
    const std::string& of = names[std::size_t(e)];
    const auto add_row = [&](Family family, QuantityKind kind, Stage stage, const char* what) {
      add(family, kind, stage, of,
          count[std::size_t(e)] == 1 ? fmt::format("{}.{}", of, what) : fmt::format("{}.{}.{}", of, what, k + 1), "", e, k);
    };
    add_row(multipliers, QuantityKind::multiplier, Stage::acceleration, "multiplier");
    if (rows.level(row) == RowLevel::position) add_row(constraint_errors, QuantityKind::error, Stage::position, "error");
    if (rows.level(row) != RowLevel::acceleration)
      add_row(constraint_errors, QuantityKind::velocity_error, Stage::velocity, "velocity-error");
  }
}

void Lister::add_forces() {
  int next = 0;  // of element_forces()
  for (const ForceName& force : force_names(m_)) {
    const auto add_one = [&](const std::string& name, const char* unit) {
      add(forces, QuantityKind::element_force, Stage::dynamics, force.name, name, unit, next++);
    };
    using Shape = ForceName::Shape;
    if (force.shape == Shape::on_coordinate || force.shape == Shape::along_line) {
      bool turns = false;
      for (const Joint& joint : m_.joints())
        if (force.u >= joint.first_u && force.u < joint.first_u + joint.nu)
          turns = turning_speeds(joint.model)[std::size_t(force.u - joint.first_u)];
      add_one(force.name + ".force", turns ? "N m" : "N");
      continue;
    }
    for (const int body : force.bodies) {
      const std::string of =
          force.bodies.size() == 1 ? force.name : fmt::format("{}.{}", force.name, m_.bodies()[std::size_t(body)].name);
      for (int i = 0; i < 6; ++i)
        add_one(fmt::format("{}.{}.{}", of, i < 3 ? "force" : "torque", xyz[std::size_t(i % 3)]), i < 3 ? "N" : "N m");
    }
    if (force.shape == Shape::users)
      for (int u = 0; u < m_.num_u(); ++u) add_one(fmt::format("{}.on.{}", force.name, m_.speed_names()[std::size_t(u)]), "");
  }
}

/// Those that follow signals, and those that are locked at the start or by an event.
std::vector<int> Lister::driven_speeds() const {
  std::set<int> all;
  for (const DrivenSpeed& driven : m_.driven())
    if (driven.drive != Drive::fast) all.insert(driven.u);
  const auto add_joint = [&](int joint) {
    const Joint& j = m_.joints()[std::size_t(joint)];
    for (int u = j.first_u; u < j.first_u + j.nu; ++u) all.insert(u);
  };
  for (const InitialLock& lock : m_.initial_locks()) add_joint(lock.joint);
  for (const EventSpec& event : m_.description().events())
    for (const ActionSpec& action : event.actions)
      if (const auto* lock = std::get_if<LockAction>(&action.model)) add_joint(m_.joint(lock->joint));
  return {all.begin(), all.end()};
}

std::string Lister::name_of_driven(int u) const {
  for (const Joint& joint : m_.joints()) {
    if (u < joint.first_u || u >= joint.first_u + joint.nu) continue;
    const std::vector<int> speed = speed_of_coordinate(joint.model);
    for (int i = 0; i < joint.nq; ++i)
      if (speed[std::size_t(i)] == u - joint.first_u) return m_.coordinate_names()[std::size_t(joint.first_q + i)];
  }
  return m_.speed_names()[std::size_t(u)];
}

/// Work is numbered as WorkMeter has it: gravity, elements, then all speeds.
void Lister::add_powers() {
  std::vector<std::string> names{"gravity"};
  for (const ForceName& force : force_names(m_)) names.push_back(force.name);
  for (int i = 0; i < int(names.size()); ++i) {
    const std::string& of = names[std::size_t(i)];
    add(power, QuantityKind::power, Stage::dynamics, of, of + ".power", "W", i);
    add(work, QuantityKind::work, Stage::acceleration, of, of + ".work", "J", i);
  }
  for (const int u : driven_speeds()) {
    const std::string of = name_of_driven(u);
    bool turns = false;
    for (const Joint& joint : m_.joints())
      if (u >= joint.first_u && u < joint.first_u + joint.nu)
        turns = turning_speeds(joint.model)[std::size_t(u - joint.first_u)];
    add(motion_forces, QuantityKind::motion_force, Stage::acceleration, of, of + ".motion-force", turns ? "N m" : "N", u);
    add(power, QuantityKind::motion_power, Stage::acceleration, of, of + ".motion-power", "W", u);
    add(work, QuantityKind::work, Stage::acceleration, of, of + ".motion-work", "J", int(names.size()) + u);
  }
}

void Lister::add_variables() {
  const auto add_all = [&](Family family, QuantityKind kind, Stage stage, const auto& variables, auto name_of) {
    for (int i = 0; i < int(variables.size()); ++i) {
      const std::string name = name_of(variables[std::size_t(i)]);
      add(family, kind, stage, name, name, "", i);
    }
  };
  const auto name = [](const auto& variable) { return variable.name; };
  add_all(states, QuantityKind::state, Stage::time, m_.z_names(), [](const std::string& z) { return z; });
  add_all(discrete, QuantityKind::discrete, Stage::time, m_.discrete_variables(), name);
  add_all(inputs, QuantityKind::input, Stage::time, m_.inputs(), name);
  const auto& events = m_.description().events();
  for (int i = 0; i < int(events.size()); ++i) {
    const EventSpec& event = events[std::size_t(i)];
    if (std::holds_alternative<WhenSpec>(event.when))
      add(triggers, QuantityKind::trigger, Stage::acceleration, event.name, event.name + ".trigger", "", i);
  }
  const std::vector<CacheEntry> entries = tree::cache_entries(m_);
  for (int i = 0; i < int(entries.size()); ++i) {
    const CacheEntry& entry = entries[std::size_t(i)];
    for (int k = 0; k < entry.size; ++k)
      add(results, QuantityKind::result, tree::stage_of(entry), entry.name,
          entry.size == 1 ? entry.name : fmt::format("{}.{}", entry.name, k + 1), entry.unit, i, k);
  }
}

std::vector<std::string> names_of_families() {
  std::vector<std::string> names;
  for (const QuantityFamily& family : families) names.emplace_back(family.name);
  return names;
}

}  // namespace

std::span<const QuantityFamily> quantity_families() { return families; }

QuantityList::QuantityList(const Mechanism& mechanism, Scope scope) {
  const ColumnNames plain(mechanism);
  Lister(mechanism, plain, all_).list(scope);
  table_.reserve(all_.size());
  for (int i = 0; i < int(all_.size()); ++i) {
    QuantityFacts& facts = all_[std::size_t(i)];
    // A table may have all columns of ColumnNames beside what is recorded, so their names are taken.
    const bool is_column = facts.family <= positions || facts.kind == QuantityKind::speed_rate || facts.family == energies ||
                           facts.family == momentum || facts.kind == QuantityKind::largest_error;
    while ((!is_column && plain.find(facts.name)) || !table_.add(facts.name, i))
      facts.name.insert(0, fmt::format("{}.", families[std::size_t(facts.family)].name));
  }
}

const QuantityFacts* QuantityList::find(std::string_view name) const {
  const auto index = table_.find(name);
  return index ? &all_[std::size_t(*index)] : nullptr;
}

std::vector<const QuantityFacts*> QuantityList::of_request(const std::string& request) const {
  if (const QuantityFacts* one = find(request)) return {one};
  const std::size_t colon = request.find(':');
  const std::string family = request.substr(0, colon);
  std::vector<std::string> valid = names_of_families();
  const auto found = std::find(valid.begin(), valid.end(), family);
  if (found == valid.end()) {
    for (const QuantityFacts& facts : all_) valid.push_back(facts.name);
    throw std::invalid_argument(
        fmt::format("there is no quantity \"{}\"{}", request, suggestion(request, valid, "families, and then all columns")));
  }
  std::vector<const QuantityFacts*> chosen;
  std::vector<std::string> elements;
  for (const QuantityFacts& facts : all_) {
    if (facts.family != int(found - valid.begin())) continue;
    if (elements.empty() || elements.back() != facts.element) elements.push_back(facts.element);
    if (colon == std::string::npos || facts.element == request.substr(colon + 1)) chosen.push_back(&facts);
  }
  if (elements.empty()) throw std::invalid_argument(fmt::format("the model has no {}: nothing in it has any", family));
  if (chosen.empty()) {
    const std::string asked = request.substr(colon + 1);
    throw std::invalid_argument(
        fmt::format("there are no {} of \"{}\"{}", family, asked, suggestion(asked, elements, "there are")));
  }
  return chosen;
}

std::vector<QuantityFacts> QuantityList::select(const std::vector<std::string>& requests) const {
  std::set<const QuantityFacts*> chosen;
  for (const std::string& request : requests)
    for (const QuantityFacts* facts : of_request(request)) chosen.insert(facts);
  std::vector<QuantityFacts> in_order;  // the list is one array, so its order is that of addresses
  for (const QuantityFacts* facts : chosen) in_order.push_back(*facts);
  return in_order;
}

}  // namespace polhode::study
