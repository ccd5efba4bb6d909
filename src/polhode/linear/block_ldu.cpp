#include "polhode/linear/block_ldu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace polhode::linear {
namespace {

void require_countable(long columns) {
  if (columns > std::numeric_limits<int>::max())
    throw std::invalid_argument(fmt::format("a block graph fills up to {} columns, more than can be counted", columns));
}

}  // namespace

BlockLdu::BlockLdu(const BlockGraph& graph, const LduKernels& kernels) : order_(graph), kernels_(kernels) {
  place_blocks(graph);
  find_fill(graph);
  find_runs();
  set_written_whole({});
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
  }
  matrix_end_ = std::size_t(end);
  for (int k = 0; k < n; ++k)
    for (std::size_t a = order_.first[k]; a < order_.first[k + 1]; ++a) {
      LduStep& target = steps_[order_.neighbours[a]];
      // Eliminated bodies make bodies lighter and constraints softer, eliminated constraints the reverse.
      const bool takes_away = target.constraint == steps_[k].constraint;
      const bool is_first = takes_away && target.largest < 0;
      if (is_first) target.largest = int(end), end += target.size;
      neighbours_[a] = {target.node, target.size, target.diagonal, takes_away ? target.largest : -1, is_first};
    }
  require_countable(end);
  matrix_.resize(std::size_t(end));
}

void BlockLdu::find_fill(const BlockGraph& graph) {
  is_fill_.assign(order_.neighbours.size(), true);
  for (const auto& [i, j] : graph.edges) is_fill_[find_neighbour(i, j)] = false;
}

/// New blocks are stored by the first step that takes something from them, so that they need not be zero before.
void BlockLdu::find_runs() {
  std::vector<char> is_fresh = is_fill_;
  for (int k = 0; k < int(steps_.size()); ++k)
    for (std::size_t a = order_.first[k]; a < order_.first[k + 1]; ++a) {
      const LduStep& target = steps_[order_.neighbours[a]];
      neighbours_[a].first_run = int(runs_.size());
      int last = -2, place = target.first_neighbour;
      for (std::size_t b = a + 1; b < order_.first[k + 1]; ++b, last = place++) {
        while (order_.neighbours[place] != order_.neighbours[b]) ++place;
        const bool fresh = std::exchange(is_fresh[place], false);
        if (place == last + 1 && runs_.back().fresh == fresh)
          ++runs_.back().length;
        else
          runs_.push_back({1, target.lower + (place - target.first_neighbour) * target.size, upper_[place], fresh});
      }
      neighbours_[a].num_runs = int(runs_.size()) - neighbours_[a].first_run;
    }
}

double* BlockLdu::diagonal(int node) { return matrix_[steps_[order_.position[node]].diagonal].entry; }

/// Of the node that is eliminated first, where the other is in the list of neighbours, or the end of that list.
std::size_t BlockLdu::find_neighbour(int row, int column) const {
  const auto [first, other] = std::minmax(order_.position[row], order_.position[column]);
  const auto neighbours = order_.neighbours_of(first);
  const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), other);
  return found != neighbours.end() && *found == other ? order_.first[first] + std::size_t(found - neighbours.begin())
                                                      : order_.neighbours.size();
}

double* BlockLdu::block(int row, int column) {
  const std::size_t place = find_neighbour(row, column);
  if (place == is_fill_.size() || is_fill_[place])
    throw std::invalid_argument(fmt::format("block ({}, {}) is not in the graph", row, column));
  const LduStep& step = steps_[std::min(order_.position[row], order_.position[column])];
  const bool is_upper = order_.position[row] < order_.position[column];
  return matrix_[is_upper ? upper_[place] : step.lower + (int(place) - step.first_neighbour) * step.size].entry;
}

void BlockLdu::set_written_whole(std::span<const std::pair<int, int>> blocks) {
  std::vector<char> written(matrix_end_, false);
  const auto mark = [&](int first, int columns) { std::fill_n(written.begin() + first, columns, true); };
  for (const LduStep& step : steps_)
    for (int i = 0; i < step.num_neighbours; ++i) {
      const int a = step.first_neighbour + i;
      if (is_fill_[a]) mark(step.lower + i * step.size, step.size), mark(upper_[a], neighbours_[a].size);
    }
  for (const auto& [row, column] : blocks) {
    const double* const place = row == column ? diagonal(row) : block(row, column);
    mark(int((place - matrix_.data()->entry) / 8), steps_[order_.position[column]].size);
  }
  to_clear_.clear();
  for (auto end = written.begin(), first = end; (first = std::find(end, written.end(), false)) != written.end();) {
    end = std::find(first, written.end(), true);
    to_clear_.push_back({std::size_t(first - written.begin()), std::size_t(end - first)});
  }
}

void BlockLdu::clear() {
  static_assert(std::is_trivially_copyable_v<LduColumn>);
  for (const auto& [first, length] : to_clear_)
    std::memset(static_cast<void*>(matrix_.data() + first), 0, length * sizeof(LduColumn));
}

bool BlockLdu::factor() { return factor_with(nullptr); }

bool BlockLdu::factor_with(double* x) {
  result_ = kernels_.factor(program(), matrix_.data(), x);
  return result_.failed_node < 0;
}

void BlockLdu::solve(std::span<double> x) const {
  kernels_.forward(program(), matrix_.data(), x.data());
  kernels_.backward(program(), matrix_.data(), x.data());
}

bool BlockLdu::factor_and_solve(std::span<double> x) {
  if (!factor_with(x.data())) return false;
  kernels_.backward(program(), matrix_.data(), x.data());
  return true;
}

}  // namespace polhode::linear
