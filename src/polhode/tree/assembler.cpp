#include "polhode/tree/assembler.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "polhode/mechanism/one_sided.h"
#include "polhode/tree/chart_move.h"

namespace polhode::tree {
namespace {

/// Rows of length one that come nearer to each other than this, or to what others add up to, are redundant. It is the root of
/// what linear::SemidefiniteSolver takes for a pivot.
constexpr double dependent = 3e-6;

}  // namespace

Assembler::Assembler(const State& state, AssemblerOptions options)
    : Assembler(state, std::move(options), std::make_unique<AssemblyMemory>(state.mechanism())) {}

Assembler::Assembler(const State& state, AssemblerOptions options, std::unique_ptr<AssemblyMemory> own)
    : Assembler(state, std::move(options), *own) {
  own_ = std::move(own);
}

Assembler::Assembler(const State& state, AssemblerOptions options, AssemblyMemory& memory)
    : m_(state.mechanism()),
      o_(std::move(options)),
      time_(state.time()),
      constraints_(memory.constraints),
      w_(memory.workspace),
      always_held_(std::size_t(m_.num_u())),
      goal_r_(std::size_t(o_.goals.num_rows())),
      goal_values_(std::size_t(o_.goals.num_rows()) * std::size_t(m_.num_u())),
      scratch_(6 * std::size_t(m_.num_u())),
      step_(std::size_t(m_.num_u())) {
  require_equations(m_);
  validate(o_.goals, m_);
  if (!o_.locked.empty() && o_.locked.size() != std::size_t(m_.num_u()))
    throw std::invalid_argument(fmt::format("locked speeds: {} given, {} needed", o_.locked.size(), m_.num_u()));
  constraints_.set_active(state.enabled());
  for (auto* by_row : {&h_, &gaps_}) by_row->resize(std::size_t(constraints_.num_rows()));
  values_.resize(std::size_t(constraints_.num_entries()));
  begin(state);
}

void Assembler::begin(const State& state) {
  for (int u = 0; u < m_.num_u(); ++u)
    always_held_[u] = state.drives()[u] == Drive::position || (!o_.locked.empty() && o_.locked[u] != 0);
  sort_rows();
  hold({});

  positions(w_, state.q());
  constraints_.gaps(w_, gaps_);
  double length = extent(w_);
  for (const PointGoal& goal : o_.goals.points) length = std::max(length, norm(goal.target));
  constraints_.errors(w_, time_, state.q(), h_);
  for (const int row : hard_) length = std::max(length, std::abs(h_[row]));
  scales_ = motion_scales(m_, length);
}

/// Which rows must hold, which are goals. Rows of velocities and accelerations say nothing about configurations.
void Assembler::sort_rows() {
  const std::size_t elements = std::size_t(m_.num_constraint_elements());
  if (!o_.constraint_weights.empty() && o_.constraint_weights.size() != elements)
    throw std::invalid_argument(fmt::format("constraint weights: {} given, {} needed", o_.constraint_weights.size(), elements));
  for (const double weight : o_.constraint_weights)
    if (!(weight >= 0)) throw std::invalid_argument(fmt::format("constraint weight {} must be 0 or more", weight));
  for (int row = 0; row < constraints_.num_rows(); ++row) {
    if (!constraints_.is_holonomic(row)) continue;
    const double weight = o_.constraint_weights.empty() ? std::numeric_limits<double>::infinity()
                                                        : o_.constraint_weights[std::size_t(constraints_.element(row))];
    if (std::isinf(weight)) {
      hard_.push_back(row);
    } else if (weight > 0) {
      soft_.push_back({row, std::sqrt(weight)});
    }
  }
}

void Assembler::set_point_target(int i, const Vec3<double>& target, double weight) {
  o_.goals.points.at(std::size_t(i)).target = target;
  o_.goals.points[std::size_t(i)].weight = weight;
}

void Assembler::hold(const std::vector<char>& also) {
  free_.clear();
  place_.assign(m_.num_u(), -1);
  for (int u = 0; u < m_.num_u(); ++u) {
    if (always_held_[u] || (!also.empty() && also[u] != 0)) continue;
    place_[u] = int(free_.size());
    free_.push_back(u);
  }
}

void Assembler::evaluate(const std::vector<double>& q, bool goals) {
  positions(w_, q);
  constraints_.errors_and_jacobian(w_, time_, q, h_, values_);
  if (goals) goal_errors(w_, o_.goals, q, goal_r_, goal_values_, scratch_);
}

double Assembler::largest() const {
  double worst = 0;
  for (const int row : hard_) worst = std::isfinite(h_[row]) ? std::max(worst, std::abs(h_[row])) : INFINITY;
  return worst;
}
double Assembler::squared() const {
  double sum = 0;
  for (const int row : hard_) sum += h_[row] * h_[row];
  return std::isfinite(sum) ? sum : INFINITY;
}

template <class Row>
void Assembler::put_row(int row, double factor, Row&& out) const {
  out.setZero();
  const auto columns = constraints_.columns(row);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (const int place = place_[columns[k]]; place >= 0) out[place] = factor * values_[constraints_.row_starts()[row] + k];
}

void Assembler::fill_G() {
  G_.resize(Eigen::Index(hard_.size()), Eigen::Index(free_.size()));
  h_hard_.resize(Eigen::Index(hard_.size()));
  for (std::size_t i = 0; i < hard_.size(); ++i) {
    put_row(hard_[i], 1, G_.row(Eigen::Index(i)));
    h_hard_[Eigen::Index(i)] = h_[hard_[i]];
  }
  weight_.setOnes(G_.rows());
}

/// Rows of length one: which of them depend on each other then is not a matter of units.
void Assembler::weigh_rows() {
  for (Eigen::Index i = 0; i < G_.rows(); ++i)
    if (const double size = G_.row(i).norm(); size > 0) weight_[i] = 1 / size;
  G_ = weight_.asDiagonal() * G_;
  h_hard_ = weight_.cwiseProduct(h_hard_);
}

void Assembler::fill_J() {
  const Eigen::Index goals = o_.goals.num_rows(), rows = goals + Eigen::Index(soft_.size());
  J_.resize(rows, Eigen::Index(free_.size()));
  r_.resize(rows);
  for (Eigen::Index i = 0; i < goals; ++i) {
    r_[i] = goal_r_[std::size_t(i)];
    for (std::size_t k = 0; k < free_.size(); ++k)
      J_(i, Eigen::Index(k)) = goal_values_[std::size_t(i) * m_.num_u() + free_[k]];
  }
  for (std::size_t i = 0; i < soft_.size(); ++i) {
    put_row(soft_[i].row, soft_[i].root, J_.row(goals + Eigen::Index(i)));
    r_[goals + Eigen::Index(i)] = soft_[i].root * h_[soft_[i].row];
  }
}

/// The shortest step to where the linearised rows vanish: -G^T (G G^T + damping)^+ h.
Eigen::VectorXd Assembler::shortest_step(double damping) const {
  if (G_.size() == 0) return Eigen::VectorXd::Zero(G_.cols());  // nothing may move, or nothing must
  if (damping == 0) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(dependent);
    solver.compute(G_);
    return -solver.solve(h_hard_);
  }
  Eigen::MatrixXd A = G_ * G_.transpose();
  A.diagonal().array() += damping;
  return -G_.transpose() * A.ldlt().solve(h_hard_);
}

