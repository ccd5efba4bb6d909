#include "polhode/linear/elimination_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tests/linear/block_systems.h"

namespace polhode::linear {
namespace {

/// The graph with its nodes numbered at random.
BlockGraph shuffled(const BlockGraph& graph, Random& random) {
  std::vector<int> to(graph.nodes.size());
  std::iota(to.begin(), to.end(), 0);
  for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[random.index(int(i))]);
  BlockGraph r;
  r.nodes.resize(graph.nodes.size());
  for (std::size_t i = 0; i < to.size(); ++i) r.nodes[to[i]] = graph.nodes[i];
  for (const auto& [i, j] : graph.edges) r.edges.emplace_back(to[i], to[j]);
  return r;
}

TEST(EliminationOrder, FillsNothingInTrees) {
  Random random(1);
  for (int n = 1; n <= 200; n += 7)
    for (const bool hubs : {false, true}) {
      const BlockGraph graph = shuffled(random_tree(random, n, n % 2 == 0, hubs).graph, random);
      const EliminationOrder order(graph);
      EXPECT_EQ(order.num_fill, 0);
      EXPECT_EQ(order.neighbours.size(), graph.edges.size());
      std::vector<int> nodes = order.order;
      std::sort(nodes.begin(), nodes.end());
      for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i], int(i));
    }
}

/// The bodies that a constraint's part hangs on, Ground as -1, found anew by walking through eliminated nodes.
std::set<int> held_by(const BlockGraph& graph, const EliminationOrder& order, int constraint) {
  std::vector<std::vector<int>> adjacent(graph.nodes.size());
  for (const auto& [i, j] : graph.edges) adjacent[i].push_back(j), adjacent[j].push_back(i);
  std::set<int> part{constraint}, holds;
  std::vector<int> left{constraint};
  while (!left.empty()) {
    const int i = left.back();
    left.pop_back();
    if (graph.nodes[i].touches_ground) holds.insert(-1);
    for (const int j : adjacent[i]) {
      const bool eliminated = order.position[j] < order.position[constraint];
      if (eliminated && part.insert(j).second) left.push_back(j);
      if (!eliminated && !graph.nodes[j].constraint) holds.insert(j);
    }
  }
  return holds;
}

TEST(EliminationOrder, TakesConstraintsOnlyWhenTheirPartHangsOnOneBody) {
  Random random(2);
  std::vector<BlockGraph> graphs{closed_chain(12).graph, four_bar_chain(6).graph, scissor_lift(8).graph};
  for (int n = 4; n < 40; n += 3) {
    BlockSystem s = random_tree(random, n, n % 2 == 0);
    add_random_loops(s, random, n / 2);
    graphs.push_back(s.graph);
  }
  for (const BlockGraph& original : graphs) {
    const BlockGraph graph = shuffled(original, random);
    const EliminationOrder order(graph);
    ASSERT_EQ(order.order.size(), graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (graph.nodes[i].constraint) {
        EXPECT_LE(held_by(graph, order, int(i)).size(), 1u);
      }
  }
}

// A ring of k nodes needs at least k - 3 new blocks in any order. A chain from Ground to Ground has two nodes per link, every
// second of which is free: one new block per link. A four-bar, with the link that it stands on, is a ring of eight: five. So is
// each mesh of a scissor lift, but meshes share nodes, for which the greedy order pays up to twice or, with the nodes numbered
// at random, three times the least. What matters is that it does not grow with the length.
TEST(EliminationOrder, FillsInProportionToTheNumberOfLoops) {
  Random random(3);
  for (const int n : {10, 30, 100, 300, 1000}) {
    SCOPED_TRACE(n);
    EXPECT_LE(EliminationOrder(closed_chain(n).graph).num_fill, n);
    EXPECT_LE(EliminationOrder(four_bar_chain(n).graph).num_fill, 5 * n);
    EXPECT_LE(EliminationOrder(scissor_lift(n).graph).num_fill, 2 * 5 * n);
    EXPECT_LE(EliminationOrder(shuffled(closed_chain(n).graph, random)).num_fill, 2 * n);
    EXPECT_LE(EliminationOrder(shuffled(four_bar_chain(n).graph, random)).num_fill, 5 * n);
    EXPECT_LE(EliminationOrder(shuffled(scissor_lift(n).graph, random)).num_fill, 3 * 5 * n);
  }
}

/// Arms on Ground, each joined to the next by a bar: meshes of Ground, two arms and a bar, that all share Ground. In the second
/// kind, bodies lack inertia, and the bodies of a joint are neighbours too.
BlockGraph row_of_four_bars(int n, bool light) {
  BlockGraph graph;
  const auto joint = [&](int a, int b) {
    const int node = int(graph.nodes.size());
    graph.nodes.push_back({5, true, b < 0});
    graph.edges.emplace_back(a, node);
    if (b < 0) return;
    graph.edges.emplace_back(b, node);
    if (light) graph.edges.emplace_back(a, b);
  };
  for (int i = 0; i <= 2 * n; ++i) graph.nodes.push_back({6});  // arms are even, bars odd
  for (int i = 0; i <= 2 * n; ++i) {
    if (i % 2 == 0) joint(i, -1);
    if (i > 0) joint(i - 1, i);
  }
  return graph;
}

// Meshes that share nothing but Ground and an arm are as local as those of a chain: with eight nodes each, all pairs of them
// are 28, and those with the nodes of the next mesh as many again at the most.
TEST(EliminationOrder, FillsInProportionToTheNumberOfLoopsThatShareGround) {
  Random random(5);
  for (const bool light : {false, true})
    for (const int n : {10, 100, 1000}) {
      EXPECT_LE(EliminationOrder(row_of_four_bars(n, light)).num_fill, 2 * 28 * n) << n << light;
      EXPECT_LE(EliminationOrder(shuffled(row_of_four_bars(n, light), random)).num_fill, 2 * 28 * n) << n << light;
    }
}

/// Bodies in a chain, on one hub, or each on a random earlier one.
BlockGraph bare_tree(int bodies, int shape) {
  Random random(4);
  BlockGraph graph;
  for (int i = 0; i < bodies; ++i) {
    graph.nodes.push_back({6}), graph.nodes.push_back({5, true, i == 0});
    graph.edges.emplace_back(2 * i, 2 * i + 1);
    if (i > 0) graph.edges.emplace_back(2 * (shape == 0 ? i - 1 : shape == 1 ? 0 : random.index(i)), 2 * i + 1);
  }
  return graph;
}

/// Heap entries and looks at neighbours, per node.
double operations_per_node(const BlockGraph& graph) {
  return double(EliminationOrder(graph).num_operations) / double(graph.nodes.size());
}

// A hundred times the nodes, and as much to do for each of them, but for the ends and the luck of random shapes.
TEST(EliminationOrder, IsFoundInLinearTime) {
  for (int shape = 0; shape < 3; ++shape) {
    EXPECT_EQ(EliminationOrder(bare_tree(100000, shape)).num_fill, 0);
    EXPECT_LE(operations_per_node(bare_tree(100000, shape)), 1.2 * operations_per_node(bare_tree(1000, shape))) << shape;
  }
  EXPECT_LE(operations_per_node(closed_chain(3000).graph), 1.2 * operations_per_node(closed_chain(30).graph));
  EXPECT_LE(operations_per_node(four_bar_chain(3000).graph), 1.2 * operations_per_node(four_bar_chain(30).graph));
  EXPECT_LE(operations_per_node(scissor_lift(3000).graph), 1.2 * operations_per_node(scissor_lift(30).graph));
}

}  // namespace
}  // namespace polhode::linear
