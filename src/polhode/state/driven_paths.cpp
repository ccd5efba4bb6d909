#include "polhode/state/driven_paths.h"

#include <algorithm>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/signal_integral.h"

namespace polhode {

Turning turning_of(const JointModel& model) {
  if (std::holds_alternative<LineOrientation>(model) || std::holds_alternative<FreeLine>(model)) return Turning::in_M;
  const bool in_F =
      std::holds_alternative<Ball>(model) || std::holds_alternative<Free>(model) || std::holds_alternative<Ellipsoid>(model);
  return in_F ? Turning::in_F : Turning::none;
}

void turn_quaternion(const JointModel& model, const double* q0, const Vec3<double>& theta, double* q) {
  turning_of(model) == Turning::in_M ? turn_in_M(q0, theta, q) : turn_in_F(q0, theta, q);
}

Vec3<double> turn_between(const JointModel& model, const double* q0, const double* q) {
  const Quaternion<double> from = quaternion_at(q0), to = quaternion_at(q);
  return log_rotation(turning_of(model) == Turning::in_M ? conjugate(from) * to : to * conjugate(from));
}

std::vector<char> lockable_joints(const Mechanism& mechanism) {
  std::vector<char> lockable(std::size_t(mechanism.num_bodies()), 0);
  for (const InitialLock& lock : mechanism.initial_locks()) lockable[std::size_t(lock.joint)] = 1;
  for (const EventSpec& event : mechanism.description().events())
    for (const ActionSpec& action : event.actions)
      if (const auto* lock = std::get_if<LockAction>(&action.model); lock && lock->on)
        lockable[std::size_t(mechanism.joint(lock->joint))] = 1;
  return lockable;
}

DrivenPaths::DrivenPaths(const Mechanism& mechanism) : mechanism_(mechanism) {
  const std::size_t n = std::size_t(mechanism.num_u());
  coordinate_.assign(n, -1);
  signals_.assign(n, nullptr);
  for (auto* by_speed : {&driven_, &locked_}) by_speed->assign(n, 0);
  paths_.resize(n);
  speeds_.reserve(n);
  q_.resize(std::size_t(mechanism.num_q()));
  speed_.resize(n);
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism_.joints()[std::size_t(b)];
    const std::vector<int> speed = speed_of_coordinate(joint.model);
    for (std::size_t i = 0; i < speed.size(); ++i)
      if (speed[i] >= 0) coordinate_[std::size_t(joint.first_u + speed[i])] = joint.first_q + int(i);
    if (turning_of(joint.model) != Turning::none) turning_joints_.push_back(b);
  }
  orientations_.reserve(mechanism_.orientations().size());
  for (const DrivenSpeed& motion : mechanism_.driven()) signals_[std::size_t(motion.u)] = &motion.signal;
  set(State(mechanism));
}

void DrivenPaths::set(const State& state) {
  t_ = state.time();
  std::copy(state.q().begin(), state.q().end(), q_.begin());
  std::copy(state.u().begin(), state.u().end(), speed_.begin());
  speeds_.clear();
  at_rest_ = true;
  for (int k = 0; k < mechanism_.num_u(); ++k) {
    const std::size_t u = std::size_t(k);
    const Drive level = state.drives()[u];
    const bool driven = level != Drive::forces && level != Drive::fast;
    locked_[u] = driven && state.locked_speeds()[u] != 0;
    driven_[u] = driven;
    paths_[u] = driven ? Path{level, locked_[u] ? nullptr : signals_[u]} : Path{};
    if (!driven) continue;
    speeds_.push_back(k);
    const bool still =
        paths_[u].signal ? level == Drive::position && paths_[u].signal->is_constant() : level == Drive::position;
    at_rest_ = at_rest_ && still;
  }
  orientations_.clear();
  for (const DrivenOrientation& motion : mechanism_.orientations()) {
    const std::size_t u = std::size_t(mechanism_.joints()[std::size_t(motion.joint)].first_u);
    if (driven_[u] && !locked_[u]) orientations_.push_back(&motion);
  }
}

bool follows_orientation(const Mechanism& mechanism, int joint) {
  return std::any_of(mechanism.orientations().begin(), mechanism.orientations().end(),
                     [&](const DrivenOrientation& driven) { return driven.joint == joint; });
}

Signal::Sample DrivenPaths::at(int k, double t) const {
  const std::size_t u = std::size_t(k);
  const Path& path = paths_[u];
  const double from = coordinate_[u] < 0 ? 0 : q_[std::size_t(coordinate_[u])];
  if (path.signal == nullptr) {
    const double speed = path.level == Drive::position ? 0 : speed_[u];
    return {from + (t - t_) * speed, speed, 0};
  }
  const Signal::Sample s = path.signal->at(t);
  if (path.level == Drive::position) return s;
  const SignalIntegrals sums = t == t_ ? SignalIntegrals{} : integrals(*path.signal, t_, t);
  if (path.level == Drive::velocity) return {from + sums.first, s.value, s.rate};
  return {from + (t - t_) * speed_[u] + sums.second, speed_[u] + sums.first, s.value};
}

void DrivenPaths::put_speeds(double t, std::span<double> u) const {
  for (const int k : speeds_) u[std::size_t(k)] = at(k, t).rate;
}

void DrivenPaths::put_coordinates(double t, std::span<double> q) const {
  for (const int k : speeds_)
    if (const int i = coordinate(k); i >= 0) q[std::size_t(i)] = at(k, t).value;
  for (const DrivenOrientation* motion : orientations_)
    put_near(motion->orientation.at(t).q, q.data() + mechanism_.joints()[std::size_t(motion->joint)].first_q);
}

void DrivenPaths::put_quaternion_of(int b, double t, double* q) const {
  for (const DrivenOrientation* motion : orientations_)
    if (motion->joint == b) return put_quaternion(motion->orientation.at(t).q, q);
  const Joint& joint = mechanism_.joints()[std::size_t(b)];
  const auto turn = [&](int i) { return i < joint.nu ? at(joint.first_u + i, t).value : 0.0; };
  const bool line = turning_of(joint.model) == Turning::in_M;
  turn_quaternion(joint.model, q_.data() + joint.first_q, {turn(0), turn(1), line ? 0.0 : turn(2)}, q);
}

void DrivenPaths::advance(double t) {
  if (speeds_.empty() || t == t_) return;
  for (const int b : turning_joints_) {
    const Joint& joint = mechanism_.joints()[std::size_t(b)];
    const std::size_t u = std::size_t(joint.first_u);
    if (locked_[u] && paths_[u].level != Drive::position) put_quaternion_of(b, t, q_.data() + joint.first_q);
  }
  for (const int k : speeds_) {  // a speed reads its own place only
    const Signal::Sample now = at(k, t);
    if (const int i = coordinate(k); i >= 0) q_[std::size_t(i)] = now.value;
    speed_[std::size_t(k)] = now.rate;
  }
  t_ = t;
}

}  // namespace polhode
