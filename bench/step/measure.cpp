#include "measure.h"

#include <algorithm>

namespace polhode::bench {
namespace {

double weighted_square(const Triple& weights, const Triple& a) {
  return weights[0] * a[0] * a[0] + weights[1] * a[1] * a[1] + weights[2] * a[2] * a[2];
}

Triple point_of(const Problem& problem, const std::vector<BodyState>& bodies, int link, const Triple& p) {
  if (link == world) return p;
  return bodies[link].centre + rotated(bodies[link].R, p - problem.links[link].centre);
}

}  // namespace

double energy(const Problem& problem, const std::vector<BodyState>& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = problem.links[i];
    const BodyState& body = bodies[i];
    sum += link.mass * gravity * body.centre[2] + link.mass * weighted_square({1, 1, 1}, body.velocity) / 2 +
           weighted_square(link.inertia, rotated_back(body.R, body.omega)) / 2;
  }
  return sum;
}

double largest_gap(const Problem& problem, const std::vector<BodyState>& bodies) {
  double largest = 0;
  for (const Closure& closure : problem.closures) {
    const Triple gap =
        point_of(problem, bodies, closure.link_a, closure.p_a) - point_of(problem, bodies, closure.link_b, closure.p_b);
    largest = std::max(largest, std::hypot(gap[0], gap[2]));
  }
  return largest;
}

}  // namespace polhode::bench
