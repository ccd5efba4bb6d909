#pragma once
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "polhode/maximal/forces.h"
#include "polhode/maximal/saddle_matrix.h"
#include "polhode/maximal/struts.h"
#include "polhode/variational/maximal/discrete_body.h"

namespace polhode::variational {

/// Where a step begins.
struct StepNode {
  double t = 0;
  maximal::Bodies bodies;    ///< poses, and velocities where forces depend on them
  std::vector<double> near;  ///< coordinates from which angles are counted on
};

/// How long a step is [s], and s, the part of the forces' impulse over h that comes at its start.
struct StepSize {
  double h, share;
};

/// The forces in a step in maximal coordinates.
///
/// They are taken at the node, with the velocities of the step, which is symmetric and cheap, and good for springs that are
/// soft within a step. Where one is not, all forces are taken at the middle of the step instead, and Newton's matrix has the
/// springs' stiffness: there is no limit to that. Half of the impulse goes to either end, in Ground's axes, so momentum is
/// kept.
class StepForces {
 public:
  /// step: the size for which springs are told to be soft or stiff [s].
  StepForces(const Mechanism& mechanism, double step);

  maximal::Forces& forces() { return forces_; }
  const maximal::Forces& forces() const { return forces_; }
  /// Pairs of bodies that springs and dampers couple; and where the matrix has blocks for them, once it is made.
  std::vector<std::pair<int, int>> couplings() const;
  void place_in(maximal::SaddleMatrix& matrix);

  /// At a node, with velocities as given, unless forces are taken at the middle.
  void evaluate_loads(const StepNode& here, const maximal::Bodies& velocities);
  /// At a node that a step has led to: nothing to do where forces are the same everywhere.
  void arrive(const StepNode& here) {
    if (!forces_.are_constant()) evaluate_loads(here, here.bodies);
  }
  /// In a step that leads to `next` by these turns; those that it does not change stay as they are.
  void evaluate(const StepNode& here, double h, const maximal::Bodies& next, std::span<const Turn> turns);
  /// By body, row_width numbers: in the axes that the last evaluation was asked for.
  std::span<const double> loads() const { return loads_; }
  /// Those of the step in the axes at its end.
  void turn_to_end();
  /// Of the loads, with velocities as given [W].
  double power(const maximal::Bodies& velocities) const;

  /// Adds the derivatives of the impulses of springs and dampers by the displacements d at the far end over h.
  void add_struts(const StepNode& here, const StepSize& size, const maximal::Bodies& next, std::span<const Turn> turns);

 private:
  bool has_stiff_springs(double step);
  double row_gives(int row, double weight) const;
  std::array<int, 2> bodies_of_row(int row) const;
  void evaluate_loads_at_middle(const StepNode& here, double h, const maximal::Bodies& next, std::span<const Turn> turns);

  struct StrutBlock {
    int strut, row_a, row_b, body_a, body_b;  // of what it loads and of what it reads, two rows for each of the struts' rows
    double* block;
  };
  Mechanism mechanism_;
  maximal::Forces forces_;
  maximal::Struts struts_;
  std::vector<StrutBlock> strut_blocks_;
  bool forces_at_middle_ = false;
  maximal::Bodies moving_;
  std::vector<Turn> half_turns_;
  std::vector<double> loads_, loads_at_middle_, strut_rows_;
  std::vector<maximal::Struts::Stiffness> stiffness_;
};

}  // namespace polhode::variational
