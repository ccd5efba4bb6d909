#pragma once
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// Lays out the rows of a Constraints: who owns them, which speeds they depend on and where their numbers go.
class Constraints::Planner {
 public:
  Planner(Constraints& out, std::span<const char> enabled) : out_(out), m_(out.mechanism_), enabled_(enabled) {}
  void plan();

 private:
  bool is_enabled(int element) const { return enabled_.empty() || enabled_[std::size_t(element)] != 0; }
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

  void add_side(int body, const Transform<double>& X_BF, int ancestor);
  int common_ancestor(int a, int b) const;
  /// Rows with one pattern: all speeds on the paths of the sides from first_side on, and `direct` ones.
  Block add_rows(int source, std::string owner, const std::vector<RowLevel>& levels, int first_side,
                 const std::vector<int>& direct);
  void add_owner(std::string owner, const std::vector<RowLevel>& levels, const std::vector<int>& speeds);
  bool joins_the_last_block(int source, int num_rows, int frame_a, int frame_b, bool relative);
  void list_what_is_read();

  Constraints& out_;
  const Mechanism& m_;
  std::span<const char> enabled_;
  int element_ = 0;         ///< whose rows are being added
  std::vector<int> paths_;  ///< all bodies on the paths of sides
  struct {
    int frame_a = -1, frame_b = -1;
    bool relative = false;
  } last_;  ///< what the last of frame_blocks_ connects
};

}  // namespace polhode::tree
