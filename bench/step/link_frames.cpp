#include "link_frames.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <stdexcept>

#include "polhode/tree/realize.h"

namespace polhode::bench {
namespace {

constexpr double parallel_tolerance = 1e-9;

bool are_parallel(const Vec3<double>& a, const Vec3<double>& b) { return norm(cross(a, b)) < parallel_tolerance; }

/// Columns: the axes in which the inertia is diagonal; those of the body if it is so already.
Mat3<double> principal_axes(const SymMat3<double>& I) {
  const double size = I.xx + I.yy + I.zz;
  if (std::max({std::abs(I.xy), std::abs(I.xz), std::abs(I.yz)}) <= 1e-14 * size) return Mat3<double>::identity();
  Eigen::Matrix3d full;
  full << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Matrix3d V = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(full).eigenvectors();
  const auto column = [&](int i) { return Vec3<double>{V(0, i), V(1, i), V(2, i)}; };
  return {{column(0), column(1), cross(column(0), column(1))}};
}

bool is_principal(const SymMat3<double>& I, const Vec3<double>& axis) {
  return norm(cross(I * axis, axis)) <= 1e-12 * (I.xx + I.yy + I.zz);
}

/// The same axes in another order and turned about the y axis that is asked for as little as can be.
Mat3<double> with_y(const Mat3<double>& principal, const Vec3<double>& y) {
  int least = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(dot(principal.col[i], y)) < std::abs(dot(principal.col[least], y))) least = i;
  }
  const Vec3<double> x = normalized(principal.col[least] - dot(principal.col[least], y) * y);
  return {{x, y, cross(x, y)}};
}

}  // namespace

void refuse(const std::string& what) { throw std::runtime_error("a problem for every engine cannot have " + what); }

LinkFrames::LinkFrames(const OwnModel& own) : own_(own), mechanism_(own.mechanism) {
  find_roles();
  find_normal();
  y_B_.resize(roles_.size());
  ask_for_axes();
  X_BL_.resize(roles_.size());
  for (int body = 1; body < mechanism_.num_bodies(); ++body) {
    if (role(body) != BodyRole::link) continue;
    X_BL_[std::size_t(body)] = {axes_of(body), mechanism_.joints()[std::size_t(body)].X_BM.p};
    places_.push_back({body, X_BL_[std::size_t(body)]});
  }
}

int LinkFrames::first_of_root(int body) const {
  while (role(mechanism_.bodies()[std::size_t(body)].parent) == BodyRole::root) {
    body = mechanism_.bodies()[std::size_t(body)].parent;
  }
  return body;
}

BodyRole LinkFrames::role_of(int body) const {
  const Body& b = mechanism_.bodies()[std::size_t(body)];
  if (b.mass.mass > 0) return BodyRole::link;
  const Joint& joint = mechanism_.joints()[std::size_t(body)];
  const BodyRole parent = role(b.parent);
  const bool slides_on_signal = joint.nu == 1 && mechanism_.is_kinematic(joint.first_u);
  if (slides_on_signal && std::holds_alternative<Prismatic>(joint.model) && (b.parent == 0 || parent == BodyRole::hook)) {
    return BodyRole::hook;
  }
  const auto hangs_on_it = [&](const Body& other) { return other.parent == body; };
  const bool carries_one = std::count_if(mechanism_.bodies().begin(), mechanism_.bodies().end(), hangs_on_it) == 1;
  if (!slides_on_signal && carries_one && (b.parent == 0 || parent == BodyRole::root)) return BodyRole::root;
  refuse(fmt::format("the massless body \"{}\"", b.name));
}

void LinkFrames::find_roles() {
  roles_ = {BodyRole::ground};
  links_ = {world};
  int count = 0;
  for (int body = 1; body < mechanism_.num_bodies(); ++body) {
    roles_.push_back(role_of(body));
    links_.push_back(role(body) == BodyRole::link ? count++ : world);
  }
}

void LinkFrames::find_normal() {
  State state = own_.start;
  tree::realize(state, Stage::velocity);
  for (int body = 1; body < mechanism_.num_bodies() && !normal_; ++body) {
    const Joint& joint = mechanism_.joints()[std::size_t(body)];
    if (!std::holds_alternative<Revolute>(joint.model)) continue;
    const Vec3<double> n = state.pose(body).R * joint.X_BM.R.col[2];
    if (!moves_across(n, state)) return;
    normal_ = n;
  }
  const auto is_sleeve = [](const LoopJoint& joint) { return std::holds_alternative<Cylindrical>(joint.model); };
  const auto& loops = mechanism_.loop_joints();
  planar_twin_ = normal_ && std::any_of(loops.begin(), loops.end(), is_sleeve);
}

