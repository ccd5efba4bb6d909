#include "polhode/study/inspect.h"

#include <fmt/format.h>

#include <Eigen/Dense>

#include "polhode/mechanism/reversed_joint.h"
#include "polhode/tree/dynamics.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

using Row = Eigen::RowVectorXd;

/// Evaluates constraint rows and their derivatives with respect to the speeds, one owner after another.
class RowCollector {
 public:
  explicit RowCollector(const State& state) : state_(state), w_(state.mechanism()), n_(state.mechanism().num_u()) {
    tree::kinematics(w_, state.q(), state.u());
  }

  void add(const LoopJoint& joint) {
    const Transform<double> X_WF = state_.pose(joint.parent) * joint.X_PF;
    const Transform<double> X_WM = state_.pose(joint.child) * joint.X_BM;
    const Transform<double> X_FM = inverse(X_WF) * X_WM;
    const Eigen::MatrixXd J_F = jacobian(joint.parent, joint.X_PF.p), J_M = jacobian(joint.child, joint.X_BM.p);
    // V_FM, in F: w = w_M - w_F,  v = v_M - v_F - w_F x (p_M - p_F).
    const Eigen::Matrix3d R_FW = matrix(transpose(X_WF.R));
    Eigen::MatrixXd J(6, n_);
    J.topRows(3) = R_FW * (J_M.topRows(3) - J_F.topRows(3));
    J.bottomRows(3) = R_FW * (J_M.bottomRows(3) - J_F.bottomRows(3) + matrix(skew(X_WM.p - X_WF.p)) * J_F.topRows(3));

    ConstraintRow<double> equations[6];
    int count = 0, nonholonomic = 0;
    std::visit(
        [&](const auto& model) {
          count = 6 - model.nv, nonholonomic = model.nonholonomic;
          joint_constraint_rows(model, joint.reversed, X_FM, Motion<double>{}, equations);
        },
        joint.model);
    for (int i = 0; i < count; ++i) {
      const auto& g = equations[i].gradient;
      Eigen::Matrix<double, 1, 6> gradient;
      gradient << g.moment.x, g.moment.y, g.moment.z, g.force.x, g.force.y, g.force.z;
      push(fmt::format("joint \"{}\"", joint.name), i, equations[i].value, gradient * J, i >= count - nonholonomic);
    }
  }

  void add(const Constraint& constraint) {
    std::visit([&](const auto& model) { add_row(constraint.description, model); }, constraint.model);
  }

  /// Marks rows that depend on those before them; gives the rank.
  int mark_redundant() {
    const Eigen::Index most = std::min<Eigen::Index>(Eigen::Index(rows.size()), n_);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> basis(most, n_);
    Eigen::Index rank = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double size = jacobian_rows_[i].norm();
      Row rest = jacobian_rows_[i];
      for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan)
        const Eigen::VectorXd along = basis.topRows(rank) * rest.transpose();
        rest -= along.transpose() * basis.topRows(rank);
      }
      rows[i].redundant = rank == most || rest.norm() <= 1e-9 * std::max(size, 1e-300);
      if (!rows[i].redundant) basis.row(rank++) = rest / rest.norm();
    }
    return int(rank);
  }

  std::vector<ConstraintRowReport> rows;

 private:
  void push(std::string owner, int row, double error, Row jacobian, bool velocity_only) {
    rows.push_back({std::move(owner), row, error, velocity_only, false});
    for (const KinematicCoordinate& k : state_.mechanism().kinematic()) jacobian[k.u] = 0;  // they give way to no force
    jacobian_rows_.push_back(std::move(jacobian));
  }
  Eigen::MatrixXd jacobian(int body, const Vec3<double>& p) {
    std::vector<double> J(std::size_t(6) * n_);
    tree::point_jacobian(w_, body, p, J);
    return Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(J.data(), 6, n_);
  }
  static Eigen::Matrix3d matrix(const Mat3<double>& A) {
    Eigen::Matrix3d B;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = A(i, j);
    return B;
  }
  /// Difference of two frames' origins, b minus a, and its derivative.
  std::pair<Vec3<double>, Eigen::MatrixXd> difference(int a, int b) {
    const Frame &A = state_.mechanism().frames()[a], &B = state_.mechanism().frames()[b];
    return {state_.frame_pose(b).p - state_.frame_pose(a).p,
            jacobian(B.body, B.X_BF.p).bottomRows(3) - jacobian(A.body, A.X_BF.p).bottomRows(3)};
  }
  static Eigen::RowVector3d row(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

  void add_row(const std::string& owner, const PointConstraint& c) {
    const auto [p, J] = difference(c.frame_a, c.frame_b);
    const Vec3<double> direction = normalized(c.direction);
    push(owner, 0, dot(direction, p), row(direction) * J, false);
  }
  void add_row(const std::string& owner, const Wire& c) {
    const auto [p, J] = difference(c.frame_a, c.frame_b);
    const double length = norm(p);
    push(owner, 0, length - c.length, length > 0 ? Row(row((1 / length) * p) * J) : Row(Row::Zero(n_)), false);
  }
  void add_row(const std::string& owner, const ScrewCoupler& c) {
    Row J = Row::Zero(n_);
    J[c.u_translation] = 1;
    J[c.u_rotation] = -c.lead;
    push(owner, 0, state_.q()[c.q_translation] - c.lead * state_.q()[c.q_rotation], J, false);
  }

  const State& state_;
  tree::Workspace w_;
  int n_;
  std::vector<Row> jacobian_rows_;
};

}  // namespace

Inspection inspect(State state) {
  const Mechanism& m = state.mechanism();
  tree::Workspace w(m);
  tree::realize(state, w, Stage::velocity);

  RowCollector collector(state);
  for (const LoopJoint& joint : m.loop_joints()) collector.add(joint);
  for (const Constraint& constraint : m.constraints()) collector.add(constraint);

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
  r.independent_rows = collector.mark_redundant();
  r.rows = std::move(collector.rows);
  r.kinematic = int(m.kinematic().size());
  r.degrees_of_freedom = r.speeds - r.kinematic - r.independent_rows;
  for (const auto& row : r.rows) r.largest_error = std::max(r.largest_error, std::abs(row.error));
  r.kinetic_energy = state.kinetic_energy();
  r.potential_energy = state.potential_energy();
  r.momentum = state.momentum();
  tree::kinematics(w, state.q(), state.u());
  r.center_of_mass = tree::center_of_mass(w);
  return r;
}

}  // namespace polhode::study
