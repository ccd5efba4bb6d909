#include "polhode/projected/maximal/singular_force.h"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/maximal/tree_map.h"

namespace polhode::projected {
namespace {

Vec3<double> place_of(const Mechanism& mechanism, const maximal::Bodies& at, int frame) {
  const Frame& f = mechanism.frames()[std::size_t(frame)];
  return maximal::pose_of_body(mechanism, f.body, at[std::size_t(f.body)]) * f.X_BF.p;
}

}  // namespace

std::string singular_force(const Mechanism& mechanism, const maximal::Bodies& at, const maximal::Bodies& start) {
  double nearest = 1e-3;
  std::string words;
  const auto look_at = [&](double length, double usual, const auto& describe) {
    if (!(length < nearest * usual)) return;
    nearest = length / usual;
    words = describe();
  };
  const auto look_at_spring = [&](const auto& spring) {
    const auto length = [&](const maximal::Bodies& bodies) {
      return norm(place_of(mechanism, bodies, spring.frame_b) - place_of(mechanism, bodies, spring.frame_a));
    };
    look_at(length(at), std::max(spring.rest, length(start)), [&] {
      return fmt::format("the spring from \"{}\" to \"{}\" is {:.3g} m long, and at length 0 it has no direction",
                         mechanism.frames()[std::size_t(spring.frame_a)].name,
                         mechanism.frames()[std::size_t(spring.frame_b)].name, length(at));
    });
  };
  const Forces& forces = mechanism.forces();
  std::for_each(forces.point_springs.begin(), forces.point_springs.end(), look_at_spring);
  std::for_each(forces.nonlinear_springs.begin(), forces.nonlinear_springs.end(), look_at_spring);
  for (const MutualAttraction& attraction : forces.attractions)
    for (const int a : attraction.bodies)
      for (const int b : attraction.bodies) {
        if (b <= a) continue;
        const auto distance = [&](const maximal::Bodies& bodies) {
          return norm(bodies[std::size_t(b)].x - bodies[std::size_t(a)].x);
        };
        look_at(distance(at), distance(start), [&] {
          return fmt::format("bodies \"{}\" and \"{}\" attract each other at {:.3g} m, without limit at distance 0",
                             mechanism.bodies()[std::size_t(a)].name, mechanism.bodies()[std::size_t(b)].name, distance(at));
        });
      }
  return words;
}

}  // namespace polhode::projected
