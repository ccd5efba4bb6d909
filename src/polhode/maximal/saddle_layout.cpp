#include "polhode/maximal/saddle_layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace polhode::maximal {

SaddleLayout::SaddleLayout(const Constraints& constraints, Nodes nodes, std::span<const char> kept)
    : num_bodies_(constraints.mechanism().num_bodies() - 1) {
  std::map<std::vector<int>, int> open;  // by bodies, Ground as 0: the last node between them
  const auto elements = constraints.elements();
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const Constraints::Element& element = elements[e];
    if (element.num_sides == 0) continue;
    std::vector<int> own, bodies;
    for (int r = 0; r < element.num_rows; ++r)
      if (kept.empty() || kept[std::size_t(element.first_row + r)] != 0) own.push_back(r);
    if (element.touches_ground) bodies.push_back(0);
    for (const auto& side : constraints.sides(element)) bodies.push_back(side.body);
    for (std::span<const int> left = own; !left.empty();) {
      const std::size_t count = std::min(left.size(), std::size_t(most_rows));
      const auto [found, is_new] = open.try_emplace(bodies, int(nodes_.size()));
      const bool fits =
          !is_new && nodes == Nodes::by_bodies && nodes_[std::size_t(found->second)].size + int(count) <= most_rows;
      if (!fits) {
        found->second = int(nodes_.size());
        nodes_.push_back({0, element.touches_ground});
      }
      Group at{};
      at.node = found->second;
      add_group(constraints, int(e), left.first(count), at);
      left = left.subspan(count);
    }
  }
}

void SaddleLayout::add_group(const Constraints& constraints, int element, std::span<const int> own, Group& at) {
  const Constraints::Element& of = constraints.elements()[std::size_t(element)];
  Node& node = nodes_[std::size_t(at.node)];
  at.element = element;
  at.first = node.size;
  at.first_use = int(rows_.size());
  at.count = int(own.size());
  at.first_block = int(blocks_.size());
  at.num_blocks = of.num_sides;
  for (const int r : own) {
    places_.push_back(std::size_t(row_width * node_of_rows(at.node) + node.size++));
    rows_.push_back(of.first_row + r);
    at.num_position_rows += r < of.num_rows - of.num_velocity_rows;
  }
  any_velocity_rows_ |= at.num_position_rows < at.count;
  for (const auto& side : constraints.sides(of)) {
    Block block{int(groups_.size()), side.body, {}};
    for (std::size_t k = 0; k < own.size(); ++k) block.value[k] = side.first_value + row_width * own[k];
    blocks_.push_back(block);
  }
  groups_.push_back(at);
}

bool is_weighted(const SaddleLayout& layout, const SaddleLayout::Group& group, std::span<const char> singular) {
  const auto blocks = layout.blocks(group);
  return !singular.empty() && std::any_of(blocks.begin(), blocks.end(), [&](const SaddleLayout::Block& block) {
    return singular[std::size_t(block.body - 1)] != 0;
  });
}

linear::BlockGraph saddle_graph(const SaddleLayout& layout, int directions, std::span<const char> singular,
                                std::span<const std::pair<int, int>> couplings) {
  linear::BlockGraph graph;
  graph.nodes.assign(std::size_t(layout.num_bodies()), {.size = directions});
  for (const SaddleLayout::Node& node : layout.nodes())
    graph.nodes.push_back({.size = node.size, .constraint = true, .touches_ground = node.touches_ground});
  std::set<std::pair<int, int>> edges;
  const auto couple = [&](int body_a, int body_b) {
    edges.emplace(std::min(body_a, body_b) - 1, std::max(body_a, body_b) - 1);
  };
  for (const SaddleLayout::Group& group : layout.groups()) {
    const auto blocks = layout.blocks(group);
    const bool weighted = is_weighted(layout, group, singular);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      edges.emplace(blocks[i].body - 1, layout.node_of_rows(group.node));
      for (std::size_t j = i + 1; j < blocks.size() && weighted; ++j) couple(blocks[i].body, blocks[j].body);
    }
  }
  for (const auto& [a, b] : couplings) couple(a, b);
  graph.edges.assign(edges.begin(), edges.end());
  return graph;
}

}  // namespace polhode::maximal
