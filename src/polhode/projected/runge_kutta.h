#pragma once
#include <optional>

#include "polhode/projected/step_controller.h"
#include "polhode/projected/tableau.h"
#include "polhode/state/stepper.h"
#include "polhode/tree/workspace.h"

namespace polhode::projected {

struct RungeKuttaOptions {
  double accuracy = 1e-6;              ///< local error allowed: absolute in coordinates, relative to max(1, |u|) in speeds
  std::optional<double> fixed_step{};  ///< [s]; no error control when given
  double largest_step = 0.1;           ///< [s]; so that slow motion is still seen
};

/// tree-projected: Dormand-Prince 5(4) on a mechanism's tree coordinates.
///
/// Stages live in the joints' own charts theta around the step's start (Munthe-Kaas): adding quaternion rates instead would
/// leave the unit sphere, and adding rotation vectors without dexp^-1 would fall to order two. A step allocates nothing.
class RungeKutta final : public Stepper {
 public:
  static constexpr std::string_view method_name = "tree-projected";
  static constexpr MethodFeatures features{.loop_joints = false, .constraints = false};

  RungeKutta(const Mechanism& mechanism, const RungeKuttaOptions& options);

  std::string_view method() const override { return method_name; }
  std::vector<std::pair<std::string, std::string>> resolved_options() const override;
  void set(const State& state) override;
  void get(State& state) const override;
  double time() const override { return t1_; }
  StepReport step(double t_limit) override;
  void interpolate(double t, State& state) const override;
  const StepStatistics& statistics() const override { return statistics_; }
  std::string explain(const StepReport& report) const override;

 private:
  using Tableau = DormandPrince54;
  using Numbers = std::vector<double>;

  StepReport advance(double t_limit);
  /// Computes stages 2 to 7 over h from (t0, q0, u0); leaves the result in q1, u1. False when a number is not finite.
  bool attempt(double h);
  /// Rates of chart and speeds at (t, q, u) where q = q0 (+) theta.
  void evaluate(int stage, double t);
  double error_of_attempt(double h) const;
  double first_step(double t_limit) const;
  void accept(double h, double t_end);
  int worst_speed() const;

  Mechanism mechanism_;
  RungeKuttaOptions options_;
  StepController controller_{Tableau::order};
  tree::Workspace workspace_;
  StepStatistics statistics_;

  double t0_ = 0, t1_ = 0;  // the last step went from t0 to t1
  double start_ = 0;        // fixed steps are counted from here
  long whole_steps_ = 0;
  double next_step_ = 0;
  bool fresh_ = true;  // stage 1 has to be computed
  Numbers q0_, u0_, q1_, u1_;
  Numbers theta_, q_, u_;  // of the stage at hand
  Numbers applied_;        // the user's further generalized forces
  std::array<Numbers, Tableau::stages> k_theta_, k_u_;
  mutable Numbers scratch_theta_, scratch_q_, scratch_u_;
};

}  // namespace polhode::projected
