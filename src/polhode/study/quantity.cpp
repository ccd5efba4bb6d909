#include "polhode/study/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/reactions.h"

namespace polhode::study {
namespace {

constexpr std::array<std::pair<const char*, Measure::Keep>, 4> keeps{{{"final", Measure::Keep::final},
                                                                      {"min", Measure::Keep::least},
                                                                      {"max", Measure::Keep::greatest},
                                                                      {"mean", Measure::Keep::mean}}};

double component(const Quaternion<double>& q, int i) { return i == 0 ? q.w : i == 1 ? q.x : i == 2 ? q.y : q.z; }
/// Linear before angular.
double component(const Motion<double>& V, int i) { return i < 3 ? V.linear[i] : V.angular[i - 3]; }
double component(const Wrench<double>& F, int i) { return i < 3 ? F.force[i] : F.moment[i - 3]; }

Motion<double> frame_acceleration(const State& state, int f) {
  const Frame& frame = state.mechanism().frames()[std::size_t(f)];
  const Motion<double> A = state.acceleration(frame.body);
  const Vec3<double> w = state.velocity(frame.body).angular, p = state.pose(frame.body).R * frame.X_BF.p;
  return {A.angular, A.linear + cross(A.angular, p) + cross(w, cross(w, p))};
}

std::span<const double> work_of(const State& state) {
  return state.on_request(RequestedNumber::work, Stage::velocity, "works of forces", [](std::vector<double>&) {
    throw std::logic_error(
        "work is summed up along a run, and this state is of none that sums it; name it in SimulateOptions::record");
  });
}

/// It is computed on request; all others are read off the State as it is.
bool needs_workspace(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::joint_load:
    case QuantityKind::constraint_load:
    case QuantityKind::multiplier:
    case QuantityKind::element_force:
    case QuantityKind::power:
    case QuantityKind::largest_error:
    case QuantityKind::error:
    case QuantityKind::velocity_error:
    case QuantityKind::result: return true;
    default: return false;
  }
}

QuantityFacts facts_of(const Mechanism& mechanism, const std::string& name) {
  const QuantityList plain(mechanism, QuantityList::Scope::plain);
  if (const QuantityFacts* facts = plain.find(name)) return *facts;
  const QuantityList list(mechanism);
  if (const QuantityFacts* facts = list.find(name)) return *facts;
  std::vector<std::string> known;
  for (const QuantityFacts& facts : list.all()) known.push_back(facts.name);
  throw std::invalid_argument(fmt::format("there is no quantity \"{}\"{}", name, suggestion(name, known, "there are")));
}

}  // namespace

Quantity::Quantity(const Mechanism& mechanism, const std::string& name)
    : Quantity(facts_of(mechanism, name), nullptr, mechanism) {
  if (needs_workspace(facts_.kind)) workspace_ = std::make_shared<tree::Workspace>(mechanism);
}

Quantity::Quantity(QuantityFacts facts, std::shared_ptr<tree::Workspace> workspace, const Mechanism& mechanism)
    : facts_(std::move(facts)), workspace_(std::move(workspace)) {
  if (facts_.kind != QuantityKind::trigger) return;
  const Trigger trigger = trigger_of(mechanism, facts_.index);
  facts_.stage = trigger.stage;
  trigger_ = trigger.witness;
}

bool Quantity::exists(const Mechanism& mechanism, const std::string& name) {
  return QuantityList(mechanism, QuantityList::Scope::plain).find(name) != nullptr ||
         QuantityList(mechanism).find(name) != nullptr;
}

std::vector<Quantity> Quantity::select(const Mechanism& mechanism, const std::vector<std::string>& requests) {
  std::vector<Quantity> all;
  if (requests.empty()) return all;
  const auto workspace = std::make_shared<tree::Workspace>(mechanism);
  for (QuantityFacts& facts : QuantityList(mechanism).select(requests))
    all.push_back(Quantity(std::move(facts), workspace, mechanism));
  return all;
}

