#include "polhode/projected/maximal/jet_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/body_size.h"
#include "polhode/projected/maximal/acceptance.h"
#include "polhode/projected/maximal/jet_blocks.h"
#include "polhode/tree/constraints.h"

namespace polhode::projected {
namespace {

/// Whether some row may depend on time, or ask for a velocity that is not zero.
bool may_move(const Mechanism& mechanism) {
  const auto moves = [](const auto& model) {
    using Model = std::remove_cvref_t<decltype(model)>;
    if constexpr (LinearConstraint<Model>) {
      const LinearEquation equation = model.equation();
      return equation.level != RowLevel::position || !equation.signal.is_constant();
    }
    return std::is_same_v<Model, std::shared_ptr<const CustomConstraint>>;
  };
  bool any = false;
  for (const Constraint& constraint : mechanism.constraints()) any |= std::visit(moves, constraint.model);
  return any;
}

bool has_potential_that_depends_on_time(const Mechanism& mechanism) {
  return mechanism.forces().any([](const auto& force) { return force.has_potential && force.depends_on_time(); });
}

}  // namespace

JetSystem::JetSystem(const Mechanism& mechanism, std::span<const char> enabled, const JetCoordinates& coordinates,
                     std::span<const char> kept_rows, std::span<const char> lockable)
    : mechanism_(mechanism),
      coordinates_(coordinates),
      constraints_(mechanism, {}, lockable),
      forces_(mechanism),
      rows_(constraints_, SaddleLayout::Nodes::by_element, kept_rows),
      metric_(rows_, coordinates.directions(), metric_blocks(coordinates)),
      mass_(rows_, coordinates.directions(), mass_blocks(mechanism, coordinates), without_inertia(mechanism, coordinates),
            weight_of(mechanism, coordinates)),
      body_size_(largest_body(mechanism)),
      near_(mechanism.initial_q()),
      bodies_(std::size_t(mechanism.num_bodies())),
      potential_depends_on_time_(has_potential_that_depends_on_time(mechanism)),
      rows_move_(may_move(mechanism) || !constraints_.driven().empty()) {
  if (coordinates.planar()) constraints_.turn_frames(coordinates.normals());
  const std::size_t rows = std::size_t(constraints_.num_rows());
  h_.resize(rows);
  h_t_.resize(rows);
  bias_.resize(rows);
  values_.resize(std::size_t(constraints_.num_values()));
  loads_.resize(std::size_t(width * mechanism.num_bodies()));
  potential_loads_ = loads_;
  x_.resize(mass_.size());
  velocity_errors_.resize(std::size_t(num_rows()));
  sizes_of_rows_.resize(std::size_t(num_rows()));
  velocities_.resize(std::size_t(width * coordinates.num_bodies()));
  if (!enabled.empty()) set_active(enabled);
}

void JetSystem::set_active(std::span<const char> enabled) {
  constraints_.set_active(enabled);
  metric_.set_active(constraints_);
  mass_.set_active(constraints_);
}

void JetSystem::set_driven(const State& state) {
  constraints_.set_driven(state);
  metric_.set_active(constraints_);
  mass_.set_active(constraints_);
}

void JetSystem::place(double t, const double* y, const double* y1) {
  t_ = t;
  coordinates_.to_bodies(y, y1, bodies_);
}

void JetSystem::linearize(JetCounters& counters) {
  if (num_rows() == 0) return;
  ++counters.jacobians;
  constraints_.errors_and_jacobian(t_, bodies_, near_, h_, values_);
  if (!coordinates_.planar()) return;
  for (const SaddleLayout::Block& block : rows_.blocks())
    for (int k = 0; k < rows_.groups()[std::size_t(block.group)].count; ++k)
      coordinates_.reduce(block.body, values_.data() + block.value[std::size_t(k)]);
}

bool JetSystem::is_near_constraints() const { return position_error() <= acceptance::far_off * std::max(1.0, body_size_); }

int JetSystem::count_redundant_rows(double rank_tolerance) {
  if (num_rows() == 0) return 0;
  metric_.allow_redundant_rows(RedundantRows::none);
  metric_.set_rank_tolerance(rank_tolerance);
  const bool factored = metric_.factor(values_);
  metric_.set_rank_tolerance(linear::rank_tolerance);
  metric_.allow_redundant_rows(redundant_);
  return factored ? metric_.rank_deficiency() : 0;
}

void JetSystem::allow_redundant_rows(RedundantRows rows) {
  metric_.allow_redundant_rows(rows);
  mass_.allow_redundant_rows(rows);
  redundant_ = rows;
}

double JetSystem::error_beyond_gaps(Level level) const {
  double largest = 0;
  for (int i = 0; i < num_rows(); ++i) {
    const double error = level == Level::position ? g(i) : velocity_error(i);
    largest = std::max(largest, std::abs(error - metric_.left()[rows_.place(i)]));
  }
  return largest;
}

bool JetSystem::are_gaps(Level level) {
  // In a plane a row has one number for turning and two for shifts, in space three for each.
  const int turns = coordinates_.planar() ? 1 : 3;
  std::fill(sizes_of_rows_.begin(), sizes_of_rows_.end(), 0.0);
  for (const SaddleLayout::Block& block : rows_.blocks()) {
    const SaddleLayout::Group& group = rows_.groups()[std::size_t(block.group)];
    for (int k = 0; k < group.count; ++k) {
      const double* const row = values_.data() + block.value[std::size_t(k)];
      double turn = 0, shift = 0;
      for (int c = 0; c < coordinates_.directions(); ++c) (c < turns ? turn : shift) += row[c] * row[c];
      double& size = sizes_of_rows_[std::size_t(group.first_use + k)];
      size = std::max({size, std::sqrt(turn), std::sqrt(shift) * body_size_});
    }
  }
  double fastest = 0;
  for (const maximal::BodyMotion& body : bodies_) fastest = std::max({fastest, norm(body.w), norm(body.v) / body_size_});
  const double factor = tree::Constraints::gap * (level == Level::position ? 1 : fastest);
  for (int i = 0; i < num_rows(); ++i)
    if (!(std::abs(level == Level::position ? g(i) : velocity_error(i)) <= factor * sizes_of_rows_[std::size_t(i)]))
      return false;
  return true;
}

double JetSystem::position_error() const {
  double largest = 0;
  int worst = -1;
  for (int i = 0; i < num_rows(); ++i) {
    const double error = std::abs(g(i));
    if (!(error <= largest)) {
      largest = error;
      worst = i;
    }
    if (!std::isfinite(error)) break;
  }
  worst_row_ = worst;
  return largest;
}

double JetSystem::velocity_error() {
  if (num_rows() == 0) return 0;
  if (rows_move_) constraints_.rates(t_, bodies_, near_, h_t_);
  read_velocities(velocities_.data());
  multiply(velocities_.data(), velocity_errors_.data());
  double largest = 0;
  worst_row_ = -1;
  for (int i = 0; i < num_rows(); ++i) {
    velocity_errors_[std::size_t(i)] += h_t_[std::size_t(rows_.rows()[std::size_t(i)])];
    const double error = std::abs(velocity_errors_[std::size_t(i)]);
    if (!(error <= largest)) {
      largest = error;
      worst_row_ = i;
    }
    if (!std::isfinite(error)) break;
  }
  return largest;
}

void JetSystem::multiply(const double* s, double* out) const {
  std::fill_n(out, num_rows(), 0.0);
  for (const SaddleLayout::Block& block : rows_.blocks()) {
    const SaddleLayout::Group& group = rows_.groups()[std::size_t(block.group)];
    const double* const of_body = s + width * (block.body - 1);
    for (int k = 0; k < group.count; ++k) {
      const double* const row = values_.data() + block.value[std::size_t(k)];
      double sum = 0;
      for (int c = 0; c < 6; ++c) sum += row[c] * of_body[c];
      out[group.first_use + k] += sum;
    }
  }
}

double JetSystem::rounding_of_positions() const {
  double farthest = coordinates_.longest_arm();
  for (const maximal::BodyMotion& body : bodies_) farthest = std::max(farthest, norm(body.x));
  return acceptance::units_lost * farthest;
}

double JetSystem::rounding_of_velocities() const {
  double fastest = 0;
  for (const maximal::BodyMotion& body : bodies_)
    fastest = std::max(fastest, norm(body.v) + coordinates_.longest_arm() * norm(body.w));
  return acceptance::units_lost * fastest;
}

std::string JetSystem::row_name(int row) const {
  if (row < 0) return "no constraint";
  const auto groups = rows_.groups();
  const auto after = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first_use > row; });
  return constraints_.name(constraints_.elements()[std::size_t(std::prev(after)->element)]);
}

