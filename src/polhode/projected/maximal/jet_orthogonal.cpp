#include "polhode/projected/maximal/jet_orthogonal.h"

#include <algorithm>
#include <cmath>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

constexpr int width = JetSystem::width;

Vec3<double> vector_at(const double* a) { return {a[0], a[1], a[2]}; }

}  // namespace

linear::BlockGraph JetOrthogonal::graph_of(const JetSystem& system) {
  linear::BlockGraph graph;
  const SaddleLayout& rows = system.rows();
  const int bodies = system.coordinates().num_bodies();
  const std::size_t groups = rows.groups().size();
  graph.nodes.assign(std::size_t(2 * bodies), {.size = system.coordinates().directions()});
  const auto add_node = [&](const SaddleLayout::Group& group, int size) {
    const bool touches_ground = rows.nodes()[std::size_t(group.node)].touches_ground;
    graph.nodes.push_back({.size = size, .constraint = true, .touches_ground = touches_ground});
  };
  for (const SaddleLayout::Group& group : rows.groups()) add_node(group, group.count);
  std::vector<int> of_positions(groups, -1);
  for (std::size_t g = 0; g < groups; ++g) {
    const SaddleLayout::Group& group = rows.groups()[g];
    if (group.num_position_rows == 0) continue;
    of_positions[g] = int(graph.nodes.size());
    add_node(group, group.num_position_rows);
  }
  for (const SaddleLayout::Block& block : rows.blocks()) {
    const int body = block.body - 1, velocity_rows = 2 * bodies + block.group;
    graph.edges.emplace_back(bodies + body, velocity_rows);
    graph.edges.emplace_back(body, velocity_rows);
    if (const int n = of_positions[std::size_t(block.group)]; n >= 0) graph.edges.emplace_back(body, n);
  }
  return graph;
}

JetOrthogonal::JetOrthogonal(JetSystem& system, JetInvariants& invariants, double tolerance)
    : system_(system), invariants_(invariants), tolerance_(tolerance), ldu_(graph_of(system)) {
  const SaddleLayout& rows = system.rows();
  int next = 2 * num_bodies() + int(rows.groups().size());
  for (const SaddleLayout::Group& group : rows.groups()) position_rows_.push_back(group.num_position_rows > 0 ? next++ : -1);
  for (const SaddleLayout::Block& block : rows.blocks()) {
    const int body = block.body - 1, velocity = num_bodies() + body, v = velocity_rows(block.group);
    const int p = position_rows_[std::size_t(block.group)];
    links_.push_back({ldu_.block(velocity, v), ldu_.block(v, velocity), ldu_.block(body, v), ldu_.block(v, body),
                      p >= 0 ? ldu_.block(body, p) : nullptr, p >= 0 ? ldu_.block(p, body) : nullptr});
  }
  unknowns_ = std::size_t(width * next);
  const std::size_t n = std::size_t(system.size()), m = std::size_t(invariants.count());
  const std::size_t tangent = std::size_t(width * num_bodies());
  for (auto* point : {&a_, &a1_, &difference_, &scratch_y1_}) point->resize(n);
  curved_.resize(system.jacobian().size());
  x_.resize(unknowns_);
  borders_.resize(unknowns_ * m);
  gradients_.resize(2 * tangent * m);
  f_.resize(m);
  matrix_.resize(m * m);
  velocities_.resize(tangent);
}

