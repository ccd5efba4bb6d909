#include "polhode/tree/constraints_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "polhode/mechanism/body_size.h"
#include "polhode/mechanism/constraints/loop_joint.h"

namespace polhode::tree {
namespace {

void sort_and_keep_one_of_each(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

int place_of(int number, const std::vector<int>& sorted) {
  return int(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
}

/// Rows at position level, but for the last ones.
std::vector<RowLevel> levels(int count, int nonholonomic) {
  std::vector<RowLevel> all(std::size_t(count), RowLevel::position);
  std::fill(all.end() - nonholonomic, all.end(), RowLevel::velocity);
  return all;
}

constexpr int all_the_way = -1;  // no ancestor: Ground has no speeds, so going past it adds none

}  // namespace

void Constraints::Planner::plan() {
  out_.row_starts_.push_back(0);
  const int num_joints = int(m_.loop_joints().size());
  for (element_ = 0; element_ < num_joints; ++element_)
    if (is_enabled(element_)) add(element_, m_.loop_joints()[element_]);
  for (; element_ < m_.num_constraint_elements(); ++element_) {
    if (!is_enabled(element_)) continue;
    const int i = element_ - num_joints;
    const Constraint& constraint = m_.constraints()[i];
    std::visit([&](const auto& model) { add(i, constraint, model); }, constraint.model);
  }
  list_what_is_read();
  out_.body_size_ = largest_body(m_);
}

int Constraints::Planner::common_ancestor(int a, int b) const {
  while (a != b) (a > b ? a : b) = m_.bodies()[a > b ? a : b].parent;  // a parent's number is less than its child's
  return a;
}

void Constraints::Planner::add_side(int body, const Transform<double>& X_BF, int ancestor) {
  const int first = int(out_.path_.size());
  for (int b = body; b > 0 && b != ancestor; b = m_.bodies()[b].parent) {
    const Joint& joint = m_.joints()[b];
    paths_.push_back(b);
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) out_.path_.push_back({k, b, 0, true});
  }
  out_.sides_.push_back({body, m_.joints()[body].X_MB * X_BF, first, int(out_.path_.size())});
}

Constraints::Block Constraints::Planner::add_rows(int source, std::string owner, const std::vector<RowLevel>& levels,
                                                  int first_side, const std::vector<int>& direct) {
  std::vector<int> speeds = direct;
  const int first_path = first_side < int(out_.sides_.size()) ? out_.sides_[first_side].first_path : int(out_.path_.size());
  for (int i = first_path; i < int(out_.path_.size()); ++i) speeds.push_back(out_.path_[i].speed);
  sort_and_keep_one_of_each(speeds);
  std::vector<char> seen(speeds.size());
  for (int i = int(out_.path_.size()) - 1; i >= first_path; --i) {
    PathSpeed& path = out_.path_[i];
    path.place = place_of(path.speed, speeds);
    path.last = !std::exchange(seen[path.place], char(1));
  }

  const Block block{.source = source,
                    .num_sources = 1,
                    .first_row = int(out_.rows_.size()),
                    .num_rows = int(levels.size()),
                    .first_value = int(out_.columns_.size()),
                    .width = int(speeds.size()),
                    .first_side = first_side,
                    .num_sides = int(out_.sides_.size()) - first_side,
                    .first_direct = int(out_.direct_.size()),
                    .num_direct = int(direct.size()),
                    .uses_axes = true};
  for (const int speed : direct) out_.direct_.push_back(place_of(speed, speeds));
  add_owner(std::move(owner), levels, speeds);
  return block;
}

void Constraints::Planner::add_owner(std::string owner, const std::vector<RowLevel>& levels, const std::vector<int>& speeds) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    out_.rows_.push_back({element_, int(out_.owners_.size()), int(i), levels[i]});
    out_.columns_.insert(out_.columns_.end(), speeds.begin(), speeds.end());
    out_.row_starts_.push_back(int(out_.columns_.size()));
  }
  out_.owners_.push_back(std::move(owner));
}

/// Point constraints come in twos and threes between the same frames; poses and velocities are then computed once for all.
bool Constraints::Planner::joins_the_last_block(int source, int num_rows, int frame_a, int frame_b, bool relative) {
  if (out_.frame_blocks_.empty()) return false;
  const Block& block = out_.frame_blocks_.back();
  return block.source + block.num_sources == source && block.num_rows + num_rows <= most_rows && last_.frame_a == frame_a &&
         last_.frame_b == frame_b && last_.relative == relative;
}

void Constraints::Planner::add(int source, const LoopJoint& joint) {
  const int first_side = int(out_.sides_.size()), ancestor = common_ancestor(joint.parent, joint.child);
  add_side(joint.parent, joint.X_PF, ancestor);
  add_side(joint.child, joint.X_BM, ancestor);
  out_.joint_blocks_.push_back(add_rows(source, fmt::format("joint \"{}\"", joint.name),
                                        levels(num_joint_rows(joint.model), num_nonholonomic_rows(joint.model)), first_side,
                                        {}));
}

