#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/maximal/tree_map.h"
#include "polhode/projected/flat_wheels.h"
#include "polhode/projected/maximal/jet_projection.h"
#include "polhode/projected/maximal/options.h"
#include "polhode/projected/step_pace.h"
#include "polhode/state/stepper.h"
#include "polhode/tree/require_met.h"

namespace polhode::projected {

/// Tuomela, Arponen & Normi: every body in position and Euler parameters, a point p = (t, y, y1) of the jet space that stays on
/// the manifold M = Mtheta, Mhc, Minv of unit quaternions, constraints and invariants. Dormand and Prince's method of order 5
/// follows the distribution (1, y1, y2) of algorithm 3.2; every stage is projected onto Mtheta and Mhc, and both solutions of a
/// step onto Minv too.
class MaximalProjected final : public Stepper {
 public:
  static constexpr std::string_view method_name = "maximal-projected";
  static constexpr MethodFeatures features{
      .loop_joints = true, .constraints = true, .kinematic = true, .switching = true, .velocity_rows = true};

  explicit MaximalProjected(const Mechanism& mechanism, const MaximalProjectedOptions& options = {});

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void get(State& state) const override;
  double time() const override { return t1_; }
  StepReport step(double t_limit) override;
  void interpolate(double t, State& state) const override;
  std::span<const double> driving_forces() const override { return driving_forces_; }
  bool remember(Memory& memory) override;
  const StepStatistics& statistics() const override { return statistics_; }
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
    void restart(const State& state);
  };

  int n() const { return parts_->system.size(); }
  int nx() const { return 2 * n() + 1; }  // y, y1, W_ext
  double* k(int i) const { return slopes_.data() + std::size_t(i) * std::size_t(nx()); }

  void restart() { fresh_ = true; }
  Outcome begin();
  static bool has_moved(std::span<const double> given, std::span<const double> projected);
  Outcome slope(double t, const double* x, double* x_dot) const;
  Outcome attempt(double h, bool error_wanted, bool suspect);
  Outcome arrive(double h, bool error_wanted, bool restore);
  double error_norm(const double* a, const double* b) const;
  void predict(double time, Vector& q) const;
  double most_change() const;
  double most_let_go() const;
  double stage_tolerance() const;
  void accept(double h, double t_end);
  StepReport advance(double t_limit);
  StepReport fixed_step(double t_limit);
  StepReport controlled_step(double t_limit);
  StepReport failed(Outcome outcome, double h);
  int jumping_row(double t);
  void find_driven_rows();
  bool parts_serve(const State& state) const;
  void make_parts(const State& state);

  std::optional<tree::MetCheck> met_;  // refuses states that miss their constraints
  Mechanism mechanism_;
  MaximalProjectedOptions options_;
  maximal::TreeMap map_;
  Vector breaks_;
  std::unique_ptr<Parts> parts_;
  std::vector<char> enabled_;  // that the parts were made for
  mutable StepStatistics statistics_;
  mutable JetCounters counters_;

  double t0_ = 0, t1_ = 0;
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
  StepPace pace_;
  FlatWheels wheels_;
  double error_ = 0, next_step_ = 0, start_ = 0;
  double t_most_ = 0;  // the step's signals are looked at no later: at a break they already are those of the next piece
  long whole_steps_ = 0;
  mutable Outcome last_failure_ = Outcome::done;
  std::string failed_at_;
  int jump_ = -1;
};

}  // namespace polhode::projected
