#include "polhode/maximal/constraints_planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/mechanism/constraints/loop_joint.h"

namespace polhode::maximal {

void Constraints::Planner::plan() {
  for (int body = 1; body < m_.num_bodies(); ++body) add_joint(m_.joints()[body], m_.bodies()[body].parent, body, body);
  const int loops = int(m_.loop_joints().size());
  for (int e = 0; e < m_.num_constraint_elements(); ++e) {
    if (out_.planned_[std::size_t(e)] == 0) continue;
    switched_by_ = e;
    if (e < loops) {
      const LoopJoint& joint = m_.loop_joints()[e];
      add_joint(joint, joint.parent, joint.child, -1);
    } else {
      const Constraint& constraint = m_.constraints()[e - loops];
      std::visit([&](const auto& model) { add(constraint, model); }, constraint.model);
    }
  }
  switched_by_ = -1;
  for (int body = 1; body < m_.num_bodies(); ++body) add_driven(body);
  if (!problems_.empty()) throw ModelError(std::move(problems_));
}

const Constraints::Element& Constraints::Planner::add_element(std::string owner, int num_rows, int num_velocity_rows,
                                                              std::vector<int> bodies, int joint) {
  Element element{.first_row = out_.num_rows_,
                  .num_rows = num_rows,
                  .num_velocity_rows = num_velocity_rows,
                  .first_side = int(out_.sides_.size()),
                  .num_sides = 0,
                  .touches_ground = std::find(bodies.begin(), bodies.end(), 0) != bodies.end(),
                  .joint = joint,
                  .switched_by = switched_by_,
                  .owner = int(out_.owners_.size())};
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  for (const int body : bodies) {
    if (body == 0) continue;
    out_.sides_.push_back({body, out_.num_values_});
    out_.num_values_ += num_rows * row_width;
    ++element.num_sides;
  }
  out_.num_rows_ += num_rows;
  out_.owners_.push_back(std::move(owner));
  out_.elements_.push_back(element);
  return out_.elements_.back();
}

Place Constraints::Planner::place(const Element& element, int body, const Transform<double>& X_BF) const {
  int first_value = -1;
  for (const Side& side : out_.sides(element))
    if (side.body == body) first_value = side.first_value;
  return {body, in_own_frame(m_.bodies()[body], X_BF), first_value};
}

Place Constraints::Planner::place_of_frame(const Element& element, int frame) const {
  return place(element, m_.frames()[frame].body, m_.frames()[frame].X_BF);
}

JointSite Constraints::Planner::site(const Element& element, int body) const {
  const Joint& joint = m_.joints()[body];
  return {out_.map_.joint_of(body), place(element, m_.bodies()[body].parent, joint.X_PF), place(element, body, joint.X_BM)};
}

/// A coordinate has one row whatever drives it. Speeds that are no coordinate's rate follow signals by rows on velocities, and
/// are locked, or move with an orientation, by rows on the orientation.
void Constraints::Planner::add_driven(int body) {
  const Joint& joint = m_.joints()[body];
  const bool lockable = out_.lockable_[std::size_t(body)] != 0, oriented = follows_orientation(m_, body);
  bool turns = false;
  for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) {
    const Drive drive = m_.drives()[std::size_t(u)];
    const bool moved = drive != Drive::forces && drive != Drive::fast;
    const int q = out_.paths_.coordinate(u);
    turns |= q < 0;
    out_.switched_motion_ |= lockable || oriented || (moved && drive != Drive::position);
    if (q >= 0 && (moved || lockable)) {
      add_equation(fmt::format("coordinate \"{}\"", m_.coordinate_names()[std::size_t(q)]), {RowLevel::position, {{q, u, 1}}});
      note_driven(u, Driven::By::path);
    } else if (moved && !oriented) {
      add_equation(fmt::format("speed \"{}\"", m_.speed_names()[std::size_t(u)]), {RowLevel::velocity, {{-1, u, 1}}});
      note_driven(u, Driven::By::motion);
    }
  }
  if (!(lockable || oriented) || !turns || turning_of(joint.model) == Turning::none) return;
  const int rows = turning_of(joint.model) == Turning::in_M ? 2 : 3;
  const Element& element = add_element(fmt::format("the {} of joint \"{}\"", oriented ? "motion" : "lock", joint.name), rows, 0,
                                       {m_.bodies()[body].parent, body});
  out_.turning_rows_.push_back({element.first_row, rows, site(element, body)});
  out_.driven_.push_back({int(out_.elements_.size()) - 1, joint.first_u, oriented ? Driven::By::path : Driven::By::lock});
}

/// The element that was added last, with its row.
void Constraints::Planner::note_driven(int u, Driven::By by) {
  out_.driven_.push_back({int(out_.elements_.size()) - 1, u, by});
  out_.coordinate_rows_.back().driven = u;
}

int Constraints::Planner::body_of_speed(int u) const {
  for (int body = 1; body < m_.num_bodies(); ++body) {
    const Joint& joint = m_.joints()[body];
    if (u >= joint.first_u && u < joint.first_u + joint.nu) return body;
  }
  return 0;
}

