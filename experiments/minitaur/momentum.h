#pragma once
#include <algorithm>

#include "../../bench/step/run.h"

/// Momenta that nothing outside changes while a mechanism is in the air.
namespace polhode::experiments {

/// By how much they changed since the start, at most.
struct MomentumChange {
  double horizontal = 0;  ///< linear, across gravity [kg m/s]
  double vertical = 0;    ///< angular, about the line along gravity through the origin [kg m^2/s]
  double spin = 0;        ///< angular, about the centre of mass [kg m^2/s]
};

inline MomentumChange momentum_change(const bench::Problem& problem, const bench::Course& course) {
  using bench::operator+;
  using bench::operator-;
  using bench::operator*;
  using bench::Triple;
  const Triple up = (-1 / bench::length(problem.gravity)) * problem.gravity;
  const auto across = [&](std::size_t k) { return course.momentum[k] - bench::dot(up, course.momentum[k]) * up; };
  const auto about_vertical = [&](std::size_t k) {
    double mass = 0;
    Triple moment{};
    for (std::size_t i = 0; i < course.links; ++i) {
      mass += problem.links[i].mass;
      moment = moment + problem.links[i].mass * course.centres[k][i];
    }
    return bench::dot(up, course.spin[k] + bench::cross((1 / mass) * moment, course.momentum[k]));
  };
  MomentumChange change;
  for (std::size_t k = 1; k < course.size(); ++k) {
    change.horizontal = std::max(change.horizontal, bench::length(across(k) - across(0)));
    change.vertical = std::max(change.vertical, std::abs(about_vertical(k) - about_vertical(0)));
    change.spin = std::max(change.spin, bench::length(course.spin[k] - course.spin[0]));
  }
  return change;
}

}  // namespace polhode::experiments
