#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/inverse_dynamics.h"
#include "polhode/study/spline.h"
#include "polhode/tree/chart_move.h"
#include "polhode/tree/dynamics.h"

namespace polhode::study {
namespace {

void require_table(const std::vector<double>& table, std::size_t samples, std::size_t width, const char* what) {
  if (table.size() != samples * width)
    throw std::invalid_argument(fmt::format("trajectory: {} {} given, {} needed", table.size(), what, samples * width));
  for (std::size_t i = 0; i < table.size(); ++i)
    if (!std::isfinite(table[i]))
      throw std::invalid_argument(fmt::format("trajectory: one of the {} at sample {} is not finite", what, i / width + 1));
}

void validate(const Trajectory& trajectory, const Mechanism& m, const std::optional<double>& cutoff) {
  const std::size_t samples = trajectory.times.size();
  if (samples < 3) throw std::invalid_argument(fmt::format("trajectory: {} samples, at least 3 are needed", samples));
  for (std::size_t i = 0; i < samples; ++i)
    if (!std::isfinite(trajectory.times[i]) || (i > 0 && !(trajectory.times[i - 1] < trajectory.times[i])))
      throw std::invalid_argument(fmt::format("trajectory: times must be finite and increase; see sample {}", i + 1));
  if (cutoff && !(std::isfinite(*cutoff) && *cutoff > 0))
    throw std::invalid_argument(fmt::format("cutoff {} must be a finite frequency above 0", *cutoff));
  require_table(trajectory.q, samples, std::size_t(m.num_q()), "coordinates");
  if (!trajectory.u.empty()) require_table(trajectory.u, samples, std::size_t(m.num_u()), "speeds");
  if (!trajectory.u_dot.empty()) require_table(trajectory.u_dot, samples, std::size_t(m.num_u()), "accelerations");
}

/// q and -q are the same rotation: each sample takes the sign that is nearer to the one before.
void join_quaternions(Trajectory& trajectory, const Mechanism& m) {
  const std::size_t width = std::size_t(m.num_q());
  for (const Joint& joint : m.joints()) {
    const std::vector<int> speeds = speed_of_coordinate(joint.model);
    if (joint.nq < 4 || std::holds_alternative<Custom>(joint.model)) continue;
    if (std::any_of(speeds.begin(), speeds.begin() + 4, [](int u) { return u >= 0; })) continue;
    for (std::size_t i = 1; i < trajectory.times.size(); ++i) {
      double* const a = trajectory.q.data() + i * width + std::size_t(joint.first_q);
      const double* const before = a - width;
      if (a[0] * before[0] + a[1] * before[1] + a[2] * before[2] + a[3] * before[3] < 0)
        for (int k = 0; k < 4; ++k) a[k] = -a[k];
    }
  }
}

/// Splines through one column after the other of a table; with derivatives where these are asked for.
void fit(const std::vector<double>& times, std::vector<double>& table, std::size_t width, const std::optional<double>& cutoff,
         std::vector<double>* first, std::vector<double>* second) {
  std::vector<double> column(times.size());
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < times.size(); ++i) column[i] = table[i * width + k];
    const Spline spline(times, column, cutoff);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Spline::Value v = spline.at(times[i]);
      if (cutoff) table[i * width + k] = v.value;
      if (first != nullptr) (*first)[i * width + k] = v.first;
      if (second != nullptr) (*second)[i * width + k] = v.second;
    }
  }
}

}  // namespace

void complete(Trajectory& trajectory, const Mechanism& m, std::optional<double> cutoff) {
  validate(trajectory, m, cutoff);
  const std::size_t nq = std::size_t(m.num_q()), n = std::size_t(m.num_u()), samples = trajectory.times.size();
  join_quaternions(trajectory, m);
  std::vector<double> q_dot(samples * nq), q_dot_dot(samples * nq);
  const bool rates_wanted = trajectory.u.empty(), accelerations_wanted = trajectory.u_dot.empty();
  if (rates_wanted || cutoff) fit(trajectory.times, trajectory.q, nq, cutoff, &q_dot, &q_dot_dot);
  for (std::size_t i = 0; cutoff && i < samples; ++i)
    for (const Joint& joint : m.joints())
      normalize_coordinates(joint.model, trajectory.q.data() + i * nq + std::size_t(joint.first_q));

  std::vector<double> slope(samples * n);
  if (rates_wanted) {
    trajectory.u.resize(samples * n);
    for (std::size_t i = 0; i < samples; ++i)
      tree::speeds_of_rates(m, std::span(trajectory.q).subspan(i * nq, nq), std::span(q_dot).subspan(i * nq, nq),
                            std::span(trajectory.u).subspan(i * n, n));
    if (accelerations_wanted) fit(trajectory.times, trajectory.u, n, {}, &slope, nullptr);
  } else if (accelerations_wanted || cutoff) {
    fit(trajectory.times, trajectory.u, n, cutoff, &slope, nullptr);
  }
  if (!accelerations_wanted) {
    if (cutoff) fit(trajectory.times, trajectory.u_dot, n, cutoff, nullptr, nullptr);
    return;
  }
  trajectory.u_dot = std::move(slope);
  if (!rates_wanted) return;
  // Where speeds are the coordinates' own rates, the second derivative of the one spline is the better one.
  const std::vector<int> speeds = tree::speeds_of_coordinates(m);
  for (std::size_t q = 0; q < nq; ++q)
    for (std::size_t i = 0; speeds[q] >= 0 && i < samples; ++i)
      trajectory.u_dot[i * n + std::size_t(speeds[q])] = q_dot_dot[i * nq + q];
}

}  // namespace polhode::study
