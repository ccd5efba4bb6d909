#pragma once
#include "polhode/state/outside.h"
#include "polhode/stepping/halving_stepper.h"
#include "polhode/variational/step_density.h"
#include "polhode/variational/tree/midpoint_step.h"
#include "polhode/variational/tree/momentum_map.h"
#include "polhode/variational/tree/options.h"

namespace polhode::variational {

/// tree-variational: the variational integrator of Johnson & Murphey (both papers) on tree coordinates, with an exact Newton
/// direction in linear time. Its state is (q, p): coordinates and discrete momenta.
///
/// A step that Newton cannot solve is halved (stepping/halving_stepper.h). The pair (q, p) means the same for every
/// step size, so momenta that a symmetry keeps are kept across the change; what is lost is that one modified energy is kept
/// for all time. A step allocates nothing.
class TreeVariational final : public stepping::HalvingStepper {
 public:
  static constexpr std::string_view method_name = "tree-variational";
  static constexpr MethodFeatures features{.loop_joints = true,
                                           .constraints = true,
                                           .kinematic = true,
                                           .motions = true,
                                           .locks = true,
                                           .switching = true,
                                           .velocity_rows = true};

  TreeVariational(const Mechanism& mechanism, const TreeVariationalOptions& options);

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void set_inputs(std::span<const double> inputs) override;
  void set_applied_forces(std::span<const double> forces) override;
  void get(State& state) const override;
  double time() const override { return t1_; }
  void interpolate(double t, State& state) const override;
  bool remember(Memory& memory) override;
  std::string explain(const StepReport& report) const override;
  std::vector<Counter> counters() const override;

  /// Starts from two configurations, `before` at time t - h and `now` at time t, as Johnson & Murphey (21) do.
  void set(double t, double h, std::span<const double> before, std::span<const double> now);
  /// The state itself.
  std::span<const double> q() const { return q1_; }
  std::span<const double> momenta() const { return p1_; }
  /// Of the last step: multipliers of the constraints' rows as average forces [N], [N m].
  std::span<const double> multipliers() const { return forces_of_constraints_; }
  std::span<const double> driving_forces() const override { return midpoint_.driving_forces(); }
  /// Of the last step, largest [m], [rad].
  double constraint_error() const override { return constraint_error_; }

 private:
  using Numbers = std::vector<double>;

  void set_enabled(std::span<const char> enabled);
  void speeds(double t, const Numbers& q, const Numbers& p, Numbers& u, std::span<const double> rows = {}) const {
    momentum_map_.speeds(t, q, p, midpoint_.paths(), u, rows);
  }
  void put(const State& state);
  void save(int halvings) override;
  void go_back(int halvings) override;
  /// From (q1, p1) at t over h, all stages of the composition.
  bool attempt(double t, double h, int halvings) override;
  void arrive(double t) override;
  std::optional<double> choose_step() override;
  StepReport failed(double h) const override;
  bool substep(double t, double h, bool smallest);
  void extrapolate(int points, double t_mid, double h, Numbers& theta) const;
  void learn(double t_mid, double h);
  bool is_resolved(double t, double h);
  void watch_energy(double t);
  void begin();
  double energy(double t, const Numbers& q, const Numbers& p);
  double energy_scale(double kinetic) const;
  bool solve(double h);

  Mechanism mechanism_;
  TreeVariationalOptions options_;
  MidpointStep midpoint_;
  mutable MomentumMap momentum_map_;
  Outside outside_;
  std::optional<StepDensity> density_;  // where steps are not of one size
  bool conservative_;                   // the mechanism, as long as nobody pushes from outside
  NewtonReport failure_;
  double failed_step_ = 0;

  double t0_ = 0, t1_ = 0;
  bool energy_is_kept_ = false, watches_energy_ = false;
  double energy_start_ = 0, energy_scale_ = 0, energy_allowed_ = 0;
  Numbers q0_, p0_, q1_, p1_, q_next_, p_next_;
  Numbers theta_, lambda_, forces_of_constraints_;
  double constraint_error_ = 0;

  // Rates of the last steps, from which the next one's is extrapolated.
  static constexpr int history = 3;
  struct Past {
    double t_mid = 0;
    Numbers rate;
    void remember(Memory& memory) { memory(t_mid, rate); }
  };
  std::array<Past, history> past_;
  int known_ = 0, points_ = 1;
  std::vector<Numbers> saved_q_, saved_p_;  // by depth of halving, beyond the first
  mutable Numbers scratch_q_, scratch_u_, scratch_u0_, scratch_theta_;
};

}  // namespace polhode::variational