void JetOrthogonal::second_differential(double t, const double* y, const double* y1, JetCounters& counters) {
  const JetCoordinates& coordinates = system_.coordinates();
  system_.read_velocities(velocities_.data());
  double most = 1;
  for (const double s : velocities_) most = std::max(most, std::abs(s));
  const double eps = 1e-5 / most;  // truncation eps^2, rounding 1e-16 / eps: both about 1e-10
  std::fill(curved_.begin(), curved_.end(), 0.0);
  for (const double side : {1.0, -1.0}) {
    // x_ and a vector of y serve as memory here; both are filled anew afterwards.
    std::copy_n(y, difference_.size(), difference_.begin());
    for (std::size_t i = 0; i < velocities_.size(); ++i) x_[i] = side * eps * velocities_[i];
    coordinates.move(x_.data(), difference_.data(), scratch_y1_.data());
    system_.place(t, difference_.data(), y1);
    system_.linearize(counters);
    for (std::size_t i = 0; i < curved_.size(); ++i) curved_[i] += side * system_.jacobian()[i] / (2 * eps);
  }
  system_.place(t, y, y1);
  system_.linearize(counters);
  if (coordinates.planar()) return;
  // With y1 kept in the jet space while theta turns by phi, Omega changes by Omega x phi / 2; and derivatives along body axes
  // do not commute: in all, C = dG/dt - G_w [Omega]x / 2.
  for (const SaddleLayout::Block& block : system_.rows().blocks()) {
    const SaddleLayout::Group& group = system_.rows().groups()[std::size_t(block.group)];
    const Vec3<double> w = system_.bodies()[std::size_t(block.body)].w;
    for (int k = 0; k < group.num_position_rows; ++k) {
      double* const row = curved_.data() + block.value[std::size_t(k)];
      const Vec3<double> turn = cross(vector_at(system_.jacobian().data() + block.value[std::size_t(k)]), w);
      for (int c = 0; c < 3; ++c) row[c] -= 0.5 * turn[c];
    }
  }
}

bool JetOrthogonal::factor() {
  const JetCoordinates& coordinates = system_.coordinates();
  const int directions = coordinates.directions();
  ldu_.clear();
  for (int b = 0; b < num_bodies(); ++b) {
    double *const position = ldu_.diagonal(b), *const velocity = ldu_.diagonal(num_bodies() + b);
    for (int i = 0; i < directions; ++i) position[9 * i] = velocity[9 * i] = coordinates.metric(i);
    if (coordinates.planar()) continue;
    // theta1 is made tangent again where theta turns: a change by Omega . phi / 4 along theta.
    const Vec3<double> w = system_.bodies()[std::size_t(b + 1)].w;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) position[8 * c + r] += coordinates.weight_of_turns() * w[r] * w[c] / 16;
  }
  const auto blocks = system_.rows().blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SaddleLayout::Group& group = system_.rows().groups()[std::size_t(blocks[i].group)];
    const Links& to = links_[i];
    for (int k = 0; k < group.count; ++k) {
      const double* const row = system_.jacobian().data() + blocks[i].value[std::size_t(k)];
      const double* const curved = curved_.data() + blocks[i].value[std::size_t(k)];
      for (int c = 0; c < directions; ++c) {
        to.gradient[width * k + c] = to.gradient_t[width * c + k] = row[c];
        if (k >= group.num_position_rows) continue;
        to.curved[width * k + c] = to.curved_t[width * c + k] = curved[c];
        to.position[width * k + c] = to.position_t[width * c + k] = row[c];
      }
    }
  }
  hold_inactive_rows();
  return ldu_.factor();
}

/// Units on the diagonal for rows of zeros, as in maximal::SaddleMatrix.
void JetOrthogonal::hold_inactive_rows() {
  const auto groups = system_.rows().groups();
  const auto hold = [&](int node, int count) {
    for (int k = 0; k < count; ++k) ldu_.diagonal(node)[(width + 1) * k] -= 1;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (system_.constraints().elements()[std::size_t(groups[g].element)].active) continue;
    hold(velocity_rows(int(g)), groups[g].count);
    if (position_rows_[g] >= 0) hold(position_rows_[g], groups[g].num_position_rows);
  }
}