/// How many times the step is as long as motions of order one.
double Assembler::too_long(const Eigen::VectorXd& step) const {
  double most = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) most = std::max(most, std::abs(step[Eigen::Index(k)]) / scales_[free_[k]]);
  return most;
}

void Assembler::move(const std::vector<double>& from, const Eigen::VectorXd& step, std::vector<double>& to) {
  std::fill(step_.begin(), step_.end(), 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) step_[free_[k]] = step[Eigen::Index(k)];
  to.resize(from.size());
  move_on_charts(m_, from, step_, to);
}

bool Assembler::within_gaps() const {
  return std::all_of(hard_.begin(), hard_.end(),
                     [&](int row) { return std::abs(h_[row]) <= std::max(o_.tolerance, gaps_[row]); });
}

/// Of the errors at hand, by the last weights.
double Assembler::weighed() const {
  double sum = 0;
  for (std::size_t i = 0; i < hard_.size(); ++i) sum += square(weight_[Eigen::Index(i)] * h_[hard_[i]]);
  return std::isfinite(sum) ? sum : INFINITY;
}

/// Gauss-Newton with damping where it does not help. Leaves rows and derivatives at the new q. With all rows weighed alike it
/// can be told which depend on each other; with their own units the squared errors come to their least sum.
Assembler::Met Assembler::settle(std::vector<double>& q, int most_iterations, bool weigh) {
  double damping = 0;
  int slow = 0;
  bool nothing_helps = free_.empty();
  evaluate(q, false);
  std::vector<double> from;
  for (int iteration = 0; iteration < most_iterations && largest() > exact && slow < 12 && !nothing_helps; ++iteration) {
    if (!std::isfinite(squared())) break;
    fill_G();
    if (weigh) weigh_rows();
    const double before = weighed();
    from = q;
    Eigen::VectorXd step = shortest_step(damping);
    if (!step.allFinite()) break;
    const double helps = (G_ * step).cwiseQuotient(weight_).lpNorm<Eigen::Infinity>();
    nothing_helps = damping == 0 && helps <= exact;
    if (const double excess = too_long(step); excess > 1) step /= excess;
    move(from, step, q);
    evaluate(q, false);
    if (weighed() < before) {
      damping = damping < 1e-8 ? 0 : 0.1 * damping;
      slow = weighed() > 0.999 * before ? slow + 1 : 0;
      continue;
    }
    if (weigh && damping == 0 && helps <= o_.tolerance && largest() > o_.tolerance) {
      nothing_helps = true;  // beside what cannot be met the sum does not show the last of the progress
      break;
    }
    q = from;
    evaluate(q, false);
    if (largest() < 1e-11) break;  // round-off
    damping = std::max(10 * damping, 1e-6);
    if (damping > 1e6) break;
  }
  if (largest() <= o_.tolerance) return Met::exactly;
  return weigh && nothing_helps && within_gaps() ? Met::but_for_gaps : Met::not_met;
}

