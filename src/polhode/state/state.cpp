#include "polhode/state/state.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode {
namespace {

void replace(std::vector<double>& values, std::span<const double> by, const char* what) {
  if (by.size() != values.size())
    throw std::invalid_argument(fmt::format("{} numbers given for {} {}", by.size(), values.size(), what));
  std::copy(by.begin(), by.end(), values.begin());
}
void replace(std::vector<double>& values, int i, double by, const char* what) {
  if (i < 0 || i >= int(values.size()))
    throw std::out_of_range(fmt::format("no. {} was requested, but there are {} {}, counted from 0", i, values.size(), what));
  values[i] = by;
}

const Frame& frame_at(const Mechanism& mechanism, int i) {
  const auto& frames = mechanism.frames();
  if (i < 0 || i >= int(frames.size()))
    throw std::out_of_range(fmt::format("frame no. {} was requested, but there are {}, counted from 0", i, frames.size()));
  return frames[std::size_t(i)];
}

}  // namespace

State::State(const Mechanism& mechanism)
    : mechanism_(mechanism),
      q_(mechanism.initial_q()),
      u_(mechanism.initial_u()),
      applied_forces_(mechanism.num_u(), 0.0),
      inputs_(mechanism.initial_inputs()),
      z_(mechanism.initial_z()),
      enabled_(mechanism.initially_enabled()),
      drives_(mechanism.drives().begin(), mechanism.drives().end()),
      locked_(std::size_t(mechanism.num_u()), 0) {
  for (const DiscreteVariable& variable : mechanism.discrete_variables()) discrete_.push_back(variable.initial);
  const std::size_t bodies = std::size_t(mechanism.num_bodies());
  results_.X_WB.resize(bodies);
  results_.V_WB.resize(bodies);
  results_.A_WB.resize(bodies);
  results_.wrenches.resize(bodies);
  results_.q_dot.resize(q_.size());
  results_.generalized_forces.resize(u_.size());
  results_.u_dot.resize(u_.size());
  results_.z_dot.resize(z_.size());
  results_.motion_forces.resize(u_.size());
  for (const InitialLock& initial : mechanism.initial_locks()) lock(initial.joint, initial.level);
}

void State::set_time(double t) {
  invalidate(Stage::time);
  time_ = t;
}
void State::set_q(std::span<const double> q) {
  invalidate(Stage::position);
  replace(q_, q, "coordinates");
}
void State::set_q(int i, double value) {
  invalidate(Stage::position);
  replace(q_, i, value, "coordinates");
}
void State::set_u(std::span<const double> u) {
  invalidate(Stage::velocity);
  replace(u_, u, "speeds");
}
void State::set_u(int i, double value) {
  invalidate(Stage::velocity);
  replace(u_, i, value, "speeds");
}
void State::set_applied_forces(std::span<const double> f) {
  invalidate(Stage::dynamics);
  replace(applied_forces_, f, "speeds");
}
void State::set_applied_force(int i, double value) {
  invalidate(Stage::dynamics);
  replace(applied_forces_, i, value, "speeds");
}

void State::set_inputs(std::span<const double> values) {
  invalidate(Stage::dynamics);
  replace(inputs_, values, "inputs");
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = mechanism_.inputs()[i].limits.clipped(inputs_[i]);
}
void State::set_input(int i, double value) {
  invalidate(Stage::dynamics);
  replace(inputs_, i, value, "inputs");
  inputs_[std::size_t(i)] = mechanism_.inputs()[std::size_t(i)].limits.clipped(value);
}

void State::set_z(std::span<const double> z) {
  invalidate(Stage::dynamics);
  replace(z_, z, "auxiliary states");
}
void State::set_z(int i, double value) {
  invalidate(Stage::dynamics);
  replace(z_, i, value, "auxiliary states");
}
void State::set_discrete(int i, double value) {
  invalidate(Stage::time);  // what it is used for is not known
  replace(discrete_, i, value, "discrete variables");
}

