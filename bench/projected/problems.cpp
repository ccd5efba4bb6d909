#include "problems.h"

#include <cmath>

namespace polhode::bench {
namespace {

constexpr double rod_inertia = 1.0 / 12;

Triple minus(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// A loop of pins about y that `closure` closes where the two points meet.
LoopClosure hinge_about_y(LoopClosure::Kind closure, int a, int b, const Triple& p_a, const Triple& p_b) {
  return {closure, a, b, p_a, p_b, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
}

}  // namespace

LoopProblem projected_chain(int n) {
  LoopProblem problem;
  problem.name = "chain of " + std::to_string(n);
  for (int i = 0; i < n; ++i) {
    TreeLink link;
    link.parent = i - 1;
    link.joint_at = {0, 0, i == 0 ? 0.0 : -1.0};
    link.centre = {0, 0, -0.5};
    link.inertia = {rod_inertia, rod_inertia, 0.01, 0, 0, 0};
    problem.links.push_back(link);
  }
  problem.links[0].q[0] = 0.5;
  return problem;
}

LoopProblem four_bars(int n, LoopClosure::Kind closure) {
  LoopProblem problem;
  problem.name = std::to_string(n) + " four-bars";
  problem.time = n > 10 ? 1 : 10;
  if (closure == LoopClosure::Kind::pin) problem.name += ", pins";
  for (int i = 0; i <= n; ++i) {
    TreeLink arm;
    arm.joint_at = {double(i), 0, 0};
    arm.centre = {0, 0, 0.5};
    arm.inertia = {rod_inertia, rod_inertia, 0, 0, 0, 0};
    arm.u[0] = 1;
    const int index = int(problem.links.size());
    problem.links.push_back(arm);
    if (i > 0) problem.closures.push_back(hinge_about_y(closure, index - 1, index, {1, 0, 0}, {0, 0, 1}));
    if (i == n) break;
    TreeLink bar;
    bar.parent = index;
    bar.joint_at = {0, 0, 1};
    bar.centre = {0.5, 0, 0};
    bar.inertia = {0, rod_inertia, rod_inertia, 0, 0, 0};
    bar.u[0] = -1;
    problem.links.push_back(bar);
  }
  return problem;
}

LoopProblem crank_rocker(LoopClosure::Kind closure) {
  LoopProblem problem;
  problem.name = "four-bar";
  if (closure == LoopClosure::Kind::pin) problem.name += ", pins";
  constexpr double coupler_angle = -0.43082792878279264, rocker_angle = -0.2633798495631033;
  TreeLink crank;
  crank.mass = 0.3;
  crank.inertia = {6e-4, 6e-4, 2e-5, 0, 0, 0};
  crank.centre = {0, 0, 0.075};
  crank.u[0] = 12;
  TreeLink coupler;
  coupler.parent = 0;
  coupler.joint_at = {0, 0, 0.15};
  coupler.mass = 0.9;
  coupler.inertia = {5e-5, 0.0152, 0.0152, 0, 0, 0};
  coupler.centre = {0.225, 0, 0};
  coupler.q[0] = coupler_angle;
  TreeLink rocker;
  rocker.joint_at = {0.5, 0, 0};
  rocker.mass = 0.7;
  rocker.inertia = {0.00715, 0.00715, 4e-5, 0, 0, 0};
  rocker.centre = {0, 0, 0.175};
  rocker.q[0] = rocker_angle;
  const double coupler_length = 0.45, rocker_length = 0.35;
  const Triple BC{coupler_length * std::cos(coupler_angle), 0, -coupler_length * std::sin(coupler_angle)};
  const Triple DC{rocker_length * std::sin(rocker_angle), 0, rocker_length * std::cos(rocker_angle)};
  // A rate w about y moves a point r away by w (r_z, 0, -r_x). With w1 the crank's, w2 the coupler's, w3 the rocker's:
  // w1 0.15 (1, 0) + w2 (BC_z, -BC_x) = w3 (DC_z, -DC_x).
  const double moved = crank.u[0] * 0.15, determinant = BC[0] * DC[2] - BC[2] * DC[0];
  const double w2 = moved * DC[0] / determinant, w3 = moved * BC[0] / determinant;
  coupler.u[0] = w2 - crank.u[0];
  rocker.u[0] = w3;
  problem.links = {crank, coupler, rocker};
  problem.closures = {hinge_about_y(closure, 1, 2, {coupler_length, 0, 0}, {0, 0, rocker_length})};
  return problem;
}

LoopProblem bricard(LoopClosure::Kind closure) {
  LoopProblem problem;
  problem.name = closure == LoopClosure::Kind::pin ? "Bricard" : "Bricard, one row less";
  problem.gravity = {0, -9.81, 0};
  constexpr double thin = 1.0 / 600, wide = 0.505 / 6;
  const Triple corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const Triple axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int i = 0; i < 5; ++i) {
    const Triple along = minus(corners[i + 1], corners[i]);
    TreeLink rod;
    rod.parent = i - 1;
    if (i > 0) rod.joint_at = minus(corners[i], corners[i - 1]);
    rod.axis = axes[i];
    rod.centre = {along[0] / 2, along[1] / 2, along[2] / 2};
    for (std::size_t k = 0; k < 3; ++k) rod.inertia[k] = along[k] != 0 ? thin : wide;
    problem.links.push_back(rod);
  }
  problem.closures = {{closure, fixed_world, 4, corners[5], minus(corners[5], corners[4]), axes[5], {0, 1, 0}, {0, 0, 1}}};
  return problem;
}

LoopProblem spatial_slider_crank() {
  LoopProblem problem;
  problem.name = "spatial slider-crank";
  TreeLink crank;
  crank.joint_at = {0, 0.1, 0.12};
  crank.axis = {1, 0, 0};
  crank.mass = 0.12;
  crank.centre = {0, 0, 0.04};
  crank.inertia = {1e-4, 1e-4, 1e-5, 0, 0, 0};
  crank.u[0] = 6;
  TreeLink slider;
  slider.joint = TreeLink::Kind::slide;
  slider.joint_at = {0.2, 0, 0};
  slider.axis = {1, 0, 0};
  slider.mass = 2;
  slider.inertia = {1e-4, 1e-4, 1e-4, 0, 0, 0};
  slider.u[0] = 0.24;
  TreeLink rod;
  rod.parent = 1;
  rod.joint = TreeLink::Kind::universal;
  rod.axis = {1, 0, 0};
  rod.axis2 = {0, 2 / std::sqrt(5.0), -1 / std::sqrt(5.0)};
  rod.mass = 0.5;
  rod.centre = {-0.1, 0.05, 0.1};
  // Thin: 4e-4 along its length e = (2, -1, -2)/3, 4e-3 across it.
  const Triple e{2.0 / 3, -1.0 / 3, -2.0 / 3};
  const auto entry = [&](std::size_t i, std::size_t j) { return (i == j ? 4e-3 : 0) - 3.6e-3 * e[i] * e[j]; };
  rod.inertia = {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
  rod.u = {1.92, -0.48 * std::sqrt(5.0)};
  problem.links = {crank, slider, rod};
  problem.closures = {{LoopClosure::Kind::point, 0, 2, {0, 0, 0.08}, {-0.2, 0.1, 0.2}}};
  problem.time = 5;
  return problem;
}

}  // namespace polhode::bench
