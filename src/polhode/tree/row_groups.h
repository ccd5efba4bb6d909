#pragma once
#include <vector>

#include "polhode/tree/body_range.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// The active rows in groups of up to eight in succession, for which M^-1 G^T is found at once, in the trees on Ground that
/// they touch. Planning them for another mask of the same constraints allocates nothing.
class RowGroups {
 public:
  struct Group {
    int first_row = 0, last_row = 0;
    std::vector<BodyRange> trees;
    std::vector<BodyRange> speeds;  // of those trees
    std::vector<int> relatives;     // rows before last_row with a tree in common
  };

  explicit RowGroups(const Constraints& constraints);
  void plan(const Constraints& constraints);

  std::span<const Group> all() const { return std::span<const Group>(groups_).first(std::size_t(count_)); }
  int most() const { return int(groups_.size()); }  ///< with all rows active

 private:
  void touch(Group& group, const Constraints& constraints);
  bool is_touched(std::span<const int> speeds) const;

  std::vector<int> root_, root_of_speed_;  // the body on Ground that carries a body, by body and by speed
  std::vector<char> touched_;              // by root
  std::vector<Group> groups_;
  int count_ = 0;
};

}  // namespace polhode::tree