template <FrameConstraint Model>
void Constraints::Planner::add(int source, const Constraint& constraint, const Model& model) {
  const std::vector<RowLevel> row_levels = levels(Model::num_rows, Model::nonholonomic);
  if (joins_the_last_block(source, Model::num_rows, model.frame_a, model.frame_b, Model::relative)) {
    Block& block = out_.frame_blocks_.back();
    const auto speeds = out_.columns_.begin() + block.first_value;
    add_owner(constraint.description, row_levels, {speeds, speeds + block.width});
    block.num_sources += 1;
    block.num_rows += Model::num_rows;
    block.uses_axes = block.uses_axes || Model::uses_axes;
    return;
  }
  last_ = {model.frame_a, model.frame_b, Model::relative};
  const Frame &a = m_.frames()[model.frame_a], &b = m_.frames()[model.frame_b];
  const int first_side = int(out_.sides_.size());
  const int ancestor = Model::relative ? common_ancestor(a.body, b.body) : all_the_way;
  add_side(a.body, a.X_BF, ancestor);
  add_side(b.body, b.X_BF, ancestor);
  out_.frame_blocks_.push_back(add_rows(source, constraint.description, row_levels, first_side, {}));
  out_.frame_blocks_.back().uses_axes = Model::uses_axes;
}

/// Rows push on a and b only, with forces in balance: the case is looked at, but no speed of it matters.
template <CaseConstraint Model>
void Constraints::Planner::add(int source, const Constraint& constraint, const Model& model) {
  last_ = {};  // its block has three sides, so none between two frames can join it
  const Frame &a = m_.frames()[model.frame_a], &b = m_.frames()[model.frame_b], &c = m_.frames()[model.frame_case];
  const int first_side = int(out_.sides_.size()), ancestor = common_ancestor(a.body, b.body);
  add_side(a.body, a.X_BF, ancestor);
  add_side(b.body, b.X_BF, ancestor);
  add_side(c.body, c.X_BF, c.body);
  out_.frame_blocks_.push_back(
      add_rows(source, constraint.description, levels(Model::num_rows, Model::nonholonomic), first_side, {}));
}

void Constraints::Planner::add(int source, const Constraint& constraint, LinearEquation equation) {
  auto& terms = equation.terms;
  std::sort(terms.begin(), terms.end(), [](const CoordinateTerm& a, const CoordinateTerm& b) { return a.u < b.u; });
  std::vector<int> speeds;
  const int first_term = int(out_.linear_terms_.size());
  for (const CoordinateTerm& term : terms) {
    speeds.push_back(term.u);
    out_.linear_terms_.push_back({term.q, term.u, term.coefficient});
  }
  const Block block = add_rows(source, constraint.description, {equation.level}, int(out_.sides_.size()), speeds);
  const bool constant = equation.signal.is_constant();
  out_.linear_rows_.push_back({block.first_row, first_term, int(out_.linear_terms_.size()),
                               constant ? equation.signal.value(0) : 0.0, constant ? -1 : int(out_.signals_.size())});
  if (!constant) out_.signals_.push_back(std::move(equation.signal));
}

void Constraints::Planner::add(int source, const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model) {
  const int first_side = int(out_.sides_.size());
  std::vector<RowLevel> row_levels;
  for (int row = 0; row < model->num_rows(); ++row) row_levels.push_back(model->level(row));
  for (const int body : model->bodies()) add_side(body, {}, all_the_way);
  out_.custom_blocks_.push_back(add_rows(source, constraint.description, row_levels, first_side, model->speeds()));
}

void Constraints::Planner::list_what_is_read() {
  for (const Side& side : out_.sides_) out_.touched_bodies_.push_back(side.body);
  sort_and_keep_one_of_each(out_.touched_bodies_);
  sort_and_keep_one_of_each(paths_);
  out_.moved_bodies_ = out_.touched_bodies_;
  out_.moved_bodies_.insert(out_.moved_bodies_.end(), paths_.begin(), paths_.end());
  sort_and_keep_one_of_each(out_.moved_bodies_);
  for (const PathSpeed& path : out_.path_) out_.moving_speeds_.push_back(path.speed);
  sort_and_keep_one_of_each(out_.moving_speeds_);

  const auto on_a_path = [&](int body) { return std::binary_search(paths_.begin(), paths_.end(), body); };
  for (const int body : paths_) {
    const Joint& joint = m_.joints()[body];
    const int parent = m_.bodies()[body].parent;
    out_.carriers_.push_back({body, on_a_path(parent) ? parent : -1, joint.first_u, joint.nu});
  }
  for (const int body : out_.touched_bodies_)
    if (!on_a_path(body)) out_.resting_.push_back(body);
}

}  // namespace polhode::tree
