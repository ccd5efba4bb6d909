#pragma once
#include "polhode/maximal/constraints.h"
#include "polhode/mechanism/problem.h"

namespace polhode::maximal {

/// Lays out the elements of a Constraints: which bodies they touch, and where their rows and numbers go.
class Constraints::Planner {
 public:
  explicit Planner(Constraints& out) : out_(out), m_(out.mechanism()) {}
  void plan();

 private:
  template <class Joint>
  void add_joint(const Joint& joint, int parent, int child, int tree_body);
  template <FrameConstraint Model>
  void add(const Constraint& constraint, const Model& model);
  template <CaseConstraint Model>
  void add(const Constraint& constraint, const Model& model);
  template <LinearConstraint Model>
  void add(const Constraint& constraint, const Model& model);
  void add(const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model);

  void add_equation(std::string owner, const LinearEquation& equation);
  void add_driven(int body);
  void note_driven(int u, Driven::By by);
  void refuse(const Constraint& constraint);
  /// Starts an element with its rows and a side for each of the bodies, Ground and repetitions left out. If the rows depend on
  /// more than how the bodies lie to each other, Ground must be among them.
  const Element& add_element(std::string owner, int num_rows, int num_velocity_rows, std::vector<int> bodies, int joint = -1);
  Place place(const Element& element, int body, const Transform<double>& X_BF) const;
  Place place_of_frame(const Element& element, int frame) const;
  JointSite site(const Element& element, int body) const;
  int body_of_speed(int u) const;

  Constraints& out_;
  const Mechanism& m_;
  int switched_by_ = -1;  // the constraint element of the mechanism that is being laid out
  std::vector<Problem> problems_;
};

}  // namespace polhode::maximal
