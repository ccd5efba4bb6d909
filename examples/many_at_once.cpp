// Forward dynamics of as many copies of a mechanism as a SIMD register has lanes, each with its own state, in one call.
//
//   $ build/examples/many_at_once
//   8 copies at once agree with one at a time to 3.6e-15 rad/s^2      (4 with AVX2, 2 without either)
#include <cmath>
#include <cstdio>
#include <vector>

#include "polhode/polhode.h"

int main() {
  using namespace polhode;
  const Mechanism mechanism = format::read_model(R"((system
      (rz "yaw" (mass 2 0.1 0.1 0.1)
        (ry "pitch" (mass 1 0.2 0.2 0.1)
          (tz -0.5 (ry "elbow" (tz -0.3 (mass 1 0.1 0.1 0.1))))))))",
                                                 "arm")
                                  .mechanism;
  tree::BatchWorkspace pack(mechanism);
  tree::Workspace one(mechanism);
  const int n = mechanism.num_u(), width = pack.width();

  std::vector<double> q(n * width), u(n * width), tau(n * width), a(n * width);
  for (int i = 0; i < n * width; ++i) q[i] = std::sin(0.3 * i), u[i] = std::cos(0.7 * i), tau[i] = 0.1 * std::sin(i);
  tree::forward_dynamics(pack, q, u, tau, a);

  double worst = 0;
  for (int copy = 0; copy < width; ++copy) {
    std::vector<double> q1(n), u1(n), tau1(n), a1(n);
    for (int i = 0; i < n; ++i) q1[i] = q[i * width + copy], u1[i] = u[i * width + copy], tau1[i] = tau[i * width + copy];
    tree::forward_dynamics(one, q1, u1, tau1, a1);
    for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::abs(a1[i] - a[i * width + copy]));
  }
  std::printf("%d copies at once agree with one at a time to %.1e rad/s^2\n", width, worst);
  return worst < 1e-12 ? 0 : 1;
}
