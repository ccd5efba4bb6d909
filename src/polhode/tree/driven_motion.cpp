#include "polhode/tree/driven_motion.h"

namespace polhode::tree {

DrivenMotion::DrivenMotion(const State& state) : mechanism_(state.mechanism()) {
  const std::size_t n = std::size_t(mechanism_.num_u());
  signals_.reserve(mechanism_.driven().size());
  orientations_.reserve(mechanism_.orientations().size());
  held_q_.reserve(std::size_t(mechanism_.num_q()));
  held_u_.reserve(n);
  still_.reserve(n);
  drives_.reserve(n);
  for (auto* by_speed : {&driven_, &known_speeds_, &known_positions_}) by_speed->reserve(n);
  set(state);
}

void DrivenMotion::set(const State& state) {
  drives_.assign(state.drives().begin(), state.drives().end());
  signals_.clear();
  orientations_.clear();
  held_q_.clear();
  held_u_.clear();
  still_.clear();
  for (auto* by_speed : {&driven_, &known_speeds_, &known_positions_}) by_speed->clear();
  any_ = false;
  for (const Drive drive : drives_) {
    driven_.push_back(drive != Drive::forces);
    known_speeds_.push_back(drive == Drive::velocity || drive == Drive::position || drive == Drive::fast);
    known_positions_.push_back(drive == Drive::position || drive == Drive::fast);
    any_ |= drive != Drive::forces;
  }
  for (const DrivenSpeed& motion : mechanism_.driven()) {
    const std::size_t u = std::size_t(motion.u);
    if (!state.locked_speeds()[u] && drives_[u] == motion.drive && motion.drive != Drive::fast) signals_.push_back(&motion);
  }
  for (const DrivenOrientation& motion : mechanism_.orientations()) {
    const std::size_t u = std::size_t(mechanism_.joints()[std::size_t(motion.joint)].first_u);
    if (!state.locked_speeds()[u] && drives_[u] == Drive::position) orientations_.push_back(&motion);
  }
  for (int u = 0; u < mechanism_.num_u(); ++u) {
    const Drive drive = drives_[std::size_t(u)];
    const bool locked = state.locked_speeds()[std::size_t(u)] != 0;
    if (locked || drive == Drive::fast) still_.push_back(u);
    if (drive == Drive::fast || (locked && drive == Drive::position)) held_u_.push_back({u, 0.0});
    if (locked && drive == Drive::velocity) held_u_.push_back({u, state.u()[std::size_t(u)]});
  }
  for (const Joint& joint : mechanism_.joints()) {  // a lock takes a whole joint, so its quaternion as well
    const std::size_t u = std::size_t(joint.first_u);
    if (joint.nu == 0 || !state.locked_speeds()[u] || drives_[u] != Drive::position) continue;
    for (int q = joint.first_q; q < joint.first_q + joint.nq; ++q) held_q_.push_back({q, state.q()[std::size_t(q)]});
  }
}

void DrivenMotion::prescribe_q(double t, NumbersOut q) const {
  for (const DrivenSpeed* const motion : signals_)
    if (motion->drive == Drive::position && motion->q >= 0) q[std::size_t(motion->q)] = motion->signal.at(t).value;
  for (const DrivenOrientation* const motion : orientations_)
    put_near(motion->orientation.at(t).q, q.data() + mechanism_.joints()[std::size_t(motion->joint)].first_q);
  for (const Held& held : held_q_) q[std::size_t(held.index)] = held.value;
}

void DrivenMotion::prescribe_u(double t, Numbers, NumbersOut u) const {
  for (const DrivenSpeed* const motion : signals_) {
    if (motion->drive == Drive::position) u[std::size_t(motion->u)] = motion->signal.at(t).rate;
    if (motion->drive == Drive::velocity) u[std::size_t(motion->u)] = motion->signal.at(t).value;
  }
  for (const Held& held : held_u_) u[std::size_t(held.index)] = held.value;
}

void DrivenMotion::accelerations(double t, Numbers, Numbers, NumbersOut u_dot) const {
  for (const DrivenSpeed* const motion : signals_) {
    const Signal::Sample s = motion->signal.at(t);
    u_dot[std::size_t(motion->u)] = motion->drive == Drive::position   ? s.acceleration
                                    : motion->drive == Drive::velocity ? s.rate
                                                                       : s.value;
  }
  for (const int u : still_) u_dot[std::size_t(u)] = 0;
}

}  // namespace polhode::tree