/// The restarts that take a few seconds at most.
int Assembler::affordable(int restarts) const {
  const double m = double(hard_.size() + soft_.size()) + o_.goals.num_rows(), n = double(free_.size());
  const double one_run = 100 * m * n * std::max(1.0, std::min(m, n));
  return std::clamp(int(std::min(2e10 / std::max(1.0, one_run), 1e6)), std::min(2, restarts), restarts);
}

bool Assembler::meet_constraints(std::vector<double>& q, bool gaps) {
  const std::vector<double> start = q;
  random_ = 0x9E3779B97F4A7C15ull;
  Met met = settle(q, 200);
  if (met == Met::exactly) return true;
  if (!gaps) met = Met::not_met;
  std::vector<double> best = q;
  double least = squared();
  const int most = free_.empty() ? 0 : affordable(o_.restarts);
  for (int i = 0; i < most; ++i) {
    // From a thousandth of order one up to pi: singular places first, then anywhere.
    const double size = std::min(3.2, 1e-3 * std::pow(3200.0, 1.4 * double(i) / std::max(1, most - 1)));
    if (met == Met::but_for_gaps && size > 0.01) break;  // it is no singular place
    q = start;
    scatter(q, size, nullptr);
    if (settle(q, 200) == Met::exactly) return true;
    if (met != Met::but_for_gaps && squared() < least) least = squared(), best = q;
  }
  q = best;
  if (met == Met::but_for_gaps) return true;
  settle(q, 200, false);
  return false;
}

