#include "factors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "dense_lu.h"
#include "polhode/linear/block_ldu.h"
#include "polhode/maximal/constraints.h"
#include "polhode/mechanism/builder.h"

namespace polhode::bench {
namespace {

using maximal::row_width;

/// Rods on hinges about y, as in planar_chain(), bent so that no two blocks are the same.
Mechanism bent_chain(int n) {
  MechanismBuilder builder;
  const Mat3<double> axes = rotation_with_z(Vec3<double>{0, 1, 0});
  const auto name = [](int i) { return i == 0 ? std::string(ground_name) : "link" + std::to_string(i); };
  for (int i = 1; i <= n; ++i) {
    builder.add_body({name(i), {1, {0, 0, -0.5}, SymMat3<double>::diagonal({1.0 / 12, 1.0 / 12, 0.01})}});
    builder.add_joint({.name = "joint" + std::to_string(i),
                       .parent = name(i - 1),
                       .child = name(i),
                       .placement = LocalPlacement{{axes, {0, 0, i == 1 ? 0.0 : -1.0}}, {axes, {}}}});
  }
  return builder.build();
}

/// The matrix [M G^T; G 0] of a chain, as blocks in the order in which they are written.
class ChainMatrix {
 public:
  explicit ChainMatrix(int n) : mechanism_(bent_chain(n)), constraints_(mechanism_) {
    maximal::Bodies bodies(std::size_t(mechanism_.num_bodies()));
    std::vector<double> q, u(std::size_t(mechanism_.num_u()), 0.0);
    for (int i = 0; i < mechanism_.num_q(); ++i) q.push_back(0.3 + 0.2 * std::sin(double(i)));
    constraints_.tree_map().to_bodies(q, u, bodies);
    std::vector<double> errors(std::size_t(constraints_.num_rows()));
    values_.resize(std::size_t(constraints_.num_values()));
    constraints_.errors_and_jacobian(0, bodies, q, errors, values_);
  }

  int num_nodes() const { return num_bodies() + int(constraints_.elements().size()); }
  int size(int node) const {
    return node < num_bodies() ? 6 : constraints_.elements()[std::size_t(node - num_bodies())].num_rows;
  }

  linear::BlockGraph graph() const {
    linear::BlockGraph graph;
    for (int b = 0; b < num_bodies(); ++b) graph.nodes.push_back({6});
    for (const auto& element : constraints_.elements()) {
      for (const auto& side : constraints_.sides(element)) graph.edges.emplace_back(side.body - 1, int(graph.nodes.size()));
      graph.nodes.push_back({element.num_rows, true, element.touches_ground});
    }
    return graph;
  }

  /// Calls put(row node, column node, row, column, value) for every entry that is not zero by structure.
  template <class Put>
  void each_entry(const Put& put) const {
    for (int b = 0; b < num_bodies(); ++b) {
      const MassProperties& mass = mechanism_.bodies()[std::size_t(b + 1)].mass;
      const Mat3<double> J = mass.inertia.full();
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) put(b, b, r, c, J(r, c));
        put(b, b, 3 + c, 3 + c, mass.mass);
      }
    }
    int node = num_bodies();
    for (const auto& element : constraints_.elements()) {
      for (const auto& side : constraints_.sides(element))
        for (int r = 0; r < element.num_rows; ++r)
          for (int c = 0; c < 6; ++c) {
            const double value = values_[std::size_t(side.first_value + row_width * r + c)];
            put(node, side.body - 1, r, c, value);
            put(side.body - 1, node, c, r, value);
          }
      ++node;
    }
  }

 private:
  int num_bodies() const { return mechanism_.num_bodies() - 1; }

  Mechanism mechanism_;
  maximal::Constraints constraints_;
  std::vector<double> values_;
};

double right_hand_side(int node, int row) { return std::sin(1.0 + 6 * node + row); }

/// Seconds for one call, the least of so many rounds of about 10 ms.
template <class Call>
double least_seconds(int rounds, const Call& call) {
  using Clock = std::chrono::steady_clock;
  const auto time = [&](int calls) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double>(Clock::now() - begin).count() / calls;
  };
  const int calls = std::max(1, int(0.01 / time(1)));
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) least = std::min(least, time(calls));
  return least;
}

FactorTime time_factor(int n, int rounds) {
  const ChainMatrix matrix(n);
  std::vector<int> first{0};  // row of each node
  for (int node = 0; node < matrix.num_nodes(); ++node) first.push_back(first.back() + matrix.size(node));
  const int rows = first.back();

  std::vector<double> full(std::size_t(rows) * std::size_t(rows), 0.0), b(std::size_t(rows), 0.0), dense_x = b;
  matrix.each_entry([&](int i, int j, int r, int c, double value) {
    full[std::size_t(rows) * std::size_t(first[std::size_t(j)] + c) + std::size_t(first[std::size_t(i)] + r)] = value;
  });
  std::vector<double> padded_b(std::size_t(row_width * matrix.num_nodes()), 0.0), sparse_x = padded_b;
  for (int node = 0; node < matrix.num_nodes(); ++node)
    for (int r = 0; r < matrix.size(node); ++r)
      b[std::size_t(first[std::size_t(node)] + r)] = padded_b[std::size_t(row_width * node + r)] = right_hand_side(node, r);

  // Both start from the finished matrix and have to copy it, for both factor in place.
  linear::BlockLdu ldu(matrix.graph());
  struct Entry {
    double* to;
    double value;
  };
  std::vector<Entry> entries;
  matrix.each_entry([&](int i, int j, int r, int c, double value) {
    entries.push_back({(i == j ? ldu.diagonal(i) : ldu.block(i, j)) + row_width * c + r, value});
  });
  const double sparse = least_seconds(rounds, [&] {
    ldu.clear();
    for (const Entry& entry : entries) *entry.to = entry.value;
    ldu.factor();
    std::copy(padded_b.begin(), padded_b.end(), sparse_x.begin());
    ldu.solve(sparse_x);
  });
  DenseLu lu(rows, full);
  const double dense = least_seconds(rounds, [&] {
    lu.factor();
    lu.solve(b, dense_x);
  });
  double difference = 0, largest = 0;
  for (int node = 0; node < matrix.num_nodes(); ++node)
    for (int r = 0; r < matrix.size(node); ++r) {
      const double x = dense_x[std::size_t(first[std::size_t(node)] + r)];
      largest = std::max(largest, std::abs(x));
      difference = std::max(difference, std::abs(sparse_x[std::size_t(row_width * node + r)] - x));
    }
  return {n, rows, sparse, dense, difference / largest};
}

}  // namespace

std::vector<FactorTime> time_factors(const std::vector<int>& sizes, int rounds) {
  std::vector<FactorTime> times;
  for (const int n : sizes) times.push_back(time_factor(n, rounds));
  return times;
}

}  // namespace polhode::bench
