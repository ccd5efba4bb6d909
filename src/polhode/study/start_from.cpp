#include "polhode/study/start_from.h"

#include <algorithm>

#include "polhode/tree/chart_move.h"

namespace polhode::study {

MechanismBuilder start_from(const State& state) {
  const Mechanism& m = state.mechanism();
  MechanismBuilder builder = m.description();
  builder.clear_initial();
  const std::vector<int> speeds = tree::speeds_of_coordinates(m);
  // What follows a signal starts as that says.
  std::vector<char> given_q(std::size_t(m.num_q()), 0), given_u(std::size_t(m.num_u()), 0);
  for (const DrivenOrientation& driven : m.orientations()) {
    const Joint& joint = m.joints()[std::size_t(driven.joint)];
    std::fill_n(given_q.begin() + joint.first_q, 4, char(1));
    std::fill_n(given_u.begin() + joint.first_u, 3, char(1));
  }
  for (int q = 0; q < m.num_q(); ++q) {
    const int u = speeds[std::size_t(q)];
    if (given_q[std::size_t(q)] || (u >= 0 && m.is_kinematic(u))) continue;
    InitialValue initial{.coordinate = m.coordinate_names()[std::size_t(q)], .value = state.q()[std::size_t(q)]};
    if (u >= 0) initial.speed = state.u()[std::size_t(u)];
    builder.set_initial(std::move(initial));
  }
  for (int u = 0; u < m.num_u(); ++u)
    if (!given_u[std::size_t(u)] && std::find(speeds.begin(), speeds.end(), u) == speeds.end())
      builder.set_initial({.coordinate = m.speed_names()[std::size_t(u)], .value = {}, .speed = state.u()[std::size_t(u)]});
  return builder;
}

}  // namespace polhode::study