bool LinkFrames::moves_across(const Vec3<double>& n, State& state) const {
  if (std::abs(dot(mechanism_.gravity(), n)) > parallel_tolerance) return false;
  std::optional<double> height;
  for (int body = 1; body < mechanism_.num_bodies(); ++body) {
    if (role(body) == BodyRole::hook) return false;
    const Joint& joint = mechanism_.joints()[std::size_t(body)];
    const Transform<double>& X_WB = state.pose(body);
    const Vec3<double> z = X_WB.R * joint.X_BM.R.col[2];
    const bool turns_in_plane = std::holds_alternative<Revolute>(joint.model) && are_parallel(z, n);
    const bool slides_in_plane = std::holds_alternative<Prismatic>(joint.model) && std::abs(dot(z, n)) < parallel_tolerance;
    if (!turns_in_plane && !slides_in_plane && !std::holds_alternative<Ball>(joint.model)) return false;
    const Motion<double>& V = state.velocity(body);
    if (norm(cross(V.angular, n)) > parallel_tolerance || std::abs(dot(V.linear, n)) > parallel_tolerance) return false;
    const MassProperties& mass = mechanism_.bodies()[std::size_t(body)].mass;
    if (mass.mass <= 0) continue;
    if (!is_principal(mass.inertia, transpose_times(X_WB.R, n))) return false;
    const double here = dot(n, X_WB * mass.com);
    if (height && std::abs(here - *height) > parallel_tolerance) return false;
    height = here;
  }
  return true;
}

void LinkFrames::ask(int body, const Vec3<double>& y_B, const std::string& who) {
  if (role(body) != BodyRole::link) refuse(fmt::format("{}, which is not between two links", who));
  auto& asked = y_B_[std::size_t(body)];
  if (asked && !are_parallel(*asked, y_B)) refuse(fmt::format("{}, whose axis is not that of another loop of its body", who));
  if (!is_principal(mechanism_.bodies()[std::size_t(body)].mass.inertia, y_B)) {
    refuse(
        fmt::format("{}, whose axis is not a principal one of body \"{}\"", who, mechanism_.bodies()[std::size_t(body)].name));
  }
  if (!asked) asked = y_B;
}

/// Both links' y axes are along the pin, and to the same side.
void LinkFrames::ask_for_pin(const LoopJoint& joint) {
  const std::string who = fmt::format("the pin \"{}\"", joint.name);
  const Vec3<double> z_P = joint.X_PF.R.col[2], z_B = joint.X_BM.R.col[2];
  const auto sign = [&](int body, const Vec3<double>& z) {
    const Vec3<double> y = body == 0 ? Vec3<double>{0, 1, 0} : y_B_[std::size_t(body)].value_or(z);
    if (!are_parallel(y, z)) refuse(fmt::format("{}, whose axis is not that of another loop, or the world's y", who));
    return dot(y, z) > 0 ? 1.0 : -1.0;
  };
  const bool child_leads = joint.child == 0 || (joint.parent != 0 && y_B_[std::size_t(joint.child)]);
  const double s = child_leads ? sign(joint.child, z_B) : sign(joint.parent, z_P);
  if (joint.parent != 0) ask(joint.parent, s * z_P, who);
  if (joint.child != 0) ask(joint.child, s * z_B, who);
  if (sign(joint.parent, s * z_P) * sign(joint.child, s * z_B) < 0) refuse(fmt::format("{}, which is turned over", who));
}

void LinkFrames::ask_for_axes() {
  for (const LoopJoint& joint : mechanism_.loop_joints()) {
    if (std::holds_alternative<Revolute>(joint.model)) ask_for_pin(joint);
    if (std::holds_alternative<Cylindrical>(joint.model)) {
      if (joint.parent == 0) refuse(fmt::format("the sleeve \"{}\" on the world", joint.name));
      ask(joint.parent, joint.X_PF.R.col[2], fmt::format("the sleeve \"{}\"", joint.name));
    }
  }
  State state = own_.start;
  tree::realize(state, Stage::position);
  for (const Constraint& constraint : mechanism_.constraints()) {
    if (const auto* line = std::get_if<PointOnLine>(&constraint.model)) {
      const Frame& a = mechanism_.frames()[std::size_t(line->frame_a)];
      ask(a.body, a.X_BF.R * cross(line->normals[0], line->normals[1]), constraint.description);
    } else if (const auto* point = std::get_if<PointConstraint>(&constraint.model)) {
      if (!normal_) refuse(fmt::format("{} in a mechanism that leaves the plane", constraint.description));
      const int body = mechanism_.frames()[std::size_t(point->frame_a)].body;
      ask(body, transpose_times(state.pose(body).R, *normal_), constraint.description);
    }
  }
}

Mat3<double> LinkFrames::axes_of(int body) const {
  const Mat3<double> principal = principal_axes(mechanism_.bodies()[std::size_t(body)].mass.inertia);
  const auto& y = y_B_[std::size_t(body)];
  return y ? with_y(principal, *y) : principal;
}

}  // namespace polhode::bench