bool JetSystem::distribution(const double* y, const double* y1, double* y2, JetCounters& counters) {
  ++counters.distributions;
  evaluate_loads();
  std::fill(x_.begin(), x_.end(), 0.0);
  std::copy(loads_.begin() + width, loads_.end(), x_.begin());
  if (!coordinates_.planar()) {
    // The Christoffel map K(theta1, theta1) = H H1^T I H theta1 (definition 3.6) with Omega = 2 H theta1: 4 K = Omega x I
    // Omega.
    for (int b = 1; b < mechanism_.num_bodies(); ++b) {
      const maximal::BodyMotion& body = bodies_[std::size_t(b)];
      const Vec3<double> four_K = cross(body.w, mechanism_.bodies()[std::size_t(b)].mass.inertia * body.w);
      double* const load = x_.data() + width * (b - 1);
      load[0] -= four_K.x;
      load[1] -= four_K.y;
      load[2] -= four_K.z;
    }
  }
  if (num_rows() > 0) {
    constraints_.acceleration_bias(t_, bodies_, near_, bias_);
    for (int i = 0; i < num_rows(); ++i) x_[rows_.place(i)] = bias_[std::size_t(rows_.rows()[std::size_t(i)])];
  }
  if (!mass_.factor(values_)) return false;
  mass_.solve(values_, x_);
  coordinates_.second(y, y1, x_.data(), y2);
  return std::all_of(y2, y2 + size(), [](double a) { return std::isfinite(a); });
}

