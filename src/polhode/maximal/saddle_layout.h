#pragma once
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "polhode/linear/block_graph.h"
#include "polhode/maximal/constraints.h"

namespace polhode::maximal {

/// Where the rows of constraints are in the matrix of a saddle point (saddle_matrix.h): bodies are its first nodes (body b is
/// node b - 1), rows the others, six at most in a node. Vectors have row_width numbers for every node.
///
/// Rows of elements without sides (between frames of one body, or on Ground) say nothing of any motion and have no place.
class SaddleLayout {
 public:
  static constexpr int most_rows = 6;  ///< in a node
  /// Blocks cost by their number, so elements between the same bodies may share a node as long as their rows fit into it: a pin
  /// that is closed by two equations on points is then as cheap as one by a joint.
  enum class Nodes { by_element, by_bodies };

  struct Node {
    int size;
    bool touches_ground;
  };
  /// Rows of one element that are in one node, one after another.
  struct Group {
    int element;
    int node, first;        ///< its first row is row `first` of the node
    int first_use, count;   ///< rows()[first_use] and on
    int num_position_rows;  ///< the first ones; the others are velocity rows
    int first_block, num_blocks;
  };
  /// The derivatives of a group's rows with respect to one body: row k is at values[value[k]] of a Jacobian, eight numbers.
  struct Block {
    int group, body;
    std::array<int, most_rows> value;
  };

  /// kept: by row of the constraints, 0 for those that hold by themselves; nothing means that none does.
  SaddleLayout(const Constraints& constraints, Nodes nodes, std::span<const char> kept = {});

  int num_bodies() const { return num_bodies_; }  ///< Ground not counted
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Group> groups() const { return groups_; }
  std::span<const Block> blocks() const { return blocks_; }
  std::span<const Block> blocks(const Group& group) const {
    return std::span<const Block>(blocks_).subspan(std::size_t(group.first_block), std::size_t(group.num_blocks));
  }
  /// The rows in use, as the constraints count them.
  std::span<const int> rows() const { return rows_; }
  bool any_velocity_rows() const { return any_velocity_rows_; }

  /// Of the matrix.
  int num_nodes() const { return num_bodies_ + int(nodes_.size()); }
  int node_of_rows(int node) const { return num_bodies_ + node; }
  std::size_t vector_size() const { return std::size_t(row_width) * std::size_t(num_nodes()); }
  /// Where a row in use has its number in a vector.
  std::size_t place(int use) const { return places_[std::size_t(use)]; }
  /// The same for the rows of a group: row k is k numbers on.
  std::size_t place(const Group& group) const { return places_[std::size_t(group.first_use)]; }

 private:
  void add_group(const Constraints& constraints, int element, std::span<const int> own, Group& at);

  int num_bodies_;
  bool any_velocity_rows_ = false;
  std::vector<Node> nodes_;
  std::vector<Group> groups_;
  std::vector<Block> blocks_;
  std::vector<int> rows_;
  std::vector<std::size_t> places_;  // by row in use
};

/// The pattern of the matrix. directions: columns of a body's block. singular: by body, Ground not counted: bodies whose
/// elements all get weights, which couple the bodies of an element. couplings: further pairs of bodies.
linear::BlockGraph saddle_graph(const SaddleLayout& layout, int directions, std::span<const char> singular,
                                std::span<const std::pair<int, int>> couplings);

/// Whether a group's rows get weights.
bool is_weighted(const SaddleLayout& layout, const SaddleLayout::Group& group, std::span<const char> singular);

}  // namespace polhode::maximal
