#include "polhode/tree/chart_move.h"

#include <algorithm>

#include "polhode/mechanism/joint_queries.h"

namespace polhode::tree {

void move_on_charts(const Mechanism& mechanism, Numbers q0, Numbers step, NumbersOut q) {
  const double zero[CustomJoint::max_coordinates] = {};
  double theta[CustomJoint::max_coordinates];
  for (const Joint& joint : mechanism.joints())
    std::visit(
        [&](const auto& model) {
          model.rate_of_chart(q0.data() + joint.first_q, zero, step.data() + joint.first_u, theta);
          model.retract(q0.data() + joint.first_q, theta, q.data() + joint.first_q);
        },
        joint.model);
}

std::vector<double> motion_scales(const Mechanism& mechanism, double length) {
  std::vector<double> scales(mechanism.num_u(), 1.0);
  for (const Joint& joint : mechanism.joints()) {
    const auto columns = hinge_columns(joint.model, generic_coordinates(joint.model, 0));
    for (int k = 0; k < joint.nu; ++k)
      if (norm(columns[k].angular) < 1e-12) scales[joint.first_u + k] = length;
  }
  return scales;
}

double extent(Workspace& w) {
  double reach = 0.01;
  for (const Frame& frame : w.mechanism().frames()) reach = std::max(reach, norm(pose(w, frame.body) * frame.X_BF.p));
  return reach;
}

std::vector<int> speeds_of_coordinates(const Mechanism& mechanism) {
  std::vector<int> speeds(mechanism.num_q(), -1);
  for (const Joint& joint : mechanism.joints()) {
    const std::vector<int> own = speed_of_coordinate(joint.model);
    for (int i = 0; i < joint.nq; ++i)
      if (own[i] >= 0) speeds[joint.first_q + i] = joint.first_u + own[i];
  }
  return speeds;
}

}  // namespace polhode::tree
