#pragma once
#include <vector>

namespace polhode {

class Mechanism;

/// A result that a State computes on request and keeps (State::on_request).
struct RequestedResult {
  std::vector<double> values{};
  unsigned long made_after = 0;  ///< so many changes of the State
  bool made = false;
};

/// Which one it is. Users' elements have numbers from `users` on, in the order of their cache entries (force_element.h).
struct RequestedNumber {
  enum : int {
    constraint_errors,
    velocity_errors,
    joint_reactions,
    constraint_reactions,
    element_forces,
    element_powers,
    work,
    users
  };
};
/// Of a mechanism's States.
int count_requested_results(const Mechanism& mechanism);

}  // namespace polhode
