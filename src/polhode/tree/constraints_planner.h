#pragma once
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// Lays out the rows of a Constraints: who owns them, which speeds they depend on and where their numbers go.
class Constraints::Planner {
 public:
  explicit Planner(Constraints& out) : out_(out), m_(out.mechanism_) {}
  void plan();

 private:
  void add(int source, const LoopJoint& joint);
  template <FrameConstraint Model>
  void add(int source, const Constraint& constraint, const Model& model);
  void add(int source, const Constraint& constraint, const Coupler& coupler);
  void add(int source, const Constraint& constraint, const ScrewCoupler& model) { add(source, constraint, model.coupler()); }
  void add(int source, const Constraint& constraint, const Gear& model) { add(source, constraint, model.coupler()); }
  void add(int source, const Constraint& constraint, const std::shared_ptr<const CustomConstraint>& model);

  void add_side(int body, const Transform<double>& X_BF, int ancestor);
  int common_ancestor(int a, int b) const;
  /// Rows with one pattern: all speeds on the paths of the sides from first_side on, and `direct` ones.
  Block add_rows(int source, std::string owner, int count, int nonholonomic, int first_side, const std::vector<int>& direct);
  void add_owner(std::string owner, int count, int nonholonomic, const std::vector<int>& speeds);
  bool joins_the_last_block(int source, int num_rows, int frame_a, int frame_b, bool relative);
  void list_what_is_read();

  Constraints& out_;
  const Mechanism& m_;
  struct {
    int frame_a = -1, frame_b = -1;
    bool relative = false;
  } last_;  ///< what the last of frame_blocks_ connects
};

}  // namespace polhode::tree