double JetSystem::multiplier(int row) const { return x_[rows_.place(row)]; }

void JetSystem::evaluate_potential() {
  forces_.evaluate_potential(t_, bodies_, near_, potential_loads_);
  if (!coordinates_.planar()) return;
  for (int b = 1; b < mechanism_.num_bodies(); ++b) coordinates_.reduce(b, potential_loads_.data() + width * b);
}

double JetSystem::potential_rate(const double* s) const {
  double rate = 0;
  for (int i = 0; i < width * coordinates_.num_bodies(); ++i) rate -= potential_loads_[std::size_t(width + i)] * s[i];
  return rate;
}

/// A difference of fourth order: a thousandth of a second leaves about 1e-12 of truncation, and of rounding.
double JetSystem::potential_rate_in_time() {
  if (!potential_depends_on_time_) return 0;
  constexpr double eps = 1e-3;
  const auto at = [&](double k) { return forces_.potential_energy(t_ + k * eps, bodies_, near_); };
  return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * eps);
}

void JetSystem::read_velocities(double* s) const {
  for (int b = 1; b < mechanism_.num_bodies(); ++b, s += width) {
    const maximal::BodyMotion& body = bodies_[std::size_t(b)];
    s[0] = body.w.x;
    s[1] = body.w.y;
    s[2] = body.w.z;
    s[3] = body.v.x;
    s[4] = body.v.y;
    s[5] = body.v.z;
    s[6] = s[7] = 0;
    coordinates_.reduce(b, s);
  }
}

void JetSystem::evaluate_loads() {
  forces_.evaluate(t_, bodies_, near_, loads_);
  if (!coordinates_.planar()) return;
  for (int b = 1; b < mechanism_.num_bodies(); ++b) coordinates_.reduce(b, loads_.data() + width * b);
}

double JetSystem::external_power() {
  double power = 0;
  read_velocities(velocities_.data());
  for (std::size_t i = 0; i < velocities_.size(); ++i) power += loads_[std::size_t(width) + i] * velocities_[i];
  if (rows_move_) {
    constraints_.rates(t_, bodies_, near_, h_t_);
    for (int i = 0; i < num_rows(); ++i) power += multiplier(i) * h_t_[std::size_t(rows_.rows()[std::size_t(i)])];
  }
  evaluate_potential();
  return power + potential_rate(velocities_.data()) + potential_rate_in_time();
}

}  // namespace polhode::projected
