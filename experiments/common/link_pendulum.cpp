#include "link_pendulum.h"

namespace polhode::experiments {

bench::Problem link_pendulum(int links) {
  bench::Problem problem;
  problem.name = links == 1 ? "pendulum" : "pendulum of many links";
  const bench::Triple lower_end{0, 0, -1};
  for (int i = 0; i < links; ++i) {
    bench::Link link;
    link.parent = i - 1;
    if (i > 0) link.joint_at = lower_end;
    link.centre = lower_end;
    link.inertia = {0.1, 0.1, 0.1};
    problem.links.push_back(link);
  }
  problem.links[0].q[0] = link_pendulum_angle;
  problem.energy_scale = bench::standard_gravity * links * (links + 1) / 2.0;
  return problem;
}

}  // namespace polhode::experiments
