#include "polhode/mechanism/joint_placement.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>

#include "polhode/mechanism/joint_queries.h"

namespace polhode {
namespace {

// Rotations that were written with six digits are taken as meant; anything worse is a mistake.
constexpr double largest_rotation_error = 1e-5;
constexpr double largest_perpendicular_error = 1e-6;

std::string text(const Vec3<double>& v) { return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z); }

using Report = std::function<void(std::string)>;

bool has_direction(const Vec3<double>& v, const char* what, const Report& report) {
  if (!is_finite(v)) {
    report(fmt::format("{} {} must be three finite numbers", what, text(v)));
  } else if (!polhode::has_direction(v)) {
    report(fmt::format("{} {} has no direction; give a nonzero vector, e.g. ({} 0 1 0)", what, text(v), what));
  } else {
    return true;
  }
  return false;
}

Mat3<double> universal_axes(const DrawnPlacement& drawn, const Report& report) {
  if (!drawn.axis || !drawn.axis2) {
    report(
        fmt::format("a universal joint needs {}; give {}, e.g. (axis 1 0 0) (axis2 0 1 0), the first fixed in the parent, the "
                    "second in the child",
                    drawn.axis    ? "a second axis"
                    : drawn.axis2 ? "a first axis"
                                  : "two axes",
                    drawn.axis    ? "axis2"
                    : drawn.axis2 ? "axis"
                                  : "both"));
    return Mat3<double>::identity();
  }
  const bool first = has_direction(*drawn.axis, "axis", report);
  if (!has_direction(*drawn.axis2, "axis2", report) || !first) return Mat3<double>::identity();
  const Vec3<double> x = normalized(*drawn.axis), y = normalized(*drawn.axis2);
  if (std::abs(dot(x, y)) > largest_perpendicular_error) {
    const double degrees = 180 / pi * std::acos(std::clamp(dot(x, y), -1.0, 1.0));
    report(
        fmt::format("axis {} and axis2 {} make an angle of {:.6g} degrees; the axes of a universal joint must be perpendicular",
                    text(*drawn.axis), text(*drawn.axis2), degrees));
    return Mat3<double>::identity();
  }
  return rotation_with_xy(x, y);
}

/// R_WF in the drawing.
Mat3<double> drawn_axes(std::string_view type, const DrawnPlacement& drawn, const Report& report) {
  if (type == "universal") return universal_axes(drawn, report);
  if (drawn.axis2) report(fmt::format("axis2 is for universal joints; a {} joint has no use for it", type));
  if (!drawn.axis) {
    if (needs_axis(type)) report(fmt::format("a {} joint needs an axis; give one, e.g. (axis 0 1 0)", type));
    return Mat3<double>::identity();
  }
  if (!has_direction(*drawn.axis, "axis", report)) return Mat3<double>::identity();
  const Vec3<double> z = normalized(*drawn.axis);
  // Ground's own axes where they will do, so that simple models keep simple numbers.
  return z == z_axis ? Mat3<double>::identity() : rotation_with_z(z);
}

JointFrames placed(const JointSpec& spec, const LocalPlacement& local, const Report& report) {
  JointFrames frames;
  for (const auto& [given, out, what] :
       {std::tuple{&local.X_PF, &frames.on_parent, "parent"}, {&local.X_BM, &frames.on_child, "child"}}) {
    const std::string wrong = problem_with_pose(*given);
    if (!wrong.empty())
      report(fmt::format("its frame on the {} \"{}\" {}", what, what[0] == 'p' ? spec.parent : spec.child, wrong));
    if (wrong.empty()) *out = with_exact_rotation(*given);
  }
  return frames;
}

JointFrames placed(const JointSpec& spec, const DrawnPlacement& drawn, const Transform<double>& X_WP,
                   const Transform<double>& X_WC, const Report& report) {
  Transform<double> X_WF{drawn_axes(type_name(spec.model), drawn, report), drawn.at};
  if (!is_finite(drawn.at)) {
    report(fmt::format("its place {} must be three finite numbers", text(drawn.at)));
    X_WF.p = {};
  }
  const Transform<double> X_WM = X_WF * pose_at(spec.model, zero_coordinates(spec.model));
  return {inverse(X_WP) * (spec.reversed ? X_WM : X_WF), inverse(X_WC) * (spec.reversed ? X_WF : X_WM)};
}

/// A frame on a thin line of matter whose z axis is that line, at its point nearest to the body's origin.
Transform<double> frame_on_line(const MassProperties& mass) {
  const auto& I = mass.inertia;
  Eigen::Matrix3d A;
  A << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d least = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A).eigenvectors().col(0);
  Vec3<double> z = normalized(Vec3<double>{least[0], least[1], least[2]});
  // The eigenvector's sign is arbitrary; the body's own axis is the natural choice where they agree.
  const double largest = std::abs(z.x) > std::abs(z.y)   ? (std::abs(z.x) > std::abs(z.z) ? z.x : z.z)
                         : std::abs(z.y) > std::abs(z.z) ? z.y
                                                         : z.z;
  if (largest < 0) z = -z;
  const Vec3<double> foot = mass.com - dot(mass.com, z) * z;
  const bool through_origin = norm(foot) <= 1e-12 * norm(mass.com);
  const Mat3<double> R = norm(z - z_axis) < 1e-12 ? Mat3<double>::identity() : rotation_with_z(z);
  return {R, through_origin ? Vec3<double>{} : foot};
}

}  // namespace

bool needs_axis(std::string_view type) {
  constexpr std::array with_axis{"revolute",     "prismatic",        "screw",    "cylindrical", "planar",
                                 "bend-stretch", "line-orientation", "free-line"};
  return std::find(with_axis.begin(), with_axis.end(), type) != with_axis.end();
}

bool is_finite(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

std::string problem_with_pose(const Transform<double>& X) {
  if (!is_finite(X.p) || !is_finite(X.R.col[0]) || !is_finite(X.R.col[1]) || !is_finite(X.R.col[2]))
    return "is not placed by finite numbers";
  const double error = orthogonality_error(X.R);
  if (!(error <= largest_rotation_error))
    return fmt::format("has a rotation matrix whose columns are not perpendicular unit vectors (off by {:.3g})", error);
  if (determinant(X.R) < 0) return "has a rotation matrix that mirrors (its determinant is -1); frames are right-handed";
  return {};
}

Transform<double> with_exact_rotation(const Transform<double>& X) {
  return orthogonality_error(X.R) < 1e-14 ? X : Transform<double>{nearest_rotation(X.R), X.p};
}

JointFrames place_joint(const JointSpec& spec, const Transform<double>& X_WP, const Transform<double>& X_WC,
                        const Report& report) {
  if (const auto* local = std::get_if<LocalPlacement>(&spec.placement)) return placed(spec, *local, report);
  return placed(spec, std::get<DrawnPlacement>(spec.placement), X_WP, X_WC, report);
}

ImplicitJoint implicit_joint(const MassProperties& mass, const Transform<double>& X_WB, bool alone) {
  const MassStructure matter = alone ? structure(mass) : MassStructure::rigid;
  ImplicitJoint joint{Free{}, {}, {}};
  if (matter == MassStructure::particle) {
    // M takes Ground's axes, so that the coordinates are the position in Ground however the body is drawn.
    joint = {Translation{}, {transpose(X_WB.R), {}}, {}};
  } else if (matter == MassStructure::line) {
    joint = {FreeLine{}, frame_on_line(mass), {}};
  }
  joint.q = coordinates_of_pose(joint.model, X_WB * joint.X_BM);
  return joint;
}

}  // namespace polhode
