// Butcher's order conditions: sum_i b_i Phi_i(tree) = 1 / gamma(tree) for every rooted tree with at most p nodes is what it
// takes to be of order p (Hairer, Norsett and Wanner, Solving ODEs I, II.2). Nothing of the program is used but the numbers.
#include "polhode/projected/tableaux.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "polhode/projected/tableau_dop853.h"

namespace polhode::projected {
namespace {

/// A rooted tree: the trees that hang on its root, as indices into the list of all trees.
struct Tree {
  int nodes = 1;
  double gamma = 1;
  std::vector<int> branches{};
};

/// All trees with at most `most` nodes, smallest first, by choosing branches in order of their index.
std::vector<Tree> trees_up_to(int most) {
  std::vector<Tree> trees{{}};
  for (int nodes = 2; nodes <= most; ++nodes) {
    std::vector<Tree> found;
    const auto hang = [&](auto&& self, Tree tree, int first) -> void {
      if (tree.nodes == nodes) {
        tree.gamma *= nodes;
        found.push_back(tree);
        return;
      }
      for (int b = first; b < int(trees.size()); ++b) {
        if (tree.nodes + trees[std::size_t(b)].nodes > nodes) break;
        Tree more = tree;
        more.nodes += trees[std::size_t(b)].nodes;
        more.gamma *= trees[std::size_t(b)].gamma;
        more.branches.push_back(b);
        self(self, more, b);
      }
    };
    hang(hang, Tree{}, 0);
    trees.insert(trees.end(), found.begin(), found.end());
  }
  return trees;
}

using Matrix = std::vector<std::vector<double>>;

/// Phi_i(tree) = product over branches of sum_j a_ij Phi_j(branch).
std::vector<std::vector<double>> weights_of(const std::vector<Tree>& trees, const Matrix& a) {
  std::vector<std::vector<double>> phi;
  for (const Tree& tree : trees) {
    std::vector<double> of_tree(a.size(), 1.0);
    for (const int b : tree.branches)
      for (std::size_t i = 0; i < a.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += a[i][j] * phi[std::size_t(b)][j];
        of_tree[i] *= sum;
      }
    phi.push_back(of_tree);
  }
  return phi;
}

/// The method with its last slope f(t1, x1), and with further stages, as one matrix.
template <class Tableau>
Matrix matrix_of() {
  constexpr int s = Tableau::stages;
  Matrix a;
  for (int i = 0; i < s; ++i) {
    a.emplace_back(std::size_t(s + 4), 0.0);
    for (int j = 0; j < i; ++j) a.back()[std::size_t(j)] = Tableau::a[i][j];
  }
  a.emplace_back(std::size_t(s + 4), 0.0);
  for (int j = 0; j < s; ++j) a.back()[std::size_t(j)] = Tableau::b[j];
  if constexpr (requires { Tableau::extra_stages; })
    for (int i = 0; i < Tableau::extra_stages; ++i) {
      a.emplace_back(std::size_t(s + 4), 0.0);
      for (int j = 0; j <= s + i; ++j) a.back()[std::size_t(j)] = Tableau::a_extra[i][j];
    }
  return a;
}

/// The smallest order at which a condition fails for weights b(s) that should give x(t0 + s h): s^nodes / gamma.
int order_of(const std::vector<double>& b, const Matrix& a, double s, int most) {
  const std::vector<Tree> trees = trees_up_to(most + 1);
  const auto phi = weights_of(trees, a);
  int order = most + 1;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * phi[t][i];
    // Numbers of size up to 400 cancel, to be right to 30 rounding errors of theirs.
    if (std::abs(sum - std::pow(s, trees[t].nodes) / trees[t].gamma) > 3e-12) order = std::min(order, trees[t].nodes - 1);
  }
  return order;
}

template <class Tableau>
struct TableauLaws : testing::Test {};
using Tableaux =
    testing::Types<ExplicitEuler, ExplicitTrapezoid, BogackiShampine32, Merson4, DormandPrince54, DormandPrince853>;
TYPED_TEST_SUITE(TableauLaws, Tableaux);

TEST(OrderConditions, CountsTheTreesThatThereAre) {
  // 1, 1, 2, 4, 9, 20, 48, 115, 286 rooted trees (OEIS A000081).
  EXPECT_EQ(trees_up_to(8).size(), 200u);
  EXPECT_EQ(trees_up_to(9).size(), 486u);
}

TYPED_TEST(TableauLaws, TheResultHasTheOrderThatItSays) {
  const std::vector<double> b(std::begin(TypeParam::b), std::end(TypeParam::b));
  EXPECT_EQ(order_of(b, matrix_of<TypeParam>(), 1, TypeParam::order), TypeParam::order);
}

TYPED_TEST(TableauLaws, StagesAreWhereTheirRowsSay) {
  for (int i = 0; i < TypeParam::stages; ++i) {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += TypeParam::a[i][j];
    EXPECT_NEAR(sum, TypeParam::c[i], 1e-14) << i;
  }
}

TYPED_TEST(TableauLaws, TheErrorEstimateComparesWithASolutionOfTheOrderBelow) {
  std::vector<double> b(std::size_t(TypeParam::stages + 1), 0.0);
  for (int i = 0; i < TypeParam::stages; ++i) b[std::size_t(i)] = TypeParam::b[i];
  for (int i = 0; i <= TypeParam::stages; ++i) b[std::size_t(i)] -= TypeParam::e[i];
  const int order = order_of(b, matrix_of<TypeParam>(), 1, TypeParam::order);
  if constexpr (std::is_same_v<TypeParam, DormandPrince853>) {
    EXPECT_EQ(order, 5);
    std::vector<double> third(std::begin(TypeParam::b_hat), std::end(TypeParam::b_hat));
    EXPECT_EQ(order_of(third, matrix_of<TypeParam>(), 1, 8), 3);
    // Their combination E5^2 / sqrt(E5^2 + ...) is of the size h^6 h^6 / h^4.
    EXPECT_EQ(TypeParam::error_order, 2 * (5 + 1) - (3 + 1));
  } else if constexpr (std::is_same_v<TypeParam, ExplicitEuler>) {
    EXPECT_EQ(order, 2);  // the trapezoidal rule: the estimate is that of Euler's own error
  } else {
    EXPECT_EQ(order, TypeParam::error_order - 1);
  }
}

TEST(Interpolants, HaveTheirOrderAllAlongTheStep) {
  for (const double s : {0.1, 0.37, 0.5, 0.83}) {
    const auto five = DormandPrince54::interpolant(s);
    EXPECT_EQ(order_of({five.begin(), five.end()}, matrix_of<DormandPrince54>(), s, 5), 4) << s;
    const auto eight = DormandPrince853::interpolant(s);
    EXPECT_EQ(order_of({eight.begin(), eight.end()}, matrix_of<DormandPrince853>(), s, 8), 7) << s;
  }
}

TEST(Interpolants, EndWhereTheStepEnds) {
  const auto five = DormandPrince54::interpolant(1);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(five[std::size_t(i)], DormandPrince54::b[i], 1e-15);
  const auto eight = DormandPrince853::interpolant(1);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(eight[std::size_t(i)], DormandPrince853::b[i], 1e-15);
}

}  // namespace
}  // namespace polhode::projected
