#include "polhode/tree/rows/row_plan.h"

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

class Planner {
 public:
  explicit Planner(RowPlan& out) : out_(out), m_(out.mechanism) {}
  void plan();

 private:
  using Kind = ElementRows::Kind;

  void add(int source, const LoopJoint& joint);
  template <FrameConstraint Model>
  void add(int source, const Constraint& constraint, const Model& model);
  template <CaseConstraint Model>
  void add(int source, const Constraint& constraint, const Model& model);
  template <LinearConstraint Model>
  void add(int source, const Constraint& constraint, const Model& model) {
    add(source, constraint, model.equation());
  }
  void add(int source, const Constraint& constraint, LinearEquation equation);
  void add(int source, const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model);

  int common_ancestor(int a, int b) const;
  void add_side(int body, const Transform<double>& X_BF, int ancestor);
  /// Rows with one pattern: all speeds on the paths of the sides from first_side on, and `direct` ones.
  ElementRows& add_element(Kind kind, int source, std::string owner, const std::vector<RowLevel>& row_levels, int first_side,
                           const std::vector<int>& direct = {});
  ElementRows& add_element(ElementRows element, std::string owner, const std::vector<RowLevel>& row_levels);

  RowPlan& out_;
  const Mechanism& m_;
  struct Connection {
    int frame_a = -1, frame_b = -1;
    bool relative = false;
    bool operator==(const Connection&) const = default;
  };
  Connection last_;  ///< what the last element connects; nothing where it is not between two frames
};

void Planner::plan() {
  const int num_joints = int(m_.loop_joints().size());
  for (int i = 0; i < num_joints; ++i) add(i, m_.loop_joints()[std::size_t(i)]);
  for (int i = 0; i < int(m_.constraints().size()); ++i) {
    const Constraint& constraint = m_.constraints()[std::size_t(i)];
    std::visit([&](const auto& model) { add(i, constraint, model); }, constraint.model);
    out_.elements.back().sense = constraint.sense;
  }
  for (const ElementRows& element : out_.elements) out_.num_entries += element.num_rows * element.width;
  out_.body_size = largest_body(m_);
}

int Planner::common_ancestor(int a, int b) const {
  while (a != b) (a > b ? a : b) = m_.bodies()[std::size_t(std::max(a, b))].parent;  // a parent has the lesser number
  return a;
}

void Planner::add_side(int body, const Transform<double>& X_BF, int ancestor) {
  const int first = int(out_.path.size());
  for (int b = body; b > 0 && b != ancestor; b = m_.bodies()[std::size_t(b)].parent) {
    const Joint& joint = m_.joints()[std::size_t(b)];
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) out_.path.push_back({k, b, 0, true});
  }
  out_.sides.push_back({body, ancestor, m_.joints()[std::size_t(body)].X_MB * X_BF, first, int(out_.path.size())});
}

ElementRows& Planner::add_element(Kind kind, int source, std::string owner, const std::vector<RowLevel>& row_levels,
                                  int first_side, const std::vector<int>& direct) {
  std::vector<int> speeds = direct;
  const int path_end = int(out_.path.size());
  const int first_path = first_side < int(out_.sides.size()) ? out_.sides[std::size_t(first_side)].first_path : path_end;
  for (int i = first_path; i < path_end; ++i) speeds.push_back(out_.path[std::size_t(i)].speed);
  sort_and_keep_one_of_each(speeds);
  std::vector<char> seen(speeds.size());
  for (int i = path_end - 1; i >= first_path; --i) {
    PathSpeed& path = out_.path[std::size_t(i)];
    path.place = place_of(path.speed, speeds);
    path.last = !std::exchange(seen[std::size_t(path.place)], char(1));
  }
  const ElementRows element{.kind = kind,
                            .source = source,
                            .first_column = int(out_.columns.size()),
                            .width = int(speeds.size()),
                            .first_side = first_side,
                            .num_sides = int(out_.sides.size()) - first_side,
                            .first_direct = int(out_.direct.size()),
                            .num_direct = int(direct.size())};
  for (const int speed : direct) out_.direct.push_back(place_of(speed, speeds));
  out_.columns.insert(out_.columns.end(), speeds.begin(), speeds.end());
  last_ = {};
  return add_element(element, std::move(owner), row_levels);
}

