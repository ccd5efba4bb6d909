#include "polhode/projected/maximal/jet_rows.h"

#include <algorithm>
#include <set>

namespace polhode::projected {

JetRows::JetRows(const maximal::Constraints& constraints, std::span<const char> kept) {
  constexpr int most = 6;
  const auto elements = constraints.elements();
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto& element = elements[e];
    touches_ground_.push_back(element.touches_ground);
    const auto sides = constraints.sides(element);
    if (sides.empty()) continue;
    const int first_velocity_row = element.num_rows - element.num_velocity_rows;
    std::vector<int> own;
    for (int r = 0; r < element.num_rows; ++r)
      if (kept[std::size_t(element.first_row + r)]) own.push_back(r);
    for (std::size_t begin = 0; begin < own.size(); begin += most) {
      const int count = int(std::min(own.size() - begin, std::size_t(most)));
      Node node{int(e), int(rows_.size()), count, 0};
      for (int k = 0; k < count; ++k) {
        const int r = own[begin + std::size_t(k)];
        rows_.push_back(element.first_row + r);
        node.num_position_rows += r < first_velocity_row;
      }
      any_velocity_rows_ |= node.num_position_rows < count;
      for (const auto& side : sides) {
        Block block{int(nodes_.size()), side.body, {}};
        for (int k = 0; k < count; ++k)
          block.value[std::size_t(k)] = side.first_value + maximal::row_width * own[begin + std::size_t(k)];
        blocks_.push_back(block);
      }
      nodes_.push_back(node);
    }
  }
}

linear::BlockGraph JetMatrix::graph_of(const JetRows& rows, int directions, std::span<const char> singular) {
  linear::BlockGraph graph;
  const int bodies = int(singular.size());
  graph.nodes.assign(std::size_t(bodies), {.size = directions});
  for (const JetRows::Node& node : rows.nodes())
    graph.nodes.push_back({.size = node.count, .constraint = true, .touches_ground = rows.touches_ground(node)});
  std::set<std::pair<int, int>> edges;
  const auto blocks = rows.blocks();
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i;
    bool weighted = false;
    for (; end < blocks.size() && blocks[end].node == blocks[i].node; ++end)
      weighted |= singular[std::size_t(blocks[end].body - 1)] != 0;
    for (std::size_t j = i; j < end; ++j) {
      edges.emplace(blocks[j].body - 1, bodies + blocks[j].node);
      for (std::size_t k = j + 1; k < end && weighted; ++k)
        edges.emplace(std::min(blocks[j].body, blocks[k].body) - 1, std::max(blocks[j].body, blocks[k].body) - 1);
    }
    i = end;
  }
  graph.edges.assign(edges.begin(), edges.end());
  return graph;
}

namespace {

std::vector<char> by_body(std::vector<char> singular, std::size_t bodies) {
  singular.resize(bodies, 0);
  return singular;
}

}  // namespace

JetMatrix::JetMatrix(const JetRows& rows, int directions, std::vector<Block> blocks, std::vector<char> singular, double weight)
    : rows_(&rows),
      directions_(directions),
      blocks_(std::move(blocks)),
      weight_(weight),
      ldu_(graph_of(rows, directions, by_body(singular, blocks_.size()))) {
  singular = by_body(std::move(singular), blocks_.size());
  const auto all = rows.blocks();
  weighted_.assign(all.size(), 0);
  for (auto* v : {&compliances_, &residual_, &z_, &p_, &Sp_, &left_, &gap_}) v->resize(size());
  for (const JetRows::Block& block : all)
    links_.push_back(
        {ldu_.block(block.body - 1, num_bodies() + block.node), ldu_.block(num_bodies() + block.node, block.body - 1)});
  std::vector<char> node_weighted(rows.nodes().size(), 0);
  for (const JetRows::Block& block : all)
    if (singular[std::size_t(block.body - 1)]) node_weighted[std::size_t(block.node)] = 1;
  for (std::size_t i = 0; i < all.size(); ++i) weighted_[i] = node_weighted[std::size_t(all[i].node)];
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].node == all[i].node; ++j)
      if (weighted_[i])
        pairs_.push_back(
            {int(i), int(j), ldu_.block(all[i].body - 1, all[j].body - 1), ldu_.block(all[j].body - 1, all[i].body - 1)});
}

