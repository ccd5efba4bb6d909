#pragma once
#include <Eigen/Dense>
#include <map>
#include <utility>
#include <vector>

#include "polhode/linear/block_ldu.h"
#include "tests/support/random.h"

/// Matrices of the kind that bodies and constraints give, [D G'^T; G 0] with G' not quite G, block by block.
namespace polhode::linear {

using testing_support::Random;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix A(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) A(i, j) = random.uniform(-1, 1);
  return A;
}

struct BlockSystem {
  BlockGraph graph;
  std::map<std::pair<int, int>, Matrix> blocks;  ///< diagonal ones too

  /// D: symmetric part with eigenvalues of about 1 to 5, and a part that is not symmetric.
  int add_body(Random& random, int size = 6) {
    const int i = int(graph.nodes.size());
    graph.nodes.push_back({size});
    const Matrix A = random_matrix(random, size, size), B = random_matrix(random, size, size);
    blocks[{i, i}] = A * A.transpose() + Matrix::Identity(size, size) + 0.3 * (B - B.transpose());
    return i;
  }
  int add_constraint(int size, bool touches_ground = false) {
    graph.nodes.push_back({size, true, touches_ground});
    return int(graph.nodes.size()) - 1;
  }
  void connect(int constraint, int body, const Matrix& G, const Matrix& G_before) {
    graph.edges.emplace_back(constraint, body);
    blocks[{constraint, body}] = G, blocks[{body, constraint}] = G_before.transpose();
  }
  /// Random rows that are orthonormal where there are not too many, so that a part's pivot is about as good as the whole
  /// matrix; the two blocks a twentieth apart.
  void connect(Random& random, int constraint, int body) {
    const int rows = graph.nodes[constraint].size, columns = graph.nodes[body].size;
    Matrix G = random_matrix(random, rows, columns);
    if (rows <= columns) {
      const Eigen::HouseholderQR<Matrix> factors(G.transpose());
      G = (factors.householderQ() * Matrix::Identity(columns, rows)).transpose();
    }
    connect(constraint, body, G, G + 0.05 * random_matrix(random, rows, columns));
  }

  void write_into(BlockLdu& ldu) const {
    ldu.clear();
    for (const auto& [place, M] : blocks) {
      double* const to = place.first == place.second ? ldu.diagonal(place.first) : ldu.block(place.first, place.second);
      for (int j = 0; j < M.cols(); ++j)
        for (int i = 0; i < M.rows(); ++i) to[8 * j + i] = M(i, j);
    }
  }

