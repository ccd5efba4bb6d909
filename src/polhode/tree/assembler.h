#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/assembly_memory.h"
#include "polhode/tree/assembly_options.h"

namespace polhode::tree {

/// Finds configurations that meet constraints and come near to goals (Simbody theory manual 2.6 and 4.3;
/// docs/methods/assembly.md).
///
/// First the constraints: Gauss-Newton steps of least length, so that a configuration near the given one is found, damped where
/// they are far off. Where these end short of the constraints, they are tried again from the given configuration changed at
/// random: a little at first, for starts in singular places, then more and more. Rows that depend on each other, and that miss
/// being met together by the digits they were written with, count as met as soon as nothing brings them nearer
/// (Constraints::gaps). Then the goals: Levenberg-Marquardt steps in the directions that constraints leave free, each followed
/// by a return to the constraints. The same input gives the same result. Memory is kept from one call to the next.
class Assembler {
 public:
  /// A constraint that is met so well is left as it is [m], [rad].
  static constexpr double exact = 1e-13;

  /// Time, enabled constraints, and what is driven or locked at position level are the state's; such coordinates stay.
  Assembler(const State& state, AssemblerOptions options);
  /// The same in memory that must outlive it and that others leave alone meanwhile.
  Assembler(const State& state, AssemblerOptions options, AssemblyMemory& memory);

  const Goals& goals() const { return o_.goals; }
  /// Where a point goal is now, for following markers. A weight of 0: it is not seen.
  void set_point_target(int i, const Vec3<double>& target, double weight);
  void set_time(double t) { time_ = t; }
  /// Coordinates, by speed, that stay besides those that are driven, locked or in the options.
  void hold(const std::vector<char>& also);

  /// Brings q onto the constraints; false when there is no way that was found. Then q is the configuration with the least sum
  /// of squared errors among those that were reached.
  /// Without `gaps` rows that cannot be met together count as unmet, however little they miss: where coordinates are held that
  /// could meet them.
  bool meet_constraints(std::vector<double>& q, bool gaps = true);
  /// From a q on the constraints; it stays there. `restarts` as in the options, or 0 to follow a known solution.
  void approach_goals(std::vector<double>& q, int restarts);

  /// Of all constraints that must hold.
  double largest_error(const std::vector<double>& q);
  std::vector<UnmetRow> unmet(const std::vector<double>& q, double beyond);
  /// The sum of weight * |error|^2 over goals and weighted constraints.
  double goal(const std::vector<double>& q);
  bool has_goals() const { return !o_.goals.empty() || !soft_.empty(); }
  const Constraints& constraints() const { return constraints_; }
  /// By speed: motions of order one.
  const std::vector<double>& scales() const { return scales_; }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct SoftRow {
    int row;
    double root;  ///< of the weight
  };

  enum class Met { exactly, but_for_gaps, not_met };

  Assembler(const State& state, AssemblerOptions options, std::unique_ptr<AssemblyMemory> own);
  void begin(const State& state);

  void sort_rows();
  void evaluate(const std::vector<double>& q, bool goals);
  double largest() const;
  double squared() const;
  double weighed() const;
  bool within_gaps() const;
  /// The part of a row in the speeds that may move.
  template <class Row>
  void put_row(int row, double factor, Row&& out) const;
  void fill_G();
  void fill_J();
  void weigh_rows();
  Eigen::VectorXd shortest_step(double damping) const;
  void move(const std::vector<double>& from, const Eigen::VectorXd& step, std::vector<double>& to);
  double too_long(const Eigen::VectorXd& step) const;
  Met settle(std::vector<double>& q, int most_iterations, bool weigh = true);
  void descend(std::vector<double>& q);
  double slope(const std::vector<double>& q);
  Eigen::MatrixXd free_directions() const;
  void scatter(std::vector<double>& q, double size, const Eigen::MatrixXd* within);
  double uniform();
  int affordable(int restarts) const;

  const Mechanism m_;
  AssemblerOptions o_;
  double time_;
  std::unique_ptr<AssemblyMemory> own_;  // where none was given
  Constraints& constraints_;
  Workspace& w_;
  std::vector<char> always_held_;  // by speed
  std::vector<int> free_, place_;  // speeds that may move; by speed, its place among them or -1
  std::vector<int> hard_;
  std::vector<SoftRow> soft_;
  std::vector<double> h_, values_, goal_r_, goal_values_, scratch_, step_;
  std::vector<double> scales_;
  Matrix G_, J_;                         // of hard rows, times their weights, and of goals
  Eigen::VectorXd h_hard_, r_, weight_;  // weight: of hard rows
  std::vector<double> gaps_;             // by row
  unsigned long long random_ = 0;
};

}  // namespace polhode::tree
