#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/projected/maximal/driven_rows.h"
#include "polhode/projected/maximal/jet_formulations.h"
#include "polhode/projected/maximal/jet_step.h"
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
  static constexpr MethodFeatures features{.loop_joints = true,
                                           .constraints = true,
                                           .kinematic = true,
                                           .motions = true,
                                           .single_speeds = true,
                                           .locks = true,
                                           .switching = true,
                                           .auxiliary = true,
                                           .velocity_rows = true};

  explicit MaximalProjected(const Mechanism& mechanism, const MaximalProjectedOptions& options = {});

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void set_inputs(std::span<const double> inputs) override;
  void set_applied_forces(std::span<const double> forces) override;
  void get(State& state) const override;
  void interpolate(double t, State& state) const override;
  std::span<const double> driving_forces() const override { return driven_.forces(); }
  bool remember(Memory& memory) override;
  std::string explain(const StepReport& report) const override;

  std::vector<Counter> counters() const override;
  const JetCounters& jet_counters() const { return counters_; }
  bool is_planar() const { return formulations_->planar(); }
  /// Bodies at the end of the last step.
  const maximal::Bodies& bodies() const { return bodies1_; }
  /// The largest constraint error there [m], [rad], and of its rate.
  double position_error() const;
  double constraint_error() const override { return position_error(); }
  double velocity_error() const;
  /// W_ext since set() [J]; 0 where it is not needed.
  double work() const { return step_.end().empty() ? 0 : step_.end().back(); }

 private:
  using Vector = std::vector<double>;
  using Outcome = JetStepOutcome;

  JetParts& parts() const { return formulations_->parts(); }
  /// The end of the last step, from which the next one goes on.
  JetStep::From here() const { return {t1_, t_most_, q1_, u1_, u_dot_, bodies1_}; }
  JetFormulations::Motion motion_of(const State& state) const;

  void restart() override { fresh_ = true; }
  Outcome begin();
  enum class Push { as_before, anew };  ///< from outside
  Outcome go_on(Push push);
  double most_let_go() const;
  void accept(double h, double t_end);
  StepReport advance(double t_limit) override;
  StepReport fixed_step(double t_limit);
  StepReport controlled_step(double t_limit);
  bool met_gaps(Outcome outcome) const;
  StepReport failed(Outcome outcome, double h);
  /// The row whose signal makes a velocity jump.
  int find_jump() override { return driven_.find_jump(parts().system, t1_, bodies1_, q1_); }
  StepReport refuse_jump(int row) override;

  std::optional<tree::MetCheck> met_;  // refuses states that miss their constraints
  Mechanism mechanism_;
  MaximalProjectedOptions options_;
  maximal::TreeMap map_;
  Outside outside_;
  bool outside_changed_ = false;                 // since the last step, whose slopes then say nothing of the next one
  std::optional<JetFormulations> formulations_;  // anew where a joint is locked that nobody spoke of before
  JetStart start_;
  mutable JetStep step_;
  DrivenRows driven_;
  mutable JetCounters counters_;

  std::vector<char> lockable_;  // by joint: those with places for their locks
  Vector q1_, u1_;              // tree coordinates at the end of the last step
  Vector u_dot_;                // how fast speeds changed over it
  maximal::Bodies bodies1_;     // the bodies there
  maximal::Bodies bodies_at_start_;
  mutable Vector q_scratch_, u_scratch_;
  mutable maximal::Bodies bodies_scratch_;
  bool fresh_ = true;
  bool letting_go_ = false;  // the last step was taken without restoring the invariants
  stepping::ErrorControl control_;
  stepping::StepClock clock_;  // of fixed steps
  int gaps_met_ = 0;           // attempts that ended at gaps since the last step that was taken at once
  Outcome last_failure_ = Outcome::done;
  std::string failed_at_;
};

}  // namespace polhode::projected
