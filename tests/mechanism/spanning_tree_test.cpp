#include "polhode/mechanism/spanning_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace polhode {
namespace {

const auto no_preference = [](int) { return false; };

struct RandomGraph {
  int num_bodies;
  std::vector<GraphEdge> edges;
  int num_extra;  // edges beyond those of the tree it was grown from
};

/// A random connected graph: a tree over shuffled bodies with extra edges, in random order and direction.
RandomGraph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  RandomGraph graph{2 + below(40), {}, below(10)};
  std::vector<int> label(graph.num_bodies);
  for (int i = 0; i < graph.num_bodies; ++i) label[i] = i;
  std::shuffle(label.begin() + 1, label.end(), random);
  for (int i = 1; i < graph.num_bodies; ++i) graph.edges.push_back({label[below(i)], label[i]});
  for (int i = 0; i < graph.num_extra; ++i) {
    const int a = below(graph.num_bodies), b = below(graph.num_bodies - 1);
    graph.edges.push_back({a, b < a ? b : b + 1});
  }
  std::shuffle(graph.edges.begin(), graph.edges.end(), random);
  for (GraphEdge& edge : graph.edges)
    if (below(2)) std::swap(edge.parent, edge.child);
  return graph;
}

std::vector<int> place_in_order(const SpanningTree& tree) {
  std::vector<int> place(tree.order.size(), -1);
  for (int i = 0; i < int(tree.order.size()); ++i) place[tree.order[i]] = i;
  return place;
}

TEST(SpanningTree, HangsEveryBodyByAJointItReallyHas) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph graph = random_graph(seed);
    const SpanningTree tree = spanning_tree(graph.num_bodies, graph.edges, no_preference);
    for (int b = 1; b < graph.num_bodies; ++b) {
      const auto& link = tree.links[b];
      ASSERT_GE(link.edge, 0);
      const GraphEdge edge = graph.edges[link.edge];
      EXPECT_EQ(link.swapped ? edge.child : edge.parent, link.parent);
      EXPECT_EQ(link.swapped ? edge.parent : edge.child, b);
    }
  }
}

TEST(SpanningTree, NumbersParentsFirstAndSubtreesContiguously) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph graph = random_graph(seed);
    const SpanningTree tree = spanning_tree(graph.num_bodies, graph.edges, no_preference);
    const auto place = place_in_order(tree);
    ASSERT_EQ(std::count(place.begin(), place.end(), -1), 0);
    std::vector<int> size(graph.num_bodies, 1), last(graph.num_bodies);
    for (int i = graph.num_bodies - 1; i >= 0; --i) {
      const int b = tree.order[i];
      last[b] = std::max(last[b], i);
      if (i == 0) continue;
      const int parent = tree.links[b].parent;
      EXPECT_LT(place[parent], i);
      size[parent] += size[b];
      last[parent] = std::max(last[parent], last[b]);
    }
    for (int b = 0; b < graph.num_bodies; ++b) EXPECT_EQ(last[b] - place[b] + 1, size[b]);
  }
}

TEST(SpanningTree, LeavesOneLoopForEachExtraJoint) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomGraph graph = random_graph(seed);
    const SpanningTree tree = spanning_tree(graph.num_bodies, graph.edges, no_preference);
    EXPECT_EQ(int(tree.loop_edges.size()), graph.num_extra) << "seed " << seed;
    EXPECT_TRUE(std::is_sorted(tree.loop_edges.begin(), tree.loop_edges.end()));
  }
}

// Depths by relaxing every edge until nothing changes (Bellman-Ford), which shares nothing with a breadth-first search.
TEST(SpanningTree, HangsEveryBodyAsNearToGroundAsItsJointsAllow) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomGraph graph = random_graph(seed);
    const SpanningTree tree = spanning_tree(graph.num_bodies, graph.edges, no_preference);
    std::vector<int> shortest(graph.num_bodies, graph.num_bodies);
    shortest[0] = 0;
    for (int round = 0; round < graph.num_bodies; ++round) {
      for (const auto& [a, b] : graph.edges) {
        shortest[b] = std::min(shortest[b], shortest[a] + 1);
        shortest[a] = std::min(shortest[a], shortest[b] + 1);
      }
    }
    for (int b = 1; b < graph.num_bodies; ++b) {
      int depth = 0;
      for (int c = b; c != 0; c = tree.links[c].parent) ++depth;
      EXPECT_EQ(depth, shortest[b]) << "seed " << seed << ", body " << b;
    }
  }
}

TEST(SpanningTree, RootsAStrayGroupInItsFirstBodyOrInThePreferredOne) {
  const std::vector<GraphEdge> edges{{0, 1}, {4, 2}, {3, 4}};  // 2, 3 and 4 have no path to Ground; 5 stands alone
  const SpanningTree first = spanning_tree(6, edges, no_preference);
  EXPECT_EQ(first.links[2].edge, -1);
  EXPECT_EQ(first.links[2].parent, 0);
  EXPECT_EQ(first.links[5].parent, 0);
  const SpanningTree preferred = spanning_tree(6, edges, [](int body) { return body >= 3; });
  EXPECT_EQ(preferred.links[3].edge, -1);
  EXPECT_EQ(preferred.links[2].parent, 4);
}

// Ranks.

TEST(SpanningTree, OfEqualRanksHangsEveryBodyByAJointItReallyHas) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph graph = random_graph(seed);
    const SpanningTree tree =
        spanning_tree(graph.num_bodies, graph.edges, std::vector<int>(graph.edges.size(), 0), no_preference);
    EXPECT_EQ(int(tree.loop_edges.size()), graph.num_extra);
    for (int b = 1; b < graph.num_bodies; ++b) {
      const auto& link = tree.links[b];
      ASSERT_GE(link.edge, 0);
      EXPECT_EQ(link.swapped ? graph.edges[link.edge].child : graph.edges[link.edge].parent, link.parent);
    }
  }
}

// A tree has least rank when no joint that it leaves over could take the place of one of higher rank on the loop that it
// closes.
TEST(SpanningTree, LeavesOverTheJointsOfHighestRankOfEachLoop) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph graph = random_graph(seed);
    std::mt19937 random(seed + 1000);
    std::vector<int> ranks(graph.edges.size());
    for (int& rank : ranks) rank = int(random() % 4);
    const SpanningTree tree = spanning_tree(graph.num_bodies, graph.edges, ranks, no_preference);
    const std::vector<int> place = place_in_order(tree);
    for (const int e : tree.loop_edges) {
      int a = graph.edges[e].parent, b = graph.edges[e].child;
      while (a != b) {  // parents come before their children
        int& later = place[a] > place[b] ? a : b;
        EXPECT_LE(ranks[tree.links[later].edge], ranks[e]);
        later = tree.links[later].parent;
      }
    }
  }
}

}  // namespace
}  // namespace polhode
