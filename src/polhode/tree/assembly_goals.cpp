#include "polhode/tree/assembly_goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/spatial/exponential.h"

namespace polhode::tree {
namespace {

void require_index(int index, std::size_t count, const char* what) {
  if (index < 0 || std::size_t(index) >= count)
    throw std::invalid_argument(fmt::format("a goal names {} no. {}, but there are {}, counted from 0", what, index, count));
}
bool finite(const Vec3<double>& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
void require_goal(bool finite_target, double weight, const std::string& what) {
  if (!finite_target) throw std::invalid_argument(fmt::format("the goal of {} is not finite", what));
  if (!(weight >= 0) || !std::isfinite(weight))
    throw std::invalid_argument(fmt::format("the goal of {}: weight {} must be a finite number, 0 or more", what, weight));
}

void put_rows(NumbersOut rows, int n, int column, const Vec3<double>& a) {
  rows[column] = a.x, rows[n + column] = a.y, rows[2 * n + column] = a.z;
}

void point_rows(Workspace& w, const PointGoal& goal, NumbersOut r, NumbersOut values, NumbersOut scratch) {
  const Frame& frame = w.mechanism().frames()[goal.frame];
  const double root = std::sqrt(goal.weight);
  const Vec3<double> p_BQ = frame.X_BF * goal.point;
  const Vec3<double> e = root * (pose(w, frame.body) * p_BQ - goal.target);
  r[0] = e.x, r[1] = e.y, r[2] = e.z;
  if (values.empty()) return;
  point_jacobian(w, frame.body, p_BQ, scratch);
  const std::size_t n = std::size_t(w.mechanism().num_u());
  for (std::size_t i = 0; i < 3 * n; ++i) values[i] = root * scratch[3 * n + i];
}

/// e = log(R_WF R_target^T), so that de/dt = dexp^-1(e) w with the frame's angular velocity w in Ground.
void orientation_rows(Workspace& w, const OrientationGoal& goal, NumbersOut r, NumbersOut values, NumbersOut scratch) {
  const Frame& frame = w.mechanism().frames()[goal.frame];
  const double root = std::sqrt(goal.weight);
  const Mat3<double> R_WF = pose(w, frame.body).R * frame.X_BF.R;
  const Vec3<double> e = log_rotation(R_WF * transpose(goal.target));
  r[0] = root * e.x, r[1] = root * e.y, r[2] = root * e.z;
  if (values.empty()) return;
  frame_jacobian(w, goal.frame, scratch);
  const int n = w.mechanism().num_u();
  for (int u = 0; u < n; ++u) put_rows(values, n, u, root * dexp_inverse(e, {scratch[u], scratch[n + u], scratch[2 * n + u]}));
}

void coordinate_row(const Mechanism& m, const CoordinateGoal& goal, Numbers q, double& r, NumbersOut values) {
  const double root = std::sqrt(goal.weight);
  r = root * (q[goal.q] - goal.target);
  if (values.empty()) return;
  std::fill(values.begin(), values.end(), 0.0);
  for (const Joint& joint : m.joints()) {
    if (goal.q < joint.first_q || goal.q >= joint.first_q + joint.nq) continue;
    for (int k = 0; k < joint.nu; ++k) {
      double speeds[CustomJoint::max_coordinates] = {}, rates[CustomJoint::max_coordinates] = {};
      speeds[k] = 1;
      std::visit([&](const auto& model) { model.N(q.data() + joint.first_q, speeds, rates); }, joint.model);
      values[joint.first_u + k] = root * rates[goal.q - joint.first_q];
    }
  }
}

}  // namespace

void validate(const Goals& goals, const Mechanism& m) {
  for (const PointGoal& g : goals.points) {
    require_index(g.frame, m.frames().size(), "frame");
    require_goal(finite(g.target) && finite(g.point), g.weight, fmt::format("frame \"{}\"", m.frames()[g.frame].name));
  }
  for (const OrientationGoal& g : goals.orientations) {
    require_index(g.frame, m.frames().size(), "frame");
    require_goal(finite(g.target.col[0]) && finite(g.target.col[1]) && finite(g.target.col[2]), g.weight,
                 fmt::format("frame \"{}\"", m.frames()[g.frame].name));
  }
  for (const CoordinateGoal& g : goals.coordinates) {
    require_index(g.q, m.coordinate_names().size(), "coordinate");
    require_goal(std::isfinite(g.target), g.weight, fmt::format("coordinate \"{}\"", m.coordinate_names()[g.q]));
  }
}

void goal_errors(Workspace& w, const Goals& goals, Numbers q, NumbersOut r, NumbersOut values, NumbersOut scratch) {
  const std::size_t n = std::size_t(w.mechanism().num_u());
  std::size_t row = 0;
  const auto part = [&](std::size_t rows) { return values.empty() ? values : values.subspan(row * n, rows * n); };
  for (const PointGoal& goal : goals.points) {
    point_rows(w, goal, r.subspan(row, 3), part(3), scratch);
    row += 3;
  }
  for (const OrientationGoal& goal : goals.orientations) {
    orientation_rows(w, goal, r.subspan(row, 3), part(3), scratch);
    row += 3;
  }
  for (const CoordinateGoal& goal : goals.coordinates) {
    coordinate_row(w.mechanism(), goal, q, r[row], part(1));
    row += 1;
  }
}

}  // namespace polhode::tree