bool JetMatrix::factor(std::span<const double> values, bool with_velocity_rows) {
  ldu_.clear();
  for (int b = 0; b < num_bodies(); ++b) std::copy_n(blocks_[std::size_t(b)].data(), width * directions_, ldu_.diagonal(b));
  const auto blocks = rows_->blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const JetRows::Node& node = rows_->nodes()[std::size_t(blocks[i].node)];
    const int count = with_velocity_rows ? node.count : node.num_position_rows;
    double *const upper = links_[i].upper, *const lower = links_[i].lower;
    for (int k = 0; k < count; ++k) {
      const double* const row = values.data() + blocks[i].value[std::size_t(k)];
      for (int c = 0; c < directions_; ++c) upper[width * k + c] = lower[width * c + k] = row[c];
    }
  }
  if (weight_ > 0) add_weights(values);
  if (redundant_ != RedundantRows::none) add_compliances(values);
  factored_distance_ = distance_;
  return ldu_.factor();
}

namespace {

// Compliances, of what a row meets anyway.
constexpr double share = 1e-8, share_with_gaps = 1e-6;

}  // namespace

void JetMatrix::add_compliances(std::span<const double> values) {
  std::fill(compliances_.begin(), compliances_.end(), 0.0);
  const double of_row = redundant_ == RedundantRows::nearly ? share_with_gaps : share;
  for (const JetRows::Block& block : rows_->blocks()) {
    const double* const D = blocks_[std::size_t(block.body - 1)].data();
    double* const of_rows = of_node(compliances_.data(), block.node);
    for (int k = 0; k < rows_->nodes()[std::size_t(block.node)].count; ++k) {
      const double* const row = values.data() + block.value[std::size_t(k)];
      for (int c = 0; c < directions_; ++c) of_rows[k] += of_row * row[c] * row[c] / std::max(D[9 * c], weight_);
    }
  }
  for (int n = 0; n < int(rows_->nodes().size()); ++n)
    for (int k = 0; k < rows_->nodes()[std::size_t(n)].count; ++k)
      ldu_.diagonal(num_bodies() + n)[9 * k] = -of_node(compliances_.data(), n)[k];
}

void JetMatrix::add_weights(std::span<const double> values) {
  const auto blocks = rows_->blocks();
  const auto add = [&](const JetRows::Block& a, const JetRows::Block& b, double* out) {
    const int count = rows_->nodes()[std::size_t(a.node)].count;
    for (int k = 0; k < count; ++k) {
      const double *const row_a = values.data() + a.value[std::size_t(k)], *const row_b =
                                                                               values.data() + b.value[std::size_t(k)];
      for (int c = 0; c < directions_; ++c)
        for (int r = 0; r < directions_; ++r) out[width * c + r] += weight_ * row_a[r] * row_b[c];
    }
  };
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (weighted_[i]) add(blocks[i], blocks[i], ldu_.diagonal(blocks[i].body - 1));
  for (const Pair& pair : pairs_) {
    add(blocks[std::size_t(pair.first)], blocks[std::size_t(pair.second)], pair.upper);
    add(blocks[std::size_t(pair.second)], blocks[std::size_t(pair.first)], pair.lower);
  }
}

void JetMatrix::solve(std::span<const double> values, std::span<double> x) {
  if (weight_ > 0) {
    const auto blocks = rows_->blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!weighted_[i]) continue;
      const double* const b = of_node(x.data(), blocks[i].node);
      double* const load = x.data() + width * (blocks[i].body - 1);
      const int count = rows_->nodes()[std::size_t(blocks[i].node)].count;
      for (int k = 0; k < count; ++k)
        for (int c = 0; c < directions_; ++c)
          load[c] += weight_ * b[k] * values[std::size_t(blocks[i].value[std::size_t(k)] + c)];
    }
  }
  if (redundant_ == RedundantRows::nearly) return leave_gaps(x);
  ldu_.solve(x);
  if (redundant_ == RedundantRows::exactly) take_out_compliance(x);
}

