#include "polhode/format/language/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "polhode/format/language/utf8.h"

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

namespace {

std::optional<Mat3<double>> take_axis_angle(Arguments& arguments) {
  const auto axis = arguments.vector();
  const auto angle = arguments.angle("angle", "rad");
  if (!axis || !angle) return std::nullopt;
  if (!has_direction(*axis)) {
    arguments.problem("the axis (0, 0, 0) has no direction; give a nonzero vector, as in (axis-angle 0 1 0 (deg 30))");
    return std::nullopt;
  }
  return rotation_about(normalized(*axis), *angle);
}

/// Three of x, y and z, none of them twice in a row: the twelve sequences that reach every orientation.
bool is_sequence(std::string_view axes) {
  return axes.size() == 3 && axes.find_first_not_of("xyz") == axes.npos && axes[0] != axes[1] && axes[1] != axes[2];
}

std::optional<Mat3<double>> take_euler(Arguments& arguments) {
  const Source place = arguments.at_end() ? arguments.where() : arguments.tree()[arguments.peek()].where;
  const auto word = arguments.free_text("sequence of axes");
  if (!word) return std::nullopt;
  std::string axes = lower_case(*word);
  if (!is_sequence(axes)) {
    arguments.problem(place, fmt::format("{} is not a sequence of axes; write three of x, y and z, no two neighbours the same, "
                                         "such as \"zxz\" or \"xyz\"",
                                         quoted(utf8_prefix(*word, 60))));
    while (!arguments.at_end()) arguments.take();
    return std::nullopt;
  }
  auto angles = arguments.angles("first angle", "second angle", "third angle");
  bool extrinsic = false;
  arguments.options({{"extrinsic", "(extrinsic)", [&](Arguments&) { extrinsic = true; }}});
  if (!angles) return std::nullopt;
  if (extrinsic) {  // about axes that stay: the same turns about moving ones, the last first
    std::swap(axes[0], axes[2]);
    std::swap(angles->x, angles->z);
  }
  return rotation_from_angles(axes.c_str(), {angles->x, angles->y, angles->z});
}

struct OrientationForm {
  std::string_view keyword, usage;
  std::optional<Mat3<double>> (*take)(Arguments&);
};
constexpr std::array<OrientationForm, 5> orientation_forms{{
    {"quat", "(quat w x y z)",
     [](Arguments& a) {
       const auto q = take_quaternion(a);
       return q ? std::optional(rotation(*q)) : std::nullopt;
     }},
    {"rpy", "(rpy roll pitch yaw)",
     [](Arguments& a) {
       const auto angles = a.angles("roll", "pitch", "yaw");
       return angles ? std::optional(rotation_rpy(*angles)) : std::nullopt;
     }},
    {"rotation", "(rotation xx xy xz yx yy yz zx zy zz)", take_matrix},
    {"axis-angle", "(axis-angle x y z angle)", take_axis_angle},
    {"euler", "(euler \"zxz\" first second third [(extrinsic)])", take_euler},
}};

const OrientationForm* next_orientation(const Arguments& arguments) {
  for (const OrientationForm& form : orientation_forms)
    if (arguments.at_form(form.keyword)) return &form;
  return nullptr;
}

}  // namespace

bool at_orientation(const Arguments& arguments) { return next_orientation(arguments) != nullptr; }

std::optional<Mat3<double>> take_orientation(Arguments& arguments) {
  const OrientationForm& form = *next_orientation(arguments);
  Arguments inner(arguments.tree(), arguments.take(), form.usage, arguments.notes());
  inner.set_subject(arguments.subject() + ": " + inner.subject());
  const auto R = form.take(inner);
  inner.finish();
  return R;
}

std::optional<Transform<double>> take_pose_numbers(Arguments& arguments) {
  const auto p = arguments.vector("m");
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
