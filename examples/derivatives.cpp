// Exact derivatives at work: an arm of two links is held by a spring at its tip. Where does it rest, and how does it swing
// there? Newton's method on L_q = 0 with the exact L_qq doubles its digits with every step; small swings are L_uu x'' = L_qq x.
//
//   $ build/examples/derivatives
//   |L_q| 1e+01 3e+00 6e-02 4e-04 2e-08
//   the tip rests at (0.856, -1.636) m and swings at 3.606 and 6.501 rad/s
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

constexpr double stiffness = 12, rest_length = 0.3;  // [N/m], [m]
const Vec3<double> anchor{1, 0, -1};

Mechanism arm() {
  const Vec3<double> y{0, 1, 0};
  MechanismBuilder builder;
  builder.add_body({.name = "upper", .mass = MassProperties::rod(1.0, {0, 0, -1})});
  builder.add_body({.name = "lower", .mass = MassProperties::rod(1.0, {0, 0, -1}), .drawn_pose = at(0, 0, -1)});
  builder.add_joint(
      {.name = "shoulder", .model = Revolute{}, .child = "upper", .placement = DrawnPlacement{.at = {}, .axis = y}});
  builder.add_joint({.name = "elbow",
                     .model = Revolute{},
                     .parent = "upper",
                     .child = "lower",
                     .placement = DrawnPlacement{.at = {0, 0, -1}, .axis = y}});
  builder.add_frame({.name = "upper middle", .body = "upper", .X_BF = at(0, 0, -0.5)});
  builder.add_frame({.name = "lower middle", .body = "lower", .X_BF = at(0, 0, -0.5)});
  builder.add_frame({.name = "tip", .body = "lower", .X_BF = at(0, 0, -1)});
  builder.add_frame({.name = "anchor", .body = ground_name, .X_BF = {Mat3<double>::identity(), anchor}});
  builder.add_force({PointSpringSpec{"tip", "anchor", stiffness, rest_length}});
  return builder.build();
}

/// What a force at a frame's origin does to each of the coordinates that move the frame: force . dp/dq.
void add_force_at(const tree::FrameDerivatives& frame, const Vec3<double>& force, std::vector<double>& tau) {
  for (std::size_t a = 0; a < frame.chart.size(); ++a) tau[frame.chart[a]] += dot(force, frame.X_q[a].p);
}

}  // namespace

int main() {
  const Mechanism mechanism = arm();
  tree::Derivatives derivatives(mechanism);
  tree::LagrangianDerivatives L(mechanism);
  std::vector<double> q{-0.5, -0.5};
  const std::vector<double> u(2);  // at rest
  std::printf("|L_q|");
  for (double residual = 1; residual > 1e-9;) {
    derivatives.set(q, u);
    derivatives.lagrangian(0, L);
    residual = std::hypot(L.L_q[0], L.L_q[1]);
    if (residual > 1e-9) std::printf(" %.0e", residual);
    const double det = L.L_qq[0] * L.L_qq[3] - L.L_qq[1] * L.L_qq[2];
    q[0] -= (L.L_qq[3] * L.L_q[0] - L.L_qq[1] * L.L_q[1]) / det;
    q[1] -= (L.L_qq[0] * L.L_q[1] - L.L_qq[2] * L.L_q[0]) / det;
  }

  // det(w^2 L_uu + L_qq) = 0 is a quadratic in w^2.
  const auto &M = L.L_uu, &K = L.L_qq;
  const double a = M[0] * M[3] - M[1] * M[2], b = M[0] * K[3] + M[3] * K[0] - M[1] * K[2] - M[2] * K[1];
  const double root = std::sqrt(b * b - 4 * a * (K[0] * K[3] - K[1] * K[2]));
  const double slow = std::sqrt((-b - root) / (2 * a)), fast = std::sqrt((-b + root) / (2 * a));

  // The forces, put together from frames' derivatives instead: at rest they must balance.
  tree::FrameDerivatives upper(mechanism, mechanism.frame("upper middle")), lower(mechanism, mechanism.frame("lower middle"));
  tree::FrameDerivatives tip(mechanism, mechanism.frame("tip"));
  for (tree::FrameDerivatives* frame : {&upper, &lower, &tip}) derivatives.frame(*frame);
  const Vec3<double> to_anchor = anchor - tip.X_WF.p;
  std::vector<double> tau(2);
  add_force_at(upper, mechanism.gravity(), tau);
  add_force_at(lower, mechanism.gravity(), tau);
  add_force_at(tip, (stiffness * (1 - rest_length / norm(to_anchor))) * to_anchor, tau);
  const double unbalanced = std::hypot(tau[0], tau[1]);

  std::printf("\nthe tip rests at (%.3f, %.3f) m and swings at %.3f and %.3f rad/s\n", tip.X_WF.p.x, tip.X_WF.p.z, slow, fast);
  return unbalanced < 1e-8 && slow > 0 ? 0 : 1;  // a square root of a negative number would be no stable rest
}
