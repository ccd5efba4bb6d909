#include "polhode/maximal/tree_map.h"

#include <fmt/format.h>

#include <stdexcept>

#include "polhode/mechanism/reversed_joint.h"

namespace polhode::maximal {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

/// V_FM of the joint from its speeds.
Motion<double> joint_velocity(const Joint& joint, const double* q, const double* u) {
  Motion<double> H[JointCoordinates::most_speeds], V{};
  std::visit([&](const auto& model) { joint_hinge(model, joint.reversed, q, H); }, joint.model);
  for (int k = 0; k < joint.nu; ++k) V += u[k] * H[k];
  return V;
}

}  // namespace

TreeMap::TreeMap(const Mechanism& mechanism) : mechanism_(mechanism) {
  for (int body = 1; body < mechanism_.num_bodies(); ++body) joints_.emplace_back(mechanism_, body);
  for (const JointCoordinates& joint : joints_) has_singular_places_ |= joint.has_singular_place();
}

void TreeMap::to_bodies(std::span<const double> q, std::span<const double> u, Bodies& bodies) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  bodies.resize(std::size_t(mechanism_.num_bodies()));
  bodies[0] = {.x = mechanism_.bodies()[0].mass.com, .r = {}, .w = {}, .v = {}};
  for (const JointCoordinates& c : joints_) {
    const Joint& joint = c.joint();
    const double *const q_j = q.data() + joint.first_q, *const u_j = u.data() + joint.first_u;
    const Transform<double> X_FM =
        std::visit([&](const auto& model) { return joint_pose(model, joint.reversed, q_j); }, joint.model);
    const Motion<double> V_FM = joint_velocity(joint, q_j, u_j);

    const Transform<double> X_WP = pose_of(bodies[c.parent()]), X_WF = X_WP * c.X_CF(), X_WM = X_WF * X_FM;
    const Motion<double> V_WM = shifted(velocity_of(bodies[c.parent()], X_WP.R), X_WM.p - X_WP.p) + X_WF.R * V_FM;
    const Transform<double> X_WC = X_WM * inverse(c.X_CM());
    const Motion<double> V_WC = shifted(V_WM, X_WC.p - X_WM.p);
    bodies[c.body()] = {.x = X_WC.p, .r = quaternion(X_WC.R), .w = transpose_times(X_WC.R, V_WC.angular), .v = V_WC.linear};
  }
}

void TreeMap::to_tree(const Bodies& bodies, std::span<double> q, std::span<double> u) const {
  require_size(bodies.size(), mechanism_.num_bodies(), "bodies");
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  for (const JointCoordinates& c : joints_) {
    const Joint& joint = c.joint();
    if (joint.nq == 0) continue;
    const Transform<double> X_WP = pose_of(bodies[c.parent()]), X_WC = pose_of(bodies[c.body()]);
    const JointPoses X{X_WP * c.X_CF(), X_WC * c.X_CM(), inverse(X_WP * c.X_CF()) * (X_WC * c.X_CM())};
    double* const q_j = q.data() + joint.first_q;
    c.read(X.X_FM, q_j, q_j);

    const Motion<double> V_M = shifted(velocity_of(bodies[c.body()], X_WC.R), X.X_WM.p - X_WC.p);
    const Motion<double> V_F = shifted(velocity_of(bodies[c.parent()], X_WP.R), X.X_WM.p - X_WP.p);
    const Motion<double> V_FM = transpose(X.X_WF.R) * (V_M - V_F);
    Wrench<double> W[JointCoordinates::most_speeds];
    c.duals(X.X_FM, q_j, W);
    for (int k = 0; k < joint.nu; ++k) u[std::size_t(joint.first_u + k)] = dot(W[k], V_FM);
  }
}

void to_bodies(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u, Bodies& bodies) {
  TreeMap(mechanism).to_bodies(q, u, bodies);
}

void to_tree(const Mechanism& mechanism, const Bodies& bodies, std::span<double> q, std::span<double> u) {
  TreeMap(mechanism).to_tree(bodies, q, u);
}

Transform<double> pose_of_body(const Mechanism& mechanism, int body, const BodyMotion& motion) {
  const Transform<double> X_WC = pose_of(motion);
  return {X_WC.R, X_WC * -mechanism.bodies()[body].mass.com};
}

}  // namespace polhode::maximal
