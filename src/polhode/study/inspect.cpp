#include "polhode/study/inspect.h"

#include <Eigen/Dense>
#include <algorithm>

#include "polhode/mechanism/one_sided.h"
#include "polhode/study/row_elimination.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "polhode/tree/relax.h"

namespace polhode::study {
namespace {

/// Speeds whose motion is given: they give way to no constraint.
std::vector<char> driven_speeds(const State& state) {
  std::vector<char> driven;
  for (const Drive drive : state.drives()) driven.push_back(drive != Drive::forces);
  return driven;
}

/// G without the columns of driven speeds, by rows; and without entries that are but rounding of terms that cancel, such as
/// those of a pin that is closed by another on the same line.
SparseRows free_rows(const tree::Constraints& constraints, tree::Workspace& w, const State& state) {
  std::vector<double> values(std::size_t(constraints.num_entries()));
  constraints.jacobian(w, state.time(), state.q(), values);
  const std::vector<char> driven = driven_speeds(state);
  double largest = 1;  // what axes have, and arms of a metre
  for (const double value : values) largest = std::max(largest, std::abs(value));
  SparseRows rows;
  for (int i = 0; i < constraints.num_rows(); ++i) {
    SparseRow& row = rows.emplace_back();
    const auto columns = constraints.columns(i);
    const std::size_t first = std::size_t(constraints.row_starts()[std::size_t(i)]);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (!driven[std::size_t(columns[k])] && std::abs(values[first + k]) > 1e-13 * largest)
        row.push_back({columns[k], values[first + k]});
  }
  return rows;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Marks rows that depend on those before them, and says on which; gives the rank.
int mark_redundant(const SparseRows& G, std::vector<ConstraintRowReport>& rows, const InspectionProgress& progress) {
  RowElimination elimination;
  for (std::size_t i = 0; i < G.size(); ++i) {
    if (progress && i % 64 == 0) progress(double(i) / double(G.size()));
    rows[i].redundant = !elimination.add(G[i]);
    if (!rows[i].redundant) continue;
    for (const auto& [k, share] : elimination.combination())
      if (share > 1e-6) add_once(rows[i].follows_from, rows[std::size_t(k)].owner);
  }
  return elimination.rank();
}

/// Looks for equations that contradict each other: what is left of the right side r of G x = -r by the best x is P r, with P
/// the projection onto the combinations of rows that vanish. P_ij says whether rows i and j meet in one of those.
class ConflictFinder {
 public:
  explicit ConflictFinder(const State& state)
      : state_(state), constraints_(state.mechanism(), state.enabled()), w_(state.mechanism()) {
    tree::kinematics(w_, state.q(), state.u());
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
    const SparseRows all = free_rows(constraints_, w_, state_);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m, state_.mechanism().num_u());
    for (Eigen::Index i = 0; i < m; ++i)
      for (const auto& [column, value] : all[std::size_t(rows[std::size_t(i)])]) G(i, column) = value;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-7);  // rows that cannot be met become dependent only as well as assembling converges
    Eigen::MatrixXd P = Eigen::MatrixXd::Identity(m, m);
    if (G.cols() > 0) P -= G * solver.compute(G).solve(Eigen::MatrixXd::Identity(m, m));  // otherwise nothing can move
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
  std::vector<ConstraintConflict> found_;
};

}  // namespace

Inspection inspect(State state, const InspectionProgress& progress) {
  const Mechanism& m = state.mechanism();
  require_equations(m);
  tree::Relaxation{state};  // refuses constraints on fast coordinates, as every method that has fast coordinates does
  tree::Workspace w(m);
  tree::realize(state, w, Stage::velocity);

  tree::kinematics(w, state.q(), state.u());
  const tree::Constraints constraints(m, state.enabled());
  std::vector<double> errors(std::size_t(constraints.num_rows()));
  constraints.errors(w, state.time(), state.q(), errors);

  Inspection r{};
  r.center_of_mass = tree::center_of_mass(w);
  for (int b = 1; b < m.num_bodies(); ++b) {
    const bool whole = m.bodies()[b].part_of < 0;  // else it comes with a weld that is no joint of the user's
    r.bodies += whole;
    r.joints += (m.joints()[b].implicit ? 0 : 1) - (whole ? 0 : 1);
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
  for (const auto& row : r.rows) r.largest_error = std::max(r.largest_error, std::abs(row.error));
  // Which rows depend on others, and which contradict each other, shows where they are met, or as near to that as can be.
  State met = state;
  if (r.largest_error > 1e-6) tree::assemble(met);
  tree::kinematics(w, met.q(), met.u());
  r.independent_rows = mark_redundant(free_rows(constraints, w, met), r.rows, progress);
  r.conflicts = ConflictFinder(met).find();
  const std::vector<char> driven = driven_speeds(state);
  r.kinematic = int(std::count(driven.begin(), driven.end(), char(1)));
  r.degrees_of_freedom = r.speeds - r.kinematic - r.independent_rows;
  r.kinetic_energy = state.kinetic_energy();
  r.potential_energy = state.potential_energy();
  r.momentum = state.momentum();
  return r;
}

}  // namespace polhode::study
