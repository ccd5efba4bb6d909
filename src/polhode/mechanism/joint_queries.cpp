#include "polhode/mechanism/joint_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {

std::vector<double> zero_coordinates(const JointModel& model) {
  std::vector<double> q(num_coordinates(model));
  std::visit([&](const auto& joint) { joint.zero(q.data()); }, model);
  return q;
}

std::vector<double> generic_coordinates(const JointModel& model, int sample) {
  const std::vector<double> q0 = zero_coordinates(model);
  std::vector<double> q(q0.size()), theta(num_chart_coordinates(model));
  for (size_t i = 0; i < theta.size(); ++i) theta[i] = 0.9 * std::sin(1.0 + 2.3 * double(i) + 1.7 * sample);
  std::visit([&](const auto& joint) { joint.retract(q0.data(), theta.data(), q.data()); }, model);
  return q;
}

Transform<double> pose_at(const JointModel& model, const std::vector<double>& q) {
  return std::visit([&](const auto& joint) { return joint.template X_FM<double>(q.data()); }, model);
}

std::vector<Motion<double>> hinge_columns(const JointModel& model, const std::vector<double>& q) {
  std::vector<Motion<double>> H(num_speeds(model));
  std::visit([&](const auto& joint) { joint.template H_FM<double>(q.data(), H.data()); }, model);
  return H;
}

std::vector<double> coordinates_of_pose(const JointModel& model, const Transform<double>& X_FM) {
  std::vector<double> q(num_coordinates(model));
  std::visit([&](const auto& joint) { joint.read_pose(X_FM, q.data()); }, model);
  return q;
}

std::vector<int> speed_of_coordinate(const JointModel& model) {
  const int nq = num_coordinates(model), nu = num_speeds(model);
  // Row i of N must be the unit vector of one speed. Probing N with every unit speed at two generic places finds out
  // without asking joint types, users' own included, to declare it.
  std::vector<int> speed(nq, -1);
  std::vector<bool> broken(nq, false);
  std::vector<double> u(nu), q_dot(nq);
  for (int sample = 0; sample < 2; ++sample) {
    const std::vector<double> q = generic_coordinates(model, sample);
    for (int k = 0; k < nu; ++k) {
      std::fill(u.begin(), u.end(), 0.0);
      u[k] = 1;
      std::visit([&](const auto& joint) { joint.template N<double>(q.data(), u.data(), q_dot.data()); }, model);
      for (int i = 0; i < nq; ++i) {
        if (q_dot[i] == 0) continue;
        if (q_dot[i] != 1 || (speed[i] >= 0 && speed[i] != k)) broken[i] = true;
        speed[i] = k;
      }
    }
  }
  for (int i = 0; i < nq; ++i)
    if (broken[i]) speed[i] = -1;
  return speed;
}

std::vector<bool> turning_speeds(const JointModel& joint) {
  std::vector<bool> turns(num_speeds(joint), false);
  for (int sample = 0; sample < 2; ++sample) {
    const std::vector<Motion<double>> H = hinge_columns(joint, generic_coordinates(joint, sample));
    for (std::size_t k = 0; k < H.size(); ++k)
      if (H[k].angular.x != 0 || H[k].angular.y != 0 || H[k].angular.z != 0) turns[k] = true;
  }
  return turns;
}

std::string problem_with_parameters(const JointModel& model) {
  if (const auto* screw = std::get_if<Screw>(&model); screw && !std::isfinite(screw->lead))
    return fmt::format("its lead {} must be a finite number", screw->lead);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&model)) {
    const Vec3<double>& a = ellipsoid->semi_axes;
    for (const double length : {a.x, a.y, a.z})
      if (!(std::isfinite(length) && length > 0))
        return fmt::format("its semi-axes ({:g}, {:g}, {:g}) must be positive lengths", a.x, a.y, a.z);
  }
  return {};
}

bool normalize_coordinates(const JointModel& model, double* q) {
  std::vector<double> q0(q, q + num_coordinates(model));
  const std::vector<double> theta(num_chart_coordinates(model), 0.0);
  const bool turns = q0.size() >= 4 && std::visit([](const auto& joint) { return joint.coordinate_suffix(0) == ".qw"; }, model);
  if (turns) {
    // The squares of very large and very small numbers are no numbers to divide by.
    const double size = std::max({std::abs(q0[0]), std::abs(q0[1]), std::abs(q0[2]), std::abs(q0[3])});
    if (size > 0 && !std::isnormal(4 * size * size))
      for (int i = 0; i < 4; ++i) q0[std::size_t(i)] /= size;
  }
  std::visit([&](const auto& joint) { joint.retract(q0.data(), theta.data(), q); }, model);
  return std::all_of(q, q + q0.size(), [](double x) { return std::isfinite(x); });
}

}  // namespace polhode
