#include "polhode/study/inspect.h"

#include <Eigen/Dense>

#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

/// Marks rows that depend on those before them; gives the rank.
int mark_redundant(const tree::Constraints& constraints, std::span<const double> values,
                   std::vector<ConstraintRowReport>& rows) {
  const Eigen::Index n = constraints.mechanism().num_u(), most = std::min<Eigen::Index>(Eigen::Index(rows.size()), n);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> basis(most, n);
  Eigen::Index rank = 0;
  for (int i = 0; i < constraints.num_rows(); ++i) {
    Eigen::RowVectorXd rest = Eigen::RowVectorXd::Zero(n);
    const int start = constraints.row_starts()[i];
    for (std::size_t k = 0; k < constraints.columns(i).size(); ++k) rest[constraints.columns(i)[k]] = values[start + k];
    for (const DrivenSpeed& d : constraints.mechanism().driven()) rest[d.u] = 0;  // they give way to no force
    const double size = rest.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan)
      const Eigen::VectorXd along = basis.topRows(rank) * rest.transpose();
      rest -= along.transpose() * basis.topRows(rank);
    }
    rows[i].redundant = rank == most || rest.norm() <= 1e-9 * std::max(size, 1e-300);
    if (!rows[i].redundant) basis.row(rank++) = rest / rest.norm();
  }
  return int(rank);
}

}  // namespace

Inspection inspect(State state) {
  const Mechanism& m = state.mechanism();
  tree::Workspace w(m);
  tree::realize(state, w, Stage::velocity);

  tree::kinematics(w, state.q(), state.u());
  const tree::Constraints constraints(m);
  std::vector<double> errors(constraints.num_rows()), values(constraints.num_entries());
  constraints.errors_and_jacobian(w, state.time(), state.q(), errors, values);

  Inspection r{};
  r.bodies = m.num_bodies() - 1;
  for (int b = 1; b < m.num_bodies(); ++b) {
    r.joints += m.joints()[b].implicit ? 0 : 1;
    r.mass += m.bodies()[b].mass.mass;
  }
  r.joints += int(m.loop_joints().size());
  r.coordinates = m.num_q();
  r.speeds = m.num_u();
  r.loop_joints = int(m.loop_joints().size());
  r.constraints = int(m.constraints().size());
  for (int i = 0; i < constraints.num_rows(); ++i)
    r.rows.push_back({constraints.owner(i), constraints.row_of_owner(i), errors[i], !constraints.is_holonomic(i), false});
  for (const LoopJoint& joint : m.loop_joints()) r.loop_joint_rows += num_joint_rows(joint.model);
  r.independent_rows = mark_redundant(constraints, values, r.rows);
  r.kinematic = int(m.kinematic().size());
  r.degrees_of_freedom = r.speeds - int(m.driven().size()) - r.independent_rows;
  for (const auto& row : r.rows) r.largest_error = std::max(r.largest_error, std::abs(row.error));
  r.kinetic_energy = state.kinetic_energy();
  r.potential_energy = state.potential_energy();
  r.momentum = state.momentum();
  r.center_of_mass = tree::center_of_mass(w);
  return r;
}

}  // namespace polhode::study