void JetOrthogonal::right_hand_side(const double* y, const double* y1) {
  const JetCoordinates& coordinates = system_.coordinates();
  std::fill(x_.begin(), x_.end(), 0.0);
  for (std::size_t i = 0; i < a_.size(); ++i) difference_[i] = a_[i] - y[i];
  coordinates.along(y, difference_.data(), x_.data());
  for (std::size_t i = 0; i < a_.size(); ++i) difference_[i] = a1_[i] - y1[i];
  coordinates.along(y, difference_.data(), x_.data() + width * num_bodies());
  for (int b = 0; b < num_bodies() && !coordinates.planar(); ++b) {
    double across = 0;  // <a1, theta>
    for (int i = 3; i < 7; ++i) across += a1_[std::size_t(7 * b + i)] * y[7 * b + i];
    const Vec3<double> w = system_.bodies()[std::size_t(b + 1)].w;
    for (int c = 0; c < 3; ++c) x_[std::size_t(width * b + c)] -= 0.25 * coordinates.weight_of_turns() * across * w[c];
  }
  for (std::size_t g = 0; g < position_rows_.size(); ++g) {
    const SaddleLayout::Group& group = system_.rows().groups()[g];
    double* const of_velocity = x_.data() + width * velocity_rows(int(g));
    for (int k = 0; k < group.count; ++k) of_velocity[k] = -system_.velocity_error(group.first_use + k);
    double* const of_position = x_.data() + width * std::max(0, position_rows_[g]);
    for (int k = 0; k < group.num_position_rows; ++k) of_position[k] = -system_.g(group.first_use + k);
  }
}

bool JetOrthogonal::meet_invariants(JetCounters& counters) {
  const int m = invariants_.count();
  const std::size_t tangent = velocities_.size();
  for (int i = 0; i < m; ++i) {
    double *const gradient = gradients_.data() + 2 * tangent * std::size_t(i), *const border =
                                                                                   borders_.data() + unknowns_ * std::size_t(i);
    ++counters.invariant_gradients;
    invariants_.gradient(system_, i, gradient, gradient + tangent);
    std::fill_n(border, unknowns_, 0.0);
    std::copy_n(gradient, 2 * tangent, border);
    ldu_.solve({border, unknowns_});
  }
  const auto inner = [&](int i, const double* b) {
    const double* const gradient = gradients_.data() + 2 * tangent * std::size_t(i);
    double sum = 0;
    for (std::size_t k = 0; k < 2 * tangent; ++k) sum += gradient[k] * b[k];
    return sum;
  };
  for (int i = 0; i < m; ++i) {
    f_[std::size_t(i)] += inner(i, x_.data());
    for (int j = 0; j < m; ++j) matrix_[std::size_t(i * m + j)] = inner(i, borders_.data() + unknowns_ * std::size_t(j));
  }
  if (!solve_small(m, matrix_.data(), f_.data())) return false;
  for (int j = 0; j < m; ++j)
    for (std::size_t k = 0; k < unknowns_; ++k) x_[k] -= f_[std::size_t(j)] * borders_[unknowns_ * std::size_t(j) + k];
  return true;
}

bool JetOrthogonal::project(double t, double* y, double* y1, const double* work, JetCounters& counters, long& iterations) {
  const JetCoordinates& coordinates = system_.coordinates();
  std::copy_n(y, a_.size(), a_.begin());
  std::copy_n(y1, a1_.size(), a1_.begin());
  coordinates.normalize(y, y1);
  double moved = 0;
  for (int i = 0;; ++i) {
    system_.place(t, y, y1);
    system_.linearize(counters);
    // Far from the origin, or with long arms, rounding alone may be more than the tolerance.
    const double rounding = std::max(system_.rounding_of_positions(), system_.rounding_of_velocities());
    double error = std::max(system_.num_rows() > 0 ? system_.position_error() : 0.0, system_.velocity_error());
    if (error <= rounding) error = 0;
    if (work) error = std::max(error, invariants_.errors(system_, *work, f_.data()));
    if (!std::isfinite(error)) return false;
    if (error <= tolerance_ && (i == 0 || moved <= 10 * std::max(tolerance_, rounding))) return true;
    if (i == acceptance::most_iterations) return false;
    ++iterations;
    second_differential(t, y, y1, counters);
    if (!factor()) return false;
    right_hand_side(y, y1);
    ldu_.solve(x_);
    if (work && !meet_invariants(counters)) return false;
    moved = 0;
    for (int k = 0; k < 2 * width * num_bodies(); ++k) moved = std::max(moved, std::abs(x_[std::size_t(k)]));
    if (!(moved < 1)) return false;
    coordinates.move(x_.data(), y, y1);
    coordinates.change_velocities(y, x_.data() + width * num_bodies(), y1);
  }
}

}  // namespace polhode::projected