  std::vector<int> first_rows() const {
    std::vector<int> first{0};
    for (const auto& node : graph.nodes) first.push_back(first.back() + node.size);
    return first;
  }
  Matrix dense() const {
    const std::vector<int> first = first_rows();
    Matrix A = Matrix::Zero(first.back(), first.back());
    for (const auto& [place, M] : blocks) A.block(first[place.first], first[place.second], M.rows(), M.cols()) = M;
    return A;
  }
  /// Without the dense matrix, for large systems.
  Vector times(const Vector& x) const {
    const std::vector<int> first = first_rows();
    Vector y = Vector::Zero(x.size());
    for (const auto& [place, M] : blocks)
      y.segment(first[place.first], M.rows()) += M * x.segment(first[place.second], M.cols());
    return y;
  }
  Vector bodies_of(const Vector& x) const {
    const std::vector<int> first = first_rows();
    Vector y = x;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (graph.nodes[i].constraint) y.segment(first[i], graph.nodes[i].size).setZero();
    return y;
  }
  Vector solve(const BlockLdu& ldu, const Vector& b) const {
    const std::vector<int> first = first_rows();
    std::vector<double> padded(8 * graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      for (int r = 0; r < graph.nodes[i].size; ++r) padded[8 * i + r] = b[first[i] + r];
    ldu.solve(padded);
    Vector x(b.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      for (int r = 0; r < graph.nodes[i].size; ++r) x[first[i] + r] = padded[8 * i + r];
    return x;
  }
};

/// Bodies with a joint of 3 to 5 rows to an earlier one (2 where a particle is in it), the first to Ground or free.
inline BlockSystem random_tree(Random& random, int bodies, bool on_ground, bool hubs = false) {
  BlockSystem s;
  std::vector<int> body;
  for (int i = 0; i < bodies; ++i) {
    const int child = s.add_body(random, random.chance(0.2) ? 3 : 6);
    const int parent = i == 0 ? -1 : body[hubs ? random.index(std::min(i, 3)) : random.index(i)];
    body.push_back(child);
    if (i == 0 && !on_ground) continue;
    const bool particle = s.graph.nodes[child].size == 3 || (i > 0 && s.graph.nodes[parent].size == 3);
    const int joint = s.add_constraint(particle ? 2 : 3 + random.index(3), i == 0);
    s.connect(random, joint, child);
    if (i > 0) s.connect(random, joint, parent);
  }
  return s;
}
/// Joins two random bodies, or one and Ground, by one row.
inline void add_random_loops(BlockSystem& s, Random& random, int loops) {
  std::vector<int> body;
  for (std::size_t i = 0; i < s.graph.nodes.size(); ++i)
    if (!s.graph.nodes[i].constraint) body.push_back(int(i));
  for (int i = 0; i < loops; ++i) {
    const int a = body[random.index(int(body.size()))], b = body[random.index(int(body.size()))];
    const int c = s.add_constraint(1, a == b);
    s.connect(random, c, a);
    if (a != b) s.connect(random, c, b);
  }
}

/// Revolute joints with the axis z at points of the plane, as spatial joints of five rows: so each loop has three rows more
/// than it needs. Where the points are does not matter for that; those of G and of G' differ.
struct PlanarLinkage : BlockSystem {
  Random random;
  explicit PlanarLinkage(unsigned seed) : random(seed) {}

  std::vector<std::pair<double, double>> centres;  ///< by node
  int link(double x, double y) {
    const int i = add_body(random);
    centres.resize(i + 1);
    centres[i] = {x, y};
    return i;
  }
  /// Between two links, or one and Ground when b is -1.
  void pin(int a, int b, double x, double y) {
    const int c = add_constraint(5, b < 0);
    const double dx = random.uniform(-0.1, 0.1), dy = random.uniform(-0.1, 0.1);
    connect(c, a, pin_rows(a, x, y), pin_rows(a, x + dx, y + dy));
    if (b >= 0) connect(c, b, -pin_rows(b, x, y), -pin_rows(b, x + dx, y + dy));
  }
  Matrix pin_rows(int body, double x, double y) const {
    const double rx = x - centres[body].first, ry = y - centres[body].second;
    Matrix G = Matrix::Zero(5, 6);  // angular, linear
    G(0, 0) = G(1, 1) = 1;
    G(2, 3) = G(3, 4) = G(4, 5) = 1;
    G(2, 2) = -ry, G(3, 2) = rx, G(4, 0) = ry, G(4, 1) = -rx;
    return G;
  }
};

/// n links from Ground to Ground.
inline PlanarLinkage closed_chain(int n, unsigned seed = 1) {
  PlanarLinkage s(seed);
  int last = -1;
  for (int i = 0; i < n; ++i) {
    const int link = s.link(i + 0.5, 0.3 * (i % 2));
    s.pin(link, last, i, 0.5 * (i % 3));
    last = link;
  }
  s.pin(last, -1, n, 0);
  return s;
}
/// Four-bars in a row: each stands on the coupler of the one before.
inline PlanarLinkage four_bar_chain(int n, unsigned seed = 1) {
  PlanarLinkage s(seed);
  int base = -1;
  for (int i = 0; i < n; ++i) {
    const int left = s.link(3 * i, 1), coupler = s.link(3 * i + 1, 2.2), right = s.link(3 * i + 2.2, 1);
    s.pin(left, base, 3 * i, 0), s.pin(coupler, left, 3 * i, 2), s.pin(right, coupler, 3 * i + 2, 2.4);
    s.pin(right, base, 3 * i + 2, 0);
    base = coupler;
  }
  return s;
}
/// n pairs of crossed links; one foot is pinned to Ground, the other slides on it.
inline PlanarLinkage scissor_lift(int n, unsigned seed = 1) {
  PlanarLinkage s(seed);
  int left = -1, right = -1;  // links whose upper ends are on that side
  for (int i = 0; i < n; ++i) {
    const int up = s.link(0.5, i + 0.5), down = s.link(0.5, i + 0.5);  // from bottom left to top right, and the other
    s.pin(up, down, 0.5 + 0.01 * i, i + 0.5);
    s.pin(up, left, 0, i);
    if (i > 0) s.pin(down, right, 1, i);
    if (i == 0) {
      const int foot = s.add_constraint(1, true);
      const Matrix height = s.pin_rows(down, 1, 0).row(3);
      s.connect(foot, down, height, s.pin_rows(down, 1.1, 0).row(3));
    }
    left = down, right = up;
  }
  return s;
}

}  // namespace polhode::linear