double Quantity::operator()(const State& state) const {
  const auto w = [&]() -> tree::Workspace& { return *workspace_; };
  const std::size_t i = std::size_t(facts_.index);
  const int part = facts_.part;
  const auto of_six = [&](std::span<const double> loads) { return loads[6 * i + std::size_t(part)]; };
  switch (facts_.kind) {
    case QuantityKind::coordinate: return state.q()[i];
    case QuantityKind::speed: return state.u()[i];
    case QuantityKind::position: return state.frame_pose(facts_.index).p[part];
    case QuantityKind::orientation: return component(quaternion(state.frame_pose(facts_.index).R), part);
    case QuantityKind::velocity: return component(state.frame_velocity(facts_.index), part);
    case QuantityKind::speed_rate: return state.u_dot()[i];
    case QuantityKind::acceleration: return component(frame_acceleration(state, facts_.index), part);
    case QuantityKind::kinetic: return state.kinetic_energy();
    case QuantityKind::potential: return state.potential_energy();
    case QuantityKind::energy: return state.energy();
    case QuantityKind::momentum: return component(state.momentum(), part);
    case QuantityKind::joint_load: return of_six(tree::joint_loads(state, w()));
    case QuantityKind::constraint_load: return of_six(tree::constraint_loads(state, w()));
    case QuantityKind::multiplier: return tree::multiplier(state, w(), facts_.index, part);
    case QuantityKind::element_force: return tree::element_forces(state, w())[i];
    case QuantityKind::motion_force: return state.motion_forces()[i];
    case QuantityKind::power: return tree::element_powers(state, w())[i];
    case QuantityKind::motion_power: return state.motion_forces()[i] * state.u()[i];
    case QuantityKind::work: return work_of(state)[i];
    case QuantityKind::largest_error: return tree::largest_constraint_error(state, w());
    case QuantityKind::error: return tree::constraint_error(state, w(), facts_.index, part);
    case QuantityKind::velocity_error: return tree::constraint_velocity_error(state, w(), facts_.index, part);
    case QuantityKind::state: return state.z()[i];
    case QuantityKind::discrete: return state.discrete()[i];
    case QuantityKind::input: return state.inputs()[i];
    case QuantityKind::trigger: return trigger_(state);
    case QuantityKind::result: return tree::cache_entry(state, w(), facts_.index)[std::size_t(part)];
  }
  return 0;
}

Stage stage_of(const std::vector<Quantity>& quantities) {
  Stage stage = Stage::velocity;
  for (const Quantity& quantity : quantities) stage = std::max(stage, quantity.stage());
  return stage;
}

Measure Measure::parse(const std::string& text, const Mechanism& mechanism) {
  return Quantity::exists(mechanism, text) ? Measure{text, Keep::final} : parse(text);
}

Measure Measure::parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, Keep::final};
  const std::string how = text.substr(colon + 1);
  for (const auto& [word, keep] : keeps)
    if (how == word) return {text.substr(0, colon), keep};
  throw std::invalid_argument(fmt::format("\"{}\": there is no \"{}\" of a quantity{}", text, how,
                                          suggestion(how, {"final", "min", "max", "mean"}, "there are")));
}

std::string Measure::name() const {
  for (const auto& [word, kept] : keeps)
    if (kept == keep) return fmt::format("{}:{}", quantity, word);
  return quantity;
}

void Meter::add(const State& state) {
  const double value = quantity_(state), time = state.time();
  if (!started_) least_ = greatest_ = value;
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
  if (started_) integral_ += 0.5 * (last_ + value) * (time - last_time_), duration_ += time - last_time_;
  last_ = value;
  last_time_ = time;
  started_ = true;
}

double Meter::value() const {
  switch (keep_) {
    case Measure::Keep::final: return last_;
    case Measure::Keep::least: return least_;
    case Measure::Keep::greatest: return greatest_;
    case Measure::Keep::mean: return duration_ > 0 ? integral_ / duration_ : last_;
  }
  return last_;
}

}  // namespace polhode::study