/// What the compliance C leaves of the rows, C lambda, is given to the factors again: a part C / (S + C) of it stays each time,
/// next to nothing where rows are independent, and next to all of what they miss each other by.
void JetMatrix::solve_and_refine(std::span<double> x, std::span<double> left) {
  const std::size_t first = std::size_t(width * num_bodies()), n = x.size();
  ldu_.solve(x);
  for (std::size_t i = first; i < n; ++i) left[i] = compliances_[i] * x[i];
  for (int pass = 0; pass < 2; ++pass) {
    std::fill_n(z_.begin(), first, 0.0);
    for (std::size_t i = first; i < n; ++i) z_[i] = -left[i];
    ldu_.solve(z_);
    for (std::size_t i = 0; i < n; ++i) x[i] += z_[i];
    for (std::size_t i = first; i < n; ++i) left[i] = compliances_[i] * z_[i];
  }
}

/// Rows that miss each other by e have S = e^2 in the direction that they should not hold at all. The part S / C of what they
/// ask for there would still be done in every solution, and add up. So what a solution shows to be such a gap is taken out of
/// the right side, until only the third power of that part is done.
void JetMatrix::leave_gaps(std::span<double> x) {
  const std::size_t first = std::size_t(width * num_bodies()), n = x.size();
  std::fill(left_.begin(), left_.end(), 0.0);
  solve_and_refine(x, gap_);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = first; i < n; ++i) left_[i] += gap_[i];
    std::fill_n(p_.begin(), first, 0.0);
    std::copy(gap_.begin() + long(first), gap_.end(), p_.begin() + long(first));
    solve_and_refine(p_, residual_);
    for (std::size_t i = 0; i < n; ++i) x[i] += p_[i];
    for (std::size_t i = first; i < n; ++i) gap_[i] += residual_[i];
  }
  for (std::size_t i = first; i < n; ++i) left_[i] += gap_[i];
}

/// With S = G D^-1 G^T and the compliances C, the factors give (S + C) lambda = ..., and what is left of the rows is
/// C lambda. One refinement takes it out of all directions in which S is larger than C. Conjugate gradients on S with S + C as
/// preconditioner take it out of the others, as there are near a singular place: one iteration for each. What S has nothing to
/// say about (rows that contradict each other by rounding) neither of them can remove; it ends the iteration, because it would
/// make the steps of conjugate gradients too long for all the rest.
void JetMatrix::take_out_compliance(std::span<double> x) {
  constexpr int most_iterations = 12;
  constexpr double enough = 1e-6;  // of what the compliance left, which is 1e-8
  const double off = 10 * factored_distance_;
  const double nothing = std::max(1e-4, off * off / (off * off + share));  // of S + C
  const std::size_t first = std::size_t(width * num_bodies()), n = x.size();
  double left = 0;
  for (std::size_t i = first; i < n; ++i) {
    residual_[i] = compliances_[i] * x[i];
    left = std::max(left, std::abs(residual_[i]));
  }
  const double small = enough * left;
  double last = 0;
  for (int iteration = 0; iteration < most_iterations && left > small; ++iteration) {
    const bool refine = iteration == 0, first_direction = iteration <= 1;
    std::fill_n(z_.begin(), first, 0.0);
    for (std::size_t i = first; i < n; ++i) z_[i] = -residual_[i];
    ldu_.solve(z_);
    double along = 0, given = 0;  // residual . z, z . S z
    for (std::size_t i = first; i < n; ++i) {
      along += residual_[i] * z_[i];
      given += z_[i] * (residual_[i] - compliances_[i] * z_[i]);
    }
    if (!(along > 0) || (!refine && !(given > nothing * along))) return;
    const double beta = first_direction ? 0 : along / last;
    double curvature = 0;
    for (std::size_t i = 0; i < n; ++i) p_[i] = z_[i] + (first_direction ? 0 : beta * p_[i]);
    for (std::size_t i = first; i < n; ++i) {
      Sp_[i] = residual_[i] - compliances_[i] * z_[i] + (first_direction ? 0 : beta * Sp_[i]);
      curvature += p_[i] * Sp_[i];
    }
    if (!refine && !(curvature > 0)) return;
    const double alpha = refine ? 1 : along / curvature;
    double left_then = 0;
    for (std::size_t i = first; i < n; ++i) {
      residual_[i] -= alpha * Sp_[i];
      left_then = std::max(left_then, std::abs(residual_[i]));
    }
    if (!refine && !(left_then < left)) return;
    for (std::size_t i = 0; i < n; ++i) x[i] += alpha * p_[i];
    left = left_then, last = along;
  }
}

int JetMatrix::failed_body() const {
  const int node = ldu_.failed_node();
  return node >= 0 && node < num_bodies() ? node + 1 : -1;
}

}  // namespace polhode::projected
