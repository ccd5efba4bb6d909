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
    throw std::out_of_range(fmt::format("no. {} was asked for, but there are {} {}, counted from 0", i, values.size(), what));
  values[i] = by;
}

const Frame& frame_at(const Mechanism& mechanism, int i) {
  const auto& frames = mechanism.frames();
  if (i < 0 || i >= int(frames.size()))
    throw std::out_of_range(fmt::format("frame no. {} was asked for, but there are {}, counted from 0", i, frames.size()));
  return frames[std::size_t(i)];
}

}  // namespace

State::State(const Mechanism& mechanism)
    : mechanism_(mechanism), q_(mechanism.initial_q()), u_(mechanism.initial_u()), applied_forces_(mechanism.num_u(), 0.0) {
  const std::size_t bodies = std::size_t(mechanism.num_bodies());
  results_.X_WB.resize(bodies);
  results_.V_WB.resize(bodies);
  results_.A_WB.resize(bodies);
  results_.wrenches.resize(bodies);
  results_.q_dot.resize(q_.size());
  results_.generalized_forces.resize(u_.size());
  results_.u_dot.resize(u_.size());
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

void State::throw_no_body(int body) const {
  throw std::out_of_range(
      fmt::format("body no. {} was asked for, but there are {}, Ground (no. 0) included", body, mechanism_.num_bodies()));
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

}  // namespace polhode
