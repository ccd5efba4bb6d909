#include "polhode/tree/rows/active_rows.h"

#include <algorithm>

namespace polhode::tree {

ActiveRows::ActiveRows(const RowPlan& plan) {
  const Mechanism& m = plan.mechanism;
  const std::size_t bodies = std::size_t(m.num_bodies()), all = std::size_t(plan.num_rows());
  rows.reserve(all);
  starts.reserve(all + 1);
  columns.reserve(std::size_t(plan.num_entries));
  const auto count = [&](ElementRows::Kind kind) {
    return std::size_t(std::count_if(plan.elements.begin(), plan.elements.end(),
                                     [&](const ElementRows& element) { return element.kind == kind; }));
  };
  joint_blocks.reserve(count(ElementRows::Kind::joint));
  frame_blocks.reserve(count(ElementRows::Kind::frames));
  users_blocks.reserve(count(ElementRows::Kind::users));
  linear_rows.reserve(count(ElementRows::Kind::linear));
  carriers.reserve(bodies);
  for (auto* list : {&resting, &touched_bodies, &moved_bodies}) list->reserve(bodies);
  moving_speeds.reserve(std::size_t(m.num_u()));
  is_touched_.resize(bodies);
  is_on_path_.resize(bodies);
  starts.push_back(0);
}

void ActiveRows::activate(const RowPlan& plan, std::span<const char> enabled) {
  rows.clear();
  starts.assign(1, 0);
  columns.clear();
  for (auto* blocks : {&joint_blocks, &frame_blocks, &users_blocks}) blocks->clear();
  linear_rows.clear();
  std::fill(is_touched_.begin(), is_touched_.end(), char(0));
  std::fill(is_on_path_.begin(), is_on_path_.end(), char(0));
  for (std::size_t element = 0; element < plan.elements.size(); ++element)
    if (enabled.empty() || enabled[element] != 0) add(plan, int(element));
  list_what_is_read(plan.mechanism);
}

void ActiveRows::add(const RowPlan& plan, int element) {
  const ElementRows& of = plan.elements[std::size_t(element)];
  switch (of.kind) {
    case ElementRows::Kind::joint: add_block(plan, of, joint_blocks); break;
    case ElementRows::Kind::frames: add_block(plan, of, frame_blocks); break;
    case ElementRows::Kind::users: add_block(plan, of, users_blocks); break;
    case ElementRows::Kind::linear:
      linear_rows.push_back({int(rows.size()), of.first_term, of.last_term, of.constant, of.signal});
      break;
  }
  const auto speeds = plan.columns.begin() + of.first_column;
  for (int number = 0; number < of.num_rows; ++number) {
    rows.push_back({element, number, plan.levels[std::size_t(of.first_level + number)], of.sense});
    columns.insert(columns.end(), speeds, speeds + of.width);
    starts.push_back(int(columns.size()));
  }
}

/// Point constraints come in twos and threes between the same frames.
void ActiveRows::add_block(const RowPlan& plan, const ElementRows& of, std::vector<RowBlock>& blocks) {
  if (of.shares_sides && !blocks.empty()) {
    RowBlock& last = blocks.back();
    if (last.source + last.num_sources == of.source && last.num_rows + of.num_rows <= most_block_rows) {
      last.num_sources += 1;
      last.num_rows += of.num_rows;
      last.uses_axes = last.uses_axes || of.uses_axes;
      return;
    }
  }
  blocks.push_back({of.source, 1, int(rows.size()), of.num_rows, int(columns.size()), of.width, of.first_column, of.first_side,
                    of.num_sides, of.first_direct, of.num_direct, of.uses_axes});
  mark_sides(plan, of);
}

void ActiveRows::mark_sides(const RowPlan& plan, const ElementRows& of) {
  for (int i = of.first_side; i < of.first_side + of.num_sides; ++i) {
    const RowSide& side = plan.sides[std::size_t(i)];
    is_touched_[std::size_t(side.body)] = 1;
    for (int b = side.body; b > 0 && b != side.ancestor; b = plan.mechanism.bodies()[std::size_t(b)].parent)
      is_on_path_[std::size_t(b)] = 1;
  }
}

void ActiveRows::list_what_is_read(const Mechanism& mechanism) {
  for (auto* list : {&resting, &touched_bodies, &moved_bodies, &moving_speeds}) list->clear();
  carriers.clear();
  for (int b = 0; b < mechanism.num_bodies(); ++b) {
    const bool touched = is_touched_[std::size_t(b)] != 0, on_path = is_on_path_[std::size_t(b)] != 0;
    if (touched) touched_bodies.push_back(b);
    if (touched || on_path) moved_bodies.push_back(b);
    if (touched && !on_path) resting.push_back(b);
    if (!on_path) continue;
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    const int parent = mechanism.bodies()[std::size_t(b)].parent;
    carriers.push_back({b, is_on_path_[std::size_t(parent)] ? parent : -1, joint.first_u, joint.nu});
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) moving_speeds.push_back(k);
  }
}

}  // namespace polhode::tree
