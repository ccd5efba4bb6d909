#include "lift.h"

#include <algorithm>
#include <cmath>

namespace polhode::experiments {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int slider = 0, uppermost = 1;  // links of bench::scissor_lift

/// Both links of a segment cross at their centres.
std::vector<bench::Triple> centres_at(const bench::ExactLift& lift, double x) {
  const double depth = std::sqrt(std::max(0.0, lift.length * lift.length - x * x));  // of one segment
  std::vector<bench::Triple> centres{{x, 0, 0}};
  for (int segment = 0; segment < lift.segments; ++segment) {
    centres.insert(centres.end(), 2, {x / 2, 0, -(segment + 0.5) * depth});
  }
  return centres;
}

}  // namespace

bench::Course exact_course(const bench::ExactLift& lift, double interval, int samples) {
  const std::vector<double> x = lift.slider_positions(interval, samples);
  bench::Course course{.links = std::size_t(2 * lift.segments + 1)};
  const auto add = [&](int k, double at) {
    course.t.push_back(k * interval);
    course.energy.push_back(0);
    course.gap.push_back(0);
    course.tilt.push_back(0);
    course.centres.push_back(centres_at(lift, at));
  };
  add(0, lift.length * std::cos(lift.start_angle));
  for (int k = 1; k <= samples; ++k) add(k, x[std::size_t(k - 1)]);
  return course;
}

std::vector<double> angles(const bench::Course& course) {
  std::vector<double> result;
  for (const auto& centres : course.centres) {
    double angle = std::atan2(-centres[uppermost][2], centres[uppermost][0]);
    if (!result.empty()) angle += 2 * pi * std::round((result.back() - angle) / (2 * pi));
    result.push_back(angle);
  }
  return result;
}

SliderError slider_error(const bench::Course& course, const bench::Course& exact) {
  constexpr double lost = 0.05;  // [m]
  SliderError error;
  const std::size_t samples = std::min(course.size(), exact.size());
  double sum = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const double off = std::abs(course.centres[k][slider][0] - exact.centres[k][slider][0]);
    sum += off * off;
    error.largest = std::max(error.largest, off);
    if (off > lost && !error.left) error.left = course.t[k];
  }
  if (samples > 0) error.rms = std::sqrt(sum / double(samples));
  return error;
}

std::vector<double> passages(const bench::Course& course) {
  std::vector<double> times;
  for (std::size_t k = 1; k < course.size(); ++k) {
    const double before = course.centres[k - 1][slider][0], now = course.centres[k][slider][0];
    if ((before < 0) == (now < 0)) continue;
    times.push_back(course.t[k - 1] + (course.t[k] - course.t[k - 1]) * before / (before - now));
  }
  return times;
}

}  // namespace polhode::experiments