template <class Joint>
void Constraints::Planner::add_joint(const Joint& joint, int parent, int child, int tree_body) {
  const int rows = num_joint_rows(joint.model);
  if (rows == 0) return;
  const Element& element = add_element(fmt::format("joint \"{}\"", joint.name), rows, num_nonholonomic_rows(joint.model),
                                       {parent, child}, tree_body);
  Place F = place(element, parent, joint.X_PF), M = place(element, child, joint.X_BM);
  if (joint.reversed) std::swap(F, M);
  out_.joint_rows_.push_back({&joint.model, element.first_row, rows, F, M, JointRows::kind_of(joint.model)});
}

template <FrameConstraint Model>
void Constraints::Planner::add(const Constraint& constraint, const Model& model) {
  // Between frames of one body nothing moves; the loads on them cancel but for rounding, which is no row.
  const int body_a = m_.frames()[model.frame_a].body, body_b = m_.frames()[model.frame_b].body;
  std::vector<int> touched{body_a, body_b};
  if (!Model::relative) touched.push_back(0);
  if (Model::relative && body_a == body_b) touched.clear();
  const Element& element = add_element(constraint.description, Model::num_rows, Model::nonholonomic, touched);
  out_.frame_rows_.push_back({&constraint,
                              element.first_row,
                              Model::num_rows,
                              2,
                              {place_of_frame(element, model.frame_a), place_of_frame(element, model.frame_b), {}}});
}

template <CaseConstraint Model>
void Constraints::Planner::add(const Constraint& constraint, const Model& model) {
  const Element& element = add_element(constraint.description, Model::num_rows, Model::nonholonomic,
                                       {m_.frames()[model.frame_a].body, m_.frames()[model.frame_b].body});
  out_.frame_rows_.push_back({&constraint,
                              element.first_row,
                              Model::num_rows,
                              3,
                              {place_of_frame(element, model.frame_a), place_of_frame(element, model.frame_b),
                               place_of_frame(element, model.frame_case)}});
}

void Constraints::Planner::refuse(const Constraint& constraint) {
  problems_.push_back({fmt::format("{} holds accelerations only, which maximal coordinates have no place for; "
                                   "hold a speed or a coordinate",
                                   constraint.description),
                       constraint.source});
}

template <LinearConstraint Model>
void Constraints::Planner::add(const Constraint& constraint, const Model& model) {
  const LinearEquation equation = model.equation();
  if (equation.level == RowLevel::acceleration) return refuse(constraint);
  add_equation(constraint.description, equation);
}

void Constraints::Planner::add_equation(std::string owner, const LinearEquation& equation) {
  std::vector<int> bodies;
  for (const CoordinateTerm& term : equation.terms) {
    const int body = body_of_speed(term.u);
    bodies.insert(bodies.end(), {m_.bodies()[body].parent, body});
  }
  const bool position = equation.level == RowLevel::position;
  const Element& element = add_element(std::move(owner), 1, position ? 0 : 1, bodies);
  CoordinateRow row{.row = element.first_row, .holds_position = position, .signal = equation.signal, .terms = {}};
  for (const CoordinateTerm& term : equation.terms) {
    const int body = body_of_speed(term.u);
    const Joint& joint = m_.joints()[body];
    row.terms.push_back(
        {site(element, body), position ? term.q - joint.first_q : -1, term.u - joint.first_u, term.coefficient});
  }
  out_.coordinate_rows_.push_back(std::move(row));
}

void Constraints::Planner::add(const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model) {
  int velocity_rows = 0;
  for (int i = 0; i < model->num_rows(); ++i) {
    if (model->level(i) == RowLevel::acceleration) return refuse(constraint);
    if (model->level(i) == RowLevel::velocity) ++velocity_rows;
  }
  std::vector<int> touched = model->bodies(), joints;
  const std::vector<int> named = model->bodies(), speeds = model->speeds();
  for (const int u : speeds) {
    const int body = body_of_speed(u);
    if (std::find(joints.begin(), joints.end(), body) == joints.end()) joints.push_back(body);
    touched.insert(touched.end(), {m_.bodies()[body].parent, body});
  }
  if (!named.empty()) touched.push_back(0);  // it may read how the bodies that it names lie in Ground
  const Element& element = add_element(constraint.description, model->num_rows(), velocity_rows, touched);
  std::vector<Place> places;
  std::vector<JointSite> sites;
  std::vector<CustomRows::NamedSpeed> named_speeds;
  for (const int body : named) places.push_back(place(element, body, {}));
  for (const int body : joints) sites.push_back(site(element, body));
  for (const int u : speeds) {
    const int body = body_of_speed(u);
    const int joint = int(std::find(joints.begin(), joints.end(), body) - joints.begin());
    named_speeds.push_back({joint, u - m_.joints()[body].first_u});
  }
  out_.custom_rows_.emplace_back(m_, *model, element.first_row, places, sites, named_speeds);
}

}  // namespace polhode::maximal
