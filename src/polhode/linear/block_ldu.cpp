#include "polhode/linear/block_ldu.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace polhode::linear {

BlockLdu::BlockLdu(const BlockGraph& graph, const LduKernels& kernels) : order_(graph), kernels_(kernels) {
  place_blocks(graph);
  find_runs();
}

/// Two stretches, each in the order of elimination: F(a, c), which solve() reads on its way in, then D and F(c, a), which it
/// reads on its way back.
void BlockLdu::place_blocks(const BlockGraph& graph) {
  const int n = int(order_.order.size());
  steps_.resize(n);
  neighbours_.resize(order_.neighbours.size());
  upper_.resize(order_.neighbours.size());
  long end = 0;
  for (int k = 0; k < n; ++k) {
    const int node = order_.order[k];
    LduStep& step = steps_[k];
    step.node = node, step.size = graph.nodes[node].size, step.constraint = graph.nodes[node].constraint;
    step.first_neighbour = int(order_.first[k]), step.num_neighbours = int(order_.neighbours_of(k).size());
    step.lower = int(end);
    end += long(step.size) * step.num_neighbours;
  }
  for (int k = 0; k < n; ++k) {
    LduStep& step = steps_[k];
    step.diagonal = int(end), step.upper = int(end += step.size);
    for (int a = step.first_neighbour; a < step.first_neighbour + step.num_neighbours; ++a) {
      upper_[a] = int(end);
      end += steps_[order_.neighbours[a]].size;
    }
    step.rows = int(end) - step.upper;
  }
  first_largest_ = std::size_t(end);
  for (int k = 0; k < n; ++k)
    for (std::size_t a = order_.first[k]; a < order_.first[k + 1]; ++a) {
      LduStep& target = steps_[order_.neighbours[a]];
      // Eliminated bodies make bodies lighter and constraints softer, eliminated constraints the reverse.
      const bool takes_away = target.constraint == steps_[k].constraint;
      if (takes_away && target.largest < 0) target.largest = int(end), end += target.size;
      neighbours_[a] = {target.node, target.size, target.diagonal, takes_away ? target.largest : -1};
    }
  if (end > std::numeric_limits<int>::max())
    throw std::invalid_argument(
        fmt::format("a block graph of {} nodes fills up to {} columns, more than can be counted", n, end));
  matrix_.resize(std::size_t(end));
}

void BlockLdu::find_runs() {
  for (int k = 0; k < int(steps_.size()); ++k)
    for (std::size_t a = order_.first[k]; a < order_.first[k + 1]; ++a) {
      const LduStep& target = steps_[order_.neighbours[a]];
      neighbours_[a].first_run = int(runs_.size());
      int last = -2, place = target.first_neighbour;
      for (std::size_t b = a + 1; b < order_.first[k + 1]; ++b, last = place++) {
        while (order_.neighbours[place] != order_.neighbours[b]) ++place;
        if (place == last + 1)
          ++runs_.back().length;
        else
          runs_.push_back({1, target.lower + (place - target.first_neighbour) * target.size, upper_[place]});
      }
      neighbours_[a].num_runs = int(runs_.size()) - neighbours_[a].first_run;
    }
}

double* BlockLdu::diagonal(int node) { return matrix_[steps_[order_.position[node]].diagonal].entry; }

double* BlockLdu::block(int row, int column) {
  const int i = order_.position[row], j = order_.position[column];
  const LduStep& step = steps_[std::min(i, j)];
  const auto first = order_.neighbours.begin() + step.first_neighbour, last = first + step.num_neighbours;
  const auto found = std::lower_bound(first, last, std::max(i, j));
  if (found == last || *found != std::max(i, j))
    throw std::invalid_argument(fmt::format("block ({}, {}) is not in the graph", row, column));
  return matrix_[i < j ? upper_[found - order_.neighbours.begin()] : step.lower + int(found - first) * step.size].entry;
}

void BlockLdu::clear() { std::fill_n(matrix_.begin(), first_largest_, LduColumn{}); }

bool BlockLdu::factor() {
  std::fill(matrix_.begin() + long(first_largest_), matrix_.end(), LduColumn{});
  result_ = kernels_.factor(program(), matrix_.data());
  return result_.failed_node < 0;
}

void BlockLdu::solve(std::span<double> x) const { kernels_.solve(program(), matrix_.data(), x.data()); }

}  // namespace polhode::linear
