#include "polhode/study/inspect.h"

#include <Eigen/Dense>
#include <algorithm>

#include "polhode/tree/assemble.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

/// Speeds whose motion is given: they give way to no constraint.
std::vector<char> driven_speeds(const State& state) {
  std::vector<char> driven;
  for (const Drive drive : state.drives()) driven.push_back(drive != Drive::forces);
  return driven;
}

/// G without the columns of driven speeds.
Eigen::MatrixXd free_matrix(const tree::Constraints& constraints, tree::Workspace& w, const State& state) {
  const std::vector<double> entries = constraints.matrix(w, state.time(), state.q());
  const Eigen::Index m = constraints.num_rows(), n = state.mechanism().num_u();
  Eigen::MatrixXd G =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(entries.data(), m, n);
  const std::vector<char> driven = driven_speeds(state);
  for (Eigen::Index k = 0; k < n; ++k)
    if (driven[std::size_t(k)]) G.col(k).setZero();
  return G;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Marks rows that depend on those before them, and says on which; gives the rank.
int mark_redundant(const Eigen::MatrixXd& G, std::vector<ConstraintRowReport>& rows) {
  const Eigen::Index n = G.cols(), most = std::min<Eigen::Index>(G.rows(), n);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> basis(most, n);
  std::vector<Eigen::Index> independent;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const Eigen::Index rank = Eigen::Index(independent.size());
    Eigen::RowVectorXd rest = G.row(i);
    const double size = rest.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan)
      const Eigen::VectorXd along = basis.topRows(rank) * rest.transpose();
      rest -= along.transpose() * basis.topRows(rank);
    }
    ConstraintRowReport& row = rows[std::size_t(i)];
    row.redundant = rank == most || rest.norm() <= 1e-9 * std::max(size, 1e-300);
    if (!row.redundant) {
      basis.row(rank) = rest / rest.norm();
      independent.push_back(i);
      continue;
    }
    if (rank == 0 || size == 0) continue;
    const Eigen::VectorXd coefficients =
        G(independent, Eigen::all).transpose().colPivHouseholderQr().solve(G.row(i).transpose());
    for (Eigen::Index k = 0; k < rank; ++k)
      if (std::abs(coefficients[k]) * G.row(independent[std::size_t(k)]).norm() > 1e-6 * size)
        add_once(row.follows_from, rows[std::size_t(independent[std::size_t(k)])].owner);
  }
  return int(independent.size());
}

/// Looks for equations that contradict each other: what is left of the right side r of G x = -r by the best x is P r, with P
/// the projection onto the combinations of rows that vanish. P_ij says whether rows i and j meet in one of those.
class ConflictFinder {
 public:
  explicit ConflictFinder(const State& state)
      : state_(state), constraints_(state.mechanism(), state.enabled()), w_(state.mechanism()) {
    tree::kinematics(w_, state.q(), state.u());
    G_ = free_matrix(constraints_, w_, state);
  }

  std::vector<ConstraintConflict> find() {
    const std::size_t m = std::size_t(constraints_.num_rows());
    if (m == 0) return {};
    std::vector<double> h(m), rates(m), b(m);
    constraints_.errors(w_, state_.time(), state_.q(), h);
    look(RowLevel::position, h);
    // The rates that driven speeds alone give to rows, and what rows ask for.
    std::vector<double> u(state_.u().begin(), state_.u().end()), driven_rates(m);
    const std::vector<char> driven = driven_speeds(state_);
    for (std::size_t k = 0; k < u.size(); ++k)
      if (!driven[k]) u[k] = 0;
    constraints_.rates(w_, state_.time(), state_.q(), rates);
    constraints_.apply(w_, state_.time(), state_.q(), u, driven_rates);
    for (std::size_t i = 0; i < m; ++i) rates[i] += driven_rates[i];
    if (found_.empty()) look(RowLevel::velocity, rates);
    if (found_.empty() && constraints_.num_rows(RowLevel::acceleration) > 0) {
      constraints_.acceleration_bias(w_, state_.time(), state_.q(), state_.u(), b);
      look(RowLevel::acceleration, b);
    }
    return std::move(found_);
  }

 private:
  /// Among the rows that hold at this level or a lower one.
  void look(RowLevel level, const std::vector<double>& right_side) {
    constexpr double enough = 1e-6, meet = 1e-6;
    std::vector<int> rows;
    for (int i = 0; i < constraints_.num_rows(); ++i)
      if (constraints_.level(i) <= level) rows.push_back(i);
    const Eigen::Index m = Eigen::Index(rows.size());
    if (m == 0) return;
    Eigen::VectorXd r(m);
    for (Eigen::Index i = 0; i < m; ++i) r[i] = right_side[std::size_t(rows[std::size_t(i)])];
    if (r.lpNorm<Eigen::Infinity>() <= enough) return;
    const Eigen::MatrixXd G = G_(rows, Eigen::all);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-7);  // rows that cannot be met become dependent only as well as assembling converges
    solver.compute(G);
    const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(m, m) - G * solver.solve(Eigen::MatrixXd::Identity(m, m));
    const Eigen::VectorXd left = P * r;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (std::abs(left[i]) <= enough) continue;
      const int row = rows[std::size_t(i)];
      ConstraintConflict conflict{constraints_.owner(row), constraints_.row_of_owner(row), level, left[i], {}};
      for (Eigen::Index j = 0; j < m; ++j)
        if (j != i && std::abs(P(i, j)) > meet && std::abs(left[j]) > enough)
          add_once(conflict.others, constraints_.owner(rows[std::size_t(j)]));
      found_.push_back(std::move(conflict));
    }
  }

  const State& state_;
  tree::Constraints constraints_;
  tree::Workspace w_;
  Eigen::MatrixXd G_;
  std::vector<ConstraintConflict> found_;
};

std::vector<ConstraintConflict> conflicts_from(State state, bool closed) {
  if (!closed) tree::assemble(state);
  return ConflictFinder(state).find();
}

}  // namespace

Inspection inspect(State state) {
  const Mechanism& m = state.mechanism();
  tree::Workspace w(m);
  tree::realize(state, w, Stage::velocity);

  tree::kinematics(w, state.q(), state.u());
  const tree::Constraints constraints(m, state.enabled());
  std::vector<double> errors(std::size_t(constraints.num_rows()));
  constraints.errors(w, state.time(), state.q(), errors);

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
    r.rows.push_back({constraints.owner(i), constraints.row_of_owner(i), errors[i], constraints.level(i), false});
  for (int i = 0; i < constraints.num_rows(); ++i) r.loop_joint_rows += constraints.element(i) < r.loop_joints;
  r.independent_rows = mark_redundant(free_matrix(constraints, w, state), r.rows);
  const std::vector<char> driven = driven_speeds(state);
  r.kinematic = int(std::count(driven.begin(), driven.end(), char(1)));
  r.degrees_of_freedom = r.speeds - r.kinematic - r.independent_rows;
  for (const auto& row : r.rows) r.largest_error = std::max(r.largest_error, std::abs(row.error));
  r.kinetic_energy = state.kinetic_energy();
  r.potential_energy = state.potential_energy();
  r.momentum = state.momentum();
  r.center_of_mass = tree::center_of_mass(w);
  r.conflicts = conflicts_from(std::move(state), r.largest_error <= 1e-6);
  return r;
}

}  // namespace polhode::study
