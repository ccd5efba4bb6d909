#include "polhode/projected/maximal/singular_force.h"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/maximal/tree_map.h"
#include "polhode/mechanism/forces/force_loads.h"

namespace polhode::projected {
namespace {

std::vector<Transform<double>> poses_of(const Mechanism& mechanism, const maximal::Bodies& bodies) {
  std::vector<Transform<double>> X_WB;
  for (int b = 0; b < mechanism.num_bodies(); ++b) X_WB.push_back(maximal::pose_of_body(mechanism, b, bodies[std::size_t(b)]));
  return X_WB;
}

/// How near every force is to where it is singular, always in the same order.
std::vector<NearSingularity> singularities(const Mechanism& mechanism, const maximal::Bodies& bodies) {
  const std::vector<Transform<double>> X_WB = poses_of(mechanism, bodies);
  const std::vector<Motion<double>> at_rest(X_WB.size());
  const Now now = mechanism.initial_now();
  const Configuration at{mechanism, 0, {}, {}, X_WB, at_rest, now.z, now.discrete, now.inputs};
  std::vector<NearSingularity> near;
  mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (LineForceType<F>) {
      const double length = norm(origin_of(at, f.frame_b).p - origin_of(at, f.frame_a).p);
      near.push_back({length, f.usual_length(), F::keyword, f.frame_a.frame, f.frame_b.frame, NearSingularity::Of::frames});
    } else if constexpr (BodyForceType<F>) {
      f.add_singularities(at, near);
    }
  });
  return near;
}

std::string words_for(const Mechanism& mechanism, const NearSingularity& near) {
  if (near.of == NearSingularity::Of::frames)
    return fmt::format("the {} from \"{}\" to \"{}\" is {:.3g} m long, and at length 0 it has no direction", near.words,
                       mechanism.frames()[std::size_t(near.a)].name, mechanism.frames()[std::size_t(near.b)].name,
                       near.distance);
  return fmt::format("bodies \"{}\" and \"{}\" {} at {:.3g} m, without limit at distance 0",
                     mechanism.bodies()[std::size_t(near.a)].name, mechanism.bodies()[std::size_t(near.b)].name, near.words,
                     near.distance);
}

}  // namespace

std::string singular_force(const Mechanism& mechanism, const maximal::Bodies& at, const maximal::Bodies& start) {
  const std::vector<NearSingularity> now = singularities(mechanism, at), before = singularities(mechanism, start);
  double nearest = 1e-3;
  std::string words;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double usual = std::max(now[i].usual, before[i].distance);
    if (!(now[i].distance < nearest * usual)) continue;
    nearest = now[i].distance / usual;
    words = words_for(mechanism, now[i]);
  }
  return words;
}

}  // namespace polhode::projected
