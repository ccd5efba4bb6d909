#include "polhode/format/language/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::format {
namespace {

/// Nine numbers by rows. Those of a rotation to the last digits stay as they are, so that what the writer wrote comes back
/// unchanged; those that were rounded to a few digits are replaced by the nearest rotation.
std::optional<Mat3<double>> take_matrix(Arguments& arguments) {
  Mat3<double> R;
  bool complete = true;
  for (int i = 0; i < 9; ++i) {
    const auto entry = arguments.number("an entry of the matrix");
    complete = complete && entry;
    R(i / 3, i % 3) = entry.value_or(0);
  }
  if (!complete) return std::nullopt;
  const double error = orthogonality_error(R);
  if (!(error < 1e-2) || determinant(R) < 0) {
    arguments.problem(fmt::format(
        "these nine numbers are not a rotation: {}; give three perpendicular unit vectors by rows, or use (quat w x y z)",
        error < 1e-2 ? "they mirror space" : "rows are not perpendicular unit vectors"));
    return std::nullopt;
  }
  return error < 1e-9 ? R : nearest_rotation(R);
}

}  // namespace

namespace {

double largest(const Quaternion<double>& a) { return std::max({std::abs(a.w), std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

/// Dividing first keeps the squares of very large and very small numbers finite.
Quaternion<double> scaled_down(const Quaternion<double>& a) {
  const double s = largest(a);
  return {a.w / s, a.x / s, a.y / s, a.z / s};
}
double length(const Quaternion<double>& a) { return largest(a) * std::sqrt(norm_squared(scaled_down(a))); }

}  // namespace

Quaternion<double> unit_quaternion(const Quaternion<double>& a) {
  return std::abs(length(a) - 1) < 4e-16 ? a : normalized(scaled_down(a));
}

std::optional<Quaternion<double>> take_quaternion(Arguments& arguments) {
  const auto w = arguments.number("w"), x = arguments.number("x"), y = arguments.number("y"), z = arguments.number("z");
  if (!(w && x && y && z)) return std::nullopt;
  const Quaternion<double> a{*w, *x, *y, *z};
  if (largest(a) == 0) {
    arguments.problem("a quaternion of zeros has no direction; no rotation is (quat 1 0 0 0)");
    return std::nullopt;
  }
  if (!(std::abs(length(a) - 1) < 1e-2)) {
    arguments.notes().warnings.push_back(
        {fmt::format("{}: the quaternion's length is {:.4g}; it was scaled to 1", arguments.subject(), length(a)),
         arguments.where()});
  }
  return unit_quaternion(a);
}

bool at_orientation(const Arguments& arguments) {
  return arguments.at_form("quat") || arguments.at_form("rpy") || arguments.at_form("rotation");
}

std::optional<Mat3<double>> take_orientation(Arguments& arguments) {
  std::optional<Mat3<double>> R;
  const bool is_quat = arguments.at_form("quat"), is_rpy = arguments.at_form("rpy");
  Arguments inner(arguments.tree(), arguments.take(),
                  is_quat  ? "(quat w x y z)"
                  : is_rpy ? "(rpy roll pitch yaw)"
                           : "(rotation xx xy xz yx yy yz zx zy zz)",
                  arguments.notes());
  inner.set_subject(arguments.subject() + ": " + inner.subject());
  if (is_quat) {
    if (const auto a = take_quaternion(inner)) R = rotation(*a);
  } else if (is_rpy) {
    if (const auto angles = inner.angles("roll", "pitch", "yaw")) R = rotation_rpy(*angles);
  } else {
    R = take_matrix(inner);
  }
  inner.finish();
  return R;
}

std::optional<Transform<double>> take_pose_numbers(Arguments& arguments) {
  const auto p = arguments.vector();
  std::optional<Mat3<double>> R = Mat3<double>::identity();
  if (at_orientation(arguments)) R = take_orientation(arguments);
  return p && R ? std::optional(Transform<double>{*R, *p}) : std::nullopt;
}

std::optional<Transform<double>> take_pose(Arguments& arguments) {
  if (!arguments.at_form("pose")) return take_pose_numbers(arguments);
  Arguments inner(arguments.tree(), arguments.take(), pose_usage, arguments.notes());
  inner.set_subject(arguments.subject() + ": pose");
  const auto X = take_pose_numbers(inner);
  inner.finish();
  return X;
}

}  // namespace polhode::format
