#include "polhode/tree/row_groups.h"

#include <algorithm>

namespace polhode::tree {
namespace {

constexpr int rows_at_once = 8;

void append(std::vector<BodyRange>& ranges, int first, int last) {
  if (!ranges.empty() && ranges.back().last == first) {
    ranges.back().last = last;
  } else if (first < last) {
    ranges.push_back({first, last});
  }
}

}  // namespace

RowGroups::RowGroups(const Constraints& constraints) {
  const Mechanism& m = constraints.mechanism();
  const std::size_t bodies = std::size_t(m.num_bodies());
  root_.resize(bodies);
  root_of_speed_.resize(std::size_t(m.num_u()));
  touched_.resize(bodies);
  std::size_t trees = 0;
  for (int b = 1; b < m.num_bodies(); ++b) {
    const int parent = m.bodies()[std::size_t(b)].parent;
    root_[std::size_t(b)] = parent > 0 ? root_[std::size_t(parent)] : b;
    trees += parent == 0;
    const Joint& joint = m.joints()[std::size_t(b)];
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) root_of_speed_[std::size_t(k)] = root_[std::size_t(b)];
  }
  const int most_rows = constraints.max_rows();
  groups_.resize(std::size_t((most_rows + rows_at_once - 1) / rows_at_once));
  for (Group& group : groups_) {
    group.trees.reserve(trees);
    group.speeds.reserve(trees);
    group.relatives.reserve(std::size_t(most_rows));
  }
  plan(constraints);
}

void RowGroups::plan(const Constraints& constraints) {
  const int m = constraints.num_rows();
  count_ = 0;
  for (int first = 0; first < m; first += rows_at_once) {
    Group& group = groups_[std::size_t(count_++)];
    group.first_row = first;
    group.last_row = std::min(first + rows_at_once, m);
    touch(group, constraints);
    group.relatives.clear();
    for (int row = 0; row < group.last_row; ++row)
      if (is_touched(constraints.columns(row))) group.relatives.push_back(row);
  }
}

/// The trees that the group's rows touch, which stay marked.
void RowGroups::touch(Group& group, const Constraints& constraints) {
  const Mechanism& m = constraints.mechanism();
  std::fill(touched_.begin(), touched_.end(), char(0));
  for (int row = group.first_row; row < group.last_row; ++row)
    for (const int k : constraints.columns(row)) touched_[std::size_t(root_of_speed_[std::size_t(k)])] = 1;
  group.trees.clear();
  group.speeds.clear();
  for (int b = 1; b < m.num_bodies(); ++b) {
    if (!touched_[std::size_t(root_[std::size_t(b)])]) continue;
    const Joint& joint = m.joints()[std::size_t(b)];
    append(group.trees, b, b + 1);
    append(group.speeds, joint.first_u, joint.first_u + joint.nu);
  }
}

bool RowGroups::is_touched(std::span<const int> speeds) const {
  return std::any_of(speeds.begin(), speeds.end(),
                     [&](int k) { return touched_[std::size_t(root_of_speed_[std::size_t(k)])] != 0; });
}

}  // namespace polhode::tree
