#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/maximal/tree_map.h"
#include "polhode/projected/flat_wheels.h"
#include "polhode/projected/maximal/jet_projection.h"
#include "polhode/projected/maximal/options.h"
#include "polhode/stepping/error_control.h"
#include "polhode/stepping/piecewise_stepper.h"
#include "polhode/tree/require_met.h"

namespace polhode::projected {

/// Tuomela, Arponen & Normi: every body in position and Euler parameters, a point p = (t, y, y1) of the jet space that stays on
/// the manifold M = Mtheta, Mhc, Minv of unit quaternions, constraints and invariants. Dormand and Prince's method of order 5
/// follows the distribution (1, y1, y2) of algorithm 3.2; every stage is projected onto Mtheta and Mhc, and both solutions of a
/// step onto Minv too.
class MaximalProjected final : public stepping::PiecewiseStepper {
 public:
  static constexpr std::string_view method_name = "maximal-projected";
  static constexpr MethodFeatures features{
      .loop_joints = true, .constraints = true, .kinematic = true, .switching = true, .velocity_rows = true};

  explicit MaximalProjected(const Mechanism& mechanism, const MaximalProjectedOptions& options = {});

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void set_inputs(std::span<const double> inputs) override;
  void set_applied_forces(std::span<const double> forces) override;
  void get(State& state) const override;
  void interpolate(double t, State& state) const override;
  std::span<const double> driving_forces() const override { return driving_forces_; }
  bool remember(Memory& memory) override;
  std::string explain(const StepReport& report) const override;

  std::vector<Counter> counters() const override;
  const JetCounters& jet_counters() const { return counters_; }
  bool is_planar() const { return parts_->system.coordinates().planar(); }
  /// Bodies at the end of the last step.
  const maximal::Bodies& bodies() const { return bodies1_; }
  /// The largest constraint error there [m], [rad], and of its rate.
  double position_error() const;
  double constraint_error() const override { return position_error(); }
  double velocity_error() const;
  /// W_ext since set() [J]; 0 where it is not needed.
  double work() const { return x1_.empty() ? 0 : x1_.back(); }

 private:
  using Vector = std::vector<double>;
  enum class Outcome { done, not_finite, no_inertia, off_constraints, jump, too_long, flat_wheel, let_go };

  /// What depends on which constraints are enabled, and on the plane.
  struct Parts {
    Parts(const State& state, const JetCoordinates& coordinates, std::span<const char> kept_rows,
          const MaximalProjectedOptions& options);
    JetSystem system;
    JetInvariants invariants;
    JetProjection projection;
    void restart(const State& state, const Outside& outside);
  };

  int n() const { return parts_->system.size(); }
  int nx() const { return 2 * n() + 1; }  // y, y1, W_ext
  double* k(int i) const { return slopes_.data() + std::size_t(i) * std::size_t(nx()); }

  void restart() override { fresh_ = true; }
  Outcome begin();
  bool project_start(const Vector& given, Vector& x);
  RedundantRows find_redundant_rows(const Vector& at);
  bool may_leave_gaps() const;
  bool leave_gaps(const Vector& at);
  bool has_moved(const double* given, const double* projected, double least) const;
  Outcome slope(double t, const double* x, double* x_dot) const;
  Outcome slope_pushed_anew();
  Outcome attempt(double h, bool error_wanted, bool suspect);
  Outcome arrive(double h, bool error_wanted, bool restore);
  double error_norm(const double* a, const double* b) const;
  void predict(double time, Vector& q) const;
  double most_change() const;
  double most_let_go() const;
  double stage_tolerance() const;
  void accept(double h, double t_end);
  StepReport advance(double t_limit) override;
  StepReport fixed_step(double t_limit);
  StepReport controlled_step(double t_limit);
  StepReport failed(Outcome outcome, double h);
  /// The row whose signal makes a velocity jump.
  int find_jump() override;
  StepReport refuse_jump(int row) override;
  void find_driven_rows();
  bool parts_serve(const State& state) const;
  void make_parts(const State& state);

  std::optional<tree::MetCheck> met_;  // refuses states that miss their constraints
  tree::MetCheck::RowsWithoutMotion dead_;
  Mechanism mechanism_;
  MaximalProjectedOptions options_;
  maximal::TreeMap map_;
  std::unique_ptr<Parts> parts_;
  std::vector<char> enabled_;  // that the parts were made for
  Outside outside_;
  bool outside_changed_ = false;  // since the last step, whose slopes then say nothing of the next one
  mutable JetCounters counters_;

  Vector q1_, u1_;           // tree coordinates at the end of the last step
  maximal::Bodies bodies1_;  // the bodies there
  maximal::Bodies bodies_at_start_;
  Vector x0_, x1_;  // start and end of the last step
  mutable Vector slopes_, x_, x_new_, x_hat_, q_scratch_, u_scratch_;
  mutable maximal::Bodies bodies_scratch_;
  Vector driving_forces_, rates_before_, rates_after_;
  std::vector<std::pair<int, int>> driven_rows_;  // row in use, speed
  bool fresh_ = true, restored_ = true;
  bool letting_go_ = false;  // the last step was taken without restoring the invariants
  stepping::ErrorControl control_;
  stepping::StepClock clock_;  // of fixed steps
  FlatWheels wheels_;
  double error_ = 0;
  int gaps_met_ = 0;  // attempts that ended at gaps since the last step that was taken at once
  mutable Outcome last_failure_ = Outcome::done;
  std::string failed_at_;
};

}  // namespace polhode::projected
