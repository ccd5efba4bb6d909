#include "polhode/mechanism/spanning_tree.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace polhode {
namespace {

using RootPreference = std::function<bool(int)>;

/// Lists of integers kept one after another: list i is items[first[i]] .. items[first[i + 1]].
struct Lists {
  std::vector<int> first, items;
  std::span<const int> operator[](int i) const { return {items.data() + first[i], size_t(first[i + 1] - first[i])}; }
};

/// Counting sort of (key, item) pairs that keeps the order of items with one key.
template <class ForEachPair>
Lists lists_by_key(int num_keys, const ForEachPair& for_each_pair) {
  Lists lists{std::vector<int>(num_keys + 1, 0), {}};
  for_each_pair([&](int key, int) { ++lists.first[key + 1]; });
  for (int i = 0; i < num_keys; ++i) lists.first[i + 1] += lists.first[i];
  lists.items.resize(lists.first[num_keys]);
  std::vector<int> next(lists.first.begin(), lists.first.end() - 1);
  for_each_pair([&](int key, int item) { lists.items[next[key]++] = item; });
  return lists;
}

/// Kruskal: which edges make a forest of least rank. Groups of connected bodies are trees of pointers, with paths halved.
std::vector<bool> forest_of_least_rank(int num_bodies, const std::vector<GraphEdge>& edges, const std::vector<int>& ranks) {
  std::vector<int> group(num_bodies), order(edges.size());
  std::iota(group.begin(), group.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ranks[a] < ranks[b]; });
  const auto group_of = [&](int body) {
    while (group[body] != body) body = group[body] = group[group[body]];
    return body;
  };
  std::vector<bool> chosen(edges.size(), false);
  for (const int e : order) {
    const int a = group_of(edges[e].parent), b = group_of(edges[e].child);
    chosen[e] = a != b;
    group[a] = b;
  }
  return chosen;
}

class TreeGrower {
 public:
  /// Over the edges that may be used; the others close loops.
  TreeGrower(const std::vector<GraphEdge>& edges, int num_bodies, const std::function<bool(int)>& may_use)
      : edges_(edges), reached_(num_bodies, false), used_(edges.size(), false) {
    tree_.links.resize(num_bodies);
    edges_of_ = lists_by_key(num_bodies, [&](const auto& add) {
      for (int e = 0; e < int(edges.size()); ++e)
        if (may_use(e)) add(edges[e].parent, e), add(edges[e].child, e);
    });
  }

  void grow_from(int root) {
    reached_[root] = true;
    std::vector<int> queue{root};
    for (size_t head = 0; head < queue.size(); ++head) {
      const int body = queue[head];
      for (const int e : edges_of_[body]) {
        const bool swapped = edges_[e].child == body;
        const int other = swapped ? edges_[e].parent : edges_[e].child;
        if (reached_[other]) continue;
        reached_[other] = used_[e] = true;
        tree_.links[other] = {body, e, swapped};
        queue.push_back(other);
      }
    }
  }

  void hang_stray_groups_on_ground(const RootPreference& prefers) {
    std::vector<bool> seen = reached_;
    for (int body = 1; body < int(seen.size()); ++body) {
      if (seen[body]) continue;
      const int root = root_of_group(body, prefers, seen);
      tree_.links[root].parent = 0;
      grow_from(root);
    }
  }

  SpanningTree finished() {
    for (int e = 0; e < int(edges_.size()); ++e)
      if (!used_[e]) tree_.loop_edges.push_back(e);
    number_depth_first();
    return std::move(tree_);
  }

 private:
  /// The first preferred body of the group that first belongs to; marks the whole group as seen.
  int root_of_group(int first, const RootPreference& prefers, std::vector<bool>& seen) const {
    int root = prefers(first) ? first : -1;
    std::vector<int> group{first};
    seen[first] = true;
    for (size_t head = 0; head < group.size(); ++head) {
      for (const int e : edges_of_[group[head]]) {
        for (const int other : {edges_[e].parent, edges_[e].child}) {
          if (seen[other]) continue;
          seen[other] = true;
          group.push_back(other);
          if ((root < 0 || other < root) && prefers(other)) root = other;
        }
      }
    }
    return root < 0 ? first : root;
  }

  void number_depth_first() {
    const int n = int(tree_.links.size());
    const Lists children = lists_by_key(n, [&](const auto& add) {
      for (int body = 1; body < n; ++body) add(tree_.links[body].parent, body);
    });
    std::vector<int> stack{0};
    tree_.order.reserve(n);
    while (!stack.empty()) {
      const int body = stack.back();
      stack.pop_back();
      tree_.order.push_back(body);
      const auto below = children[body];
      stack.insert(stack.end(), below.rbegin(), below.rend());
    }
  }

  const std::vector<GraphEdge>& edges_;
  Lists edges_of_;
  std::vector<bool> reached_, used_;
  SpanningTree tree_;
};

SpanningTree grown(TreeGrower grower, const RootPreference& prefers) {
  grower.grow_from(0);
  grower.hang_stray_groups_on_ground(prefers);
  return grower.finished();
}

}  // namespace

SpanningTree spanning_tree(int num_bodies, const std::vector<GraphEdge>& edges, const RootPreference& prefers) {
  return grown(TreeGrower(edges, num_bodies, [](int) { return true; }), prefers);
}

SpanningTree spanning_tree(int num_bodies, const std::vector<GraphEdge>& edges, const std::vector<int>& ranks,
                           const RootPreference& prefers) {
  const std::vector<bool> chosen = forest_of_least_rank(num_bodies, edges, ranks);
  return grown(TreeGrower(edges, num_bodies, [&](int e) { return chosen[e]; }), prefers);
}

}  // namespace polhode