/// An orthonormal basis of the motions that the constraints allow, from G_.
Eigen::MatrixXd Assembler::free_directions() const {
  const Eigen::Index n = G_.cols();
  if (G_.size() == 0) return Eigen::MatrixXd::Identity(n, n);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(dependent);
  qr.compute(G_.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

/// The length of half the goal's gradient in the directions that constraints leave free.
double Assembler::slope(const std::vector<double>& q) {
  evaluate(q, true);
  fill_G(), weigh_rows(), fill_J();
  return (free_directions().transpose() * (J_.transpose() * r_)).norm();
}

void Assembler::descend(std::vector<double>& q) {
  double damping = 1e-9;
  double phi = goal(q);
  std::vector<double> from;
  for (int iteration = 0; iteration < 300; ++iteration) {
    evaluate(q, true);
    fill_G(), weigh_rows(), fill_J();
    const Eigen::MatrixXd Z = free_directions(), A = J_ * Z;
    const Eigen::VectorXd gradient = A.transpose() * r_;
    const Eigen::MatrixXd B = A.transpose() * A;
    const double unit = B.size() == 0 ? 0 : B.diagonal().maxCoeff();
    if (unit == 0 || gradient.lpNorm<Eigen::Infinity>() <= 1e-15 * std::sqrt(unit) * (1e-3 + r_.norm())) return;
    const Eigen::VectorXd back = G_.rows() == 0 ? Eigen::VectorXd::Zero(G_.cols()) : shortest_step(0);
    from = q;
    bool better = false;
    while (!better && damping < 1e8) {
      Eigen::MatrixXd D = B;
      D.diagonal().array() += damping * unit;
      Eigen::VectorXd step = back - Z * D.ldlt().solve(gradient);
      if (const double excess = too_long(step); excess > 1) step /= excess;
      if (too_long(step) < 1e-14) return;
      const double expected = -(2 * gradient.dot(Z.transpose() * step)) / std::max(phi, 1e-300);
      move(from, step, q);
      const bool kept = hard_.empty() || settle(q, 20) != Met::not_met;
      const double reached = kept ? goal(q) : INFINITY;
      // Near a minimum that is not zero the sum no longer shows progress; its slope does.
      better = expected > 1e-11 ? reached < phi : reached <= phi * (1 + 1e-12) && slope(q) < 0.9 * gradient.norm();
      if (better) {
        phi = reached;
        damping = std::max(0.1 * damping, 1e-15);
        if (phi < 1e-28) return;
      } else {
        q = from;
        damping *= 10;
      }
    }
    if (!better) return;
  }
}

void Assembler::approach_goals(std::vector<double>& q, int restarts) {
  if (!has_goals() || free_.empty()) return;
  if (restarts > 0) random_ = 0x9E3779B97F4A7C15ull;
  descend(q);
  double least = goal(q);
  const int most = restarts == 0 ? 0 : affordable(restarts);
  for (int i = 0; i < most && least > o_.tolerance * o_.tolerance; ++i) {
    evaluate(q, false);
    fill_G(), weigh_rows();
    const Eigen::MatrixXd Z = free_directions();
    std::vector<double> other = q;
    scatter(other, i < 2 ? 1e-3 : std::min(3.2, 0.1 * std::pow(2.0, i - 2)), &Z);
    if (!hard_.empty() && settle(other, 100) == Met::not_met) continue;
    descend(other);
    if (const double reached = goal(other); reached < least * (1 - 1e-6)) least = reached, q = other;
  }
}

/// A generator of its own, so that every library and machine gives the same numbers (splitmix64).
double Assembler::uniform() {
  unsigned long long z = (random_ += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return 2 * (double((z ^ (z >> 31)) >> 11) * 0x1p-53) - 1;
}

/// Moves q at random, by up to `size` times motions of order one, all ways or within the given directions.
void Assembler::scatter(std::vector<double>& q, double size, const Eigen::MatrixXd* within) {
  Eigen::VectorXd step(Eigen::Index(free_.size()));
  for (std::size_t k = 0; k < free_.size(); ++k) step[Eigen::Index(k)] = size * scales_[free_[k]] * uniform();
  if (within != nullptr) step = *within * (within->transpose() * step);
  const std::vector<double> from = q;
  move(from, step, q);
}

double Assembler::largest_error(const std::vector<double>& q) {
  positions(w_, q);
  constraints_.errors(w_, time_, q, h_);
  return largest();
}

std::vector<UnmetRow> Assembler::unmet(const std::vector<double>& q, double beyond) {
  largest_error(q);
  std::vector<UnmetRow> rows;
  for (const int row : hard_)
    if (!(std::abs(h_[row]) <= beyond)) rows.push_back({constraints_.owner(row), constraints_.row_of_owner(row), h_[row]});
  return rows;
}

double Assembler::goal(const std::vector<double>& q) {
  positions(w_, q);
  goal_errors(w_, o_.goals, q, goal_r_, {}, scratch_);
  double sum = 0;
  for (const double r : goal_r_) sum += r * r;
  if (!soft_.empty()) constraints_.errors(w_, time_, q, h_);
  for (const SoftRow& soft : soft_) sum += soft.root * soft.root * h_[soft.row] * h_[soft.row];
  return sum;
}

}  // namespace polhode::tree