ElementRows& Planner::add_element(ElementRows element, std::string owner, const std::vector<RowLevel>& row_levels) {
  element.first_level = int(out_.levels.size());
  element.num_rows = int(row_levels.size());
  out_.levels.insert(out_.levels.end(), row_levels.begin(), row_levels.end());
  out_.owners.push_back(std::move(owner));
  return out_.elements.emplace_back(element);
}

void Planner::add(int source, const LoopJoint& joint) {
  const int first_side = int(out_.sides.size()), ancestor = common_ancestor(joint.parent, joint.child);
  add_side(joint.parent, joint.X_PF, ancestor);
  add_side(joint.child, joint.X_BM, ancestor);
  add_element(Kind::joint, source, fmt::format("joint \"{}\"", joint.name),
              levels(num_joint_rows(joint.model), num_nonholonomic_rows(joint.model)), first_side);
}

template <FrameConstraint Model>
void Planner::add(int source, const Constraint& constraint, const Model& model) {
  const std::vector<RowLevel> row_levels = levels(Model::num_rows, Model::nonholonomic);
  const Connection connection{model.frame_a, model.frame_b, Model::relative};
  if (last_ == connection) {
    ElementRows element = out_.elements.back();
    element.source = source;
    element.shares_sides = true;
    element.uses_axes = Model::uses_axes;
    add_element(element, constraint.description, row_levels);
    return;
  }
  const Frame &a = m_.frames()[std::size_t(model.frame_a)], &b = m_.frames()[std::size_t(model.frame_b)];
  const int first_side = int(out_.sides.size());
  const int ancestor = Model::relative ? common_ancestor(a.body, b.body) : all_the_way;
  add_side(a.body, a.X_BF, ancestor);
  add_side(b.body, b.X_BF, ancestor);
  add_element(Kind::frames, source, constraint.description, row_levels, first_side).uses_axes = Model::uses_axes;
  last_ = connection;
}

/// Rows push on a and b only, with forces in balance: the case is looked at, but no speed of it matters.
template <CaseConstraint Model>
void Planner::add(int source, const Constraint& constraint, const Model& model) {
  const Frame &a = m_.frames()[std::size_t(model.frame_a)], &b = m_.frames()[std::size_t(model.frame_b)],
              &c = m_.frames()[std::size_t(model.frame_case)];
  const int first_side = int(out_.sides.size()), ancestor = common_ancestor(a.body, b.body);
  add_side(a.body, a.X_BF, ancestor);
  add_side(b.body, b.X_BF, ancestor);
  add_side(c.body, c.X_BF, c.body);
  add_element(Kind::frames, source, constraint.description, levels(Model::num_rows, Model::nonholonomic), first_side);
}

void Planner::add(int source, const Constraint& constraint, LinearEquation equation) {
  auto& terms = equation.terms;
  std::sort(terms.begin(), terms.end(), [](const CoordinateTerm& a, const CoordinateTerm& b) { return a.u < b.u; });
  std::vector<int> speeds;
  const int first_term = int(out_.linear_terms.size());
  for (const CoordinateTerm& term : terms) {
    speeds.push_back(term.u);
    out_.linear_terms.push_back({term.q, term.u, term.coefficient, term.function ? int(out_.functions.size()) : -1});
    if (term.function) out_.functions.push_back(*term.function);
  }
  ElementRows& element =
      add_element(Kind::linear, source, constraint.description, {equation.level}, int(out_.sides.size()), speeds);
  element.first_term = first_term;
  element.last_term = int(out_.linear_terms.size());
  if (equation.signal.is_constant()) {
    element.constant = equation.signal.value(0);
    return;
  }
  element.signal = int(out_.signals.size());
  out_.signals.push_back(std::move(equation.signal));
}

void Planner::add(int source, const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model) {
  const int first_side = int(out_.sides.size());
  std::vector<RowLevel> row_levels;
  for (int row = 0; row < model->num_rows(); ++row) row_levels.push_back(model->level(row));
  for (const int body : model->bodies()) add_side(body, {}, all_the_way);
  add_element(Kind::users, source, constraint.description, row_levels, first_side, model->speeds());
}

}  // namespace

std::shared_ptr<const RowPlan> plan_rows(const Mechanism& mechanism) {
  const auto plan = std::make_shared<RowPlan>(mechanism);
  Planner(*plan).plan();
  return plan;
}

}  // namespace polhode::tree