bool State::is_enabled(int element) const {
  if (element < 0 || element >= int(enabled_.size()))
    throw std::out_of_range(fmt::format("constraint no. {} was requested, but there are {}, loop joints included, from 0",
                                        element, enabled_.size()));
  return enabled_[std::size_t(element)] != 0;
}
void State::enable(int element, bool on) {
  if (is_enabled(element) == on) return;
  invalidate(Stage::time);
  enabled_[std::size_t(element)] = on;
}

const Joint& State::joint_at(int joint) const {
  if (joint < 1 || joint >= mechanism_.num_bodies()) throw_no_body(joint);
  return mechanism_.joints()[std::size_t(joint)];
}

void State::lock(int joint, Drive level) {
  if (level == Drive::forces || level == Drive::fast)
    throw std::invalid_argument(
        fmt::format("a joint cannot be locked at level {}; use position, velocity or acceleration", polhode::name(level)));
  const Joint& j = joint_at(joint);
  invalidate(Stage::time);
  for (int u = j.first_u; u < j.first_u + j.nu; ++u) {
    drives_[std::size_t(u)] = level;
    locked_[std::size_t(u)] = 1;
    if (level == Drive::position) u_[std::size_t(u)] = 0;
  }
}
void State::unlock(int joint) {
  const Joint& j = joint_at(joint);
  invalidate(Stage::time);
  for (int u = j.first_u; u < j.first_u + j.nu; ++u) {
    if (locked_[std::size_t(u)]) drives_[std::size_t(u)] = mechanism_.drives()[std::size_t(u)];
    locked_[std::size_t(u)] = 0;
  }
}
bool State::is_locked(int joint) const {
  const Joint& j = joint_at(joint);
  return j.nu > 0 && locked_[std::size_t(j.first_u)] != 0;
}
void State::set_motion_followed(int joint, bool on) {
  const Joint& j = joint_at(joint);
  invalidate(Stage::time);
  for (int u = j.first_u; u < j.first_u + j.nu; ++u)
    if (!locked_[std::size_t(u)]) drives_[std::size_t(u)] = on ? mechanism_.drives()[std::size_t(u)] : Drive::forces;
}

void State::throw_no_body(int body) const {
  throw std::out_of_range(
      fmt::format("body no. {} was requested, but there are {}, Ground (no. 0) included", body, mechanism_.num_bodies()));
}

bool State::is_current(const RequestedResult& result, Stage needed) const {
  if (!result.made) return false;
  for (int stage = 0; stage <= int(needed); ++stage)
    if (changed_at_[std::size_t(stage)] > result.made_after) return false;
  return true;
}

void State::keep_result(int number, std::span<const double> values) {
  if (requested_.size() <= std::size_t(number)) requested_.resize(std::size_t(count_requested_results(mechanism_)));
  RequestedResult& result = requested_[std::size_t(number)];
  result.values.assign(values.begin(), values.end());
  result.made_after = changes_;
  result.made = true;
}

bool State::has_result(int number, Stage needed) const {
  return std::size_t(number) < requested_.size() && is_current(requested_[std::size_t(number)], needed);
}

int count_requested_results(const Mechanism& mechanism) {
  return RequestedNumber::users + count_cache_entries(mechanism.forces());
}

Transform<double> State::frame_pose(int frame) const {
  const Frame& f = frame_at(mechanism_, frame);
  return pose(f.body) * f.X_BF;
}

Motion<double> State::frame_velocity(int frame) const {
  const Frame& f = frame_at(mechanism_, frame);
  const Motion<double>& V_WB = velocity(f.body);  // first, so that the stage it needs is the one that is told
  return shifted(V_WB, pose(f.body).R * f.X_BF.p);
}

void State::remember(Memory& memory) {
  const auto sizes = [&] {
    return std::vector<std::size_t>{q_.size(),        u_.size(),       applied_forces_.size(), inputs_.size(), z_.size(),
                                    discrete_.size(), enabled_.size(), drives_.size(),         locked_.size()};
  };
  const auto before = sizes();
  memory(time_, q_, u_, applied_forces_, inputs_, z_, discrete_, enabled_, drives_, locked_);
  if (sizes() != before) throw std::runtime_error("the checkpoint belongs to another model");
  if (memory.restores()) invalidate(Stage::time);
}

}  // namespace polhode
