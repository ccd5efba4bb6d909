#pragma once
#include <optional>

#include "polhode/state/outside.h"
#include "polhode/stepping/halving_stepper.h"
#include "polhode/tree/require_met.h"
#include "polhode/variational/maximal/energy_watch.h"
#include "polhode/variational/maximal/maximal_step.h"
#include "polhode/variational/maximal/options.h"
#include "polhode/variational/maximal/tree_speeds.h"
#include "polhode/variational/maximal/velocity_guess.h"
#include "polhode/variational/step_density.h"

namespace polhode::variational {

/// maximal-variational: the linear-time variational integrator of Bruedigam & Manchester, every body with coordinates of its
/// own.
///
/// Its state is (x, p): poses and momenta of the bodies. A step kicks the momenta by half of the forces' impulse, moves the
/// bodies so that the constraints hold at the end, and kicks again: RATTLE on the group of rigid motions, which is symmetric
/// and of order two. The same equations with the whole impulse at the start, and velocities of a step read as those at its end,
/// are Bruedigam & Manchester's integrator of order one. A step allocates nothing.
class MaximalVariational final : public stepping::HalvingStepper {
 public:
  static constexpr std::string_view method_name = "maximal-variational";
  static constexpr MethodFeatures features{.loop_joints = true,
                                           .constraints = true,
                                           .kinematic = true,
                                           .motions = true,
                                           .single_speeds = true,
                                           .locks = true,
                                           .switching = true,
                                           .auxiliary = true,
                                           .velocity_rows = true};

  MaximalVariational(const Mechanism& mechanism, const MaximalVariationalOptions& options);

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void set_inputs(std::span<const double> inputs) override;
  void set_applied_forces(std::span<const double> forces) override;
  void get(State& state) const override;
  double time() const override { return now_.t; }
  void interpolate(double t, State& state) const override;
  std::span<const double> driving_forces() const override { return driving_forces_; }
  bool remember(Memory& memory) override;
  double constraint_error() const override;
  std::string explain(const StepReport& report) const override;
  std::vector<Counter> counters() const override;

  /// The state itself: poses, and momenta by body (moment of momentum in body axes, momentum), row_width numbers each.
  const maximal::Bodies& bodies() const { return now_.bodies; }
  std::span<const double> momenta() const { return now_.momenta; }
  /// Equations, order of elimination and Newton's iteration, for those who study them.
  const MaximalStep& equations() const { return *equations_; }

 private:
  /// Everything at the end of a step. Velocities in `bodies` are those of the step that led there.
  struct Node {
    double t = 0;
    maximal::Bodies bodies;
    std::vector<double> momenta, q, z, loads;  // the last ones of the step that led here, in axes here
    double step = 0;     // the one that led here [s]; 0 at the start, where momenta have all of the impulse before
    double kinetic = 0;  // of that step [J]
    void remember(Memory& memory) { memory(t, bodies, momenta, q, z, loads, step, kinetic); }
  };
  const maximal::TreeMap& map() const { return equations_->constraints().tree_map(); }
  void save(int halvings) override { copy(now_, saved(halvings)); }
  void go_back(int halvings) override;
  bool attempt(double t, double h, int halvings) override;
  void arrive(double t) override;
  std::optional<double> choose_step() override;
  /// Singular places are passed by one long step.
  bool halving_lasts() const override { return mechanism_.num_constraint_elements() == 0; }
  StepReport failed(double h) const override;
  Node& saved(int halvings) { return halvings == 0 ? before_ : saved_[std::size_t(halvings - 1)]; }
  bool substep(double t, double h, int halvings);
  bool try_step(double t, double h, Care care, int halvings);
  bool is_resolved(double h) const;
  void follow_angles(double h);
  void motion_at(const Node& node, std::span<double> q, std::span<double> u) const;
  void note_driving_forces(double share);
  /// Equations with places for these locks.
  void plan(std::span<const char> lockable);
  void set_driven(const State& state);
  void change_outside();
  void copy(const Node& from, Node& to) const;
  void watch_energy(double h);
  double work(double h) const;

  std::optional<tree::MetCheck> met_;  // refuses states that miss their constraints
  Mechanism mechanism_;
  MaximalVariationalOptions options_;
  Outside outside_;
  std::optional<StepDensity> density_;             // where steps are not of one size
  mutable std::optional<MaximalStep> equations_;   // anew where a joint is locked that nobody spoke of before
  mutable std::optional<TreeSpeeds> tree_speeds_;  // where they serve, while nothing is driven or locked
  MaximalReport failure_;
  double failed_step_ = 0;

  Node before_, now_;
  mutable Node scratch_;
  std::vector<Node> saved_;  // by depth of halving, beyond the first
  maximal::Bodies next_;
  std::vector<double> lambda_, next_momenta_, driving_forces_;
  std::vector<char> lockable_;  // by joint: those with places for their locks
  VelocityGuess guess_;
  EnergyWatch energy_;
  bool moves_only_by_forces_;  // the mechanism, as long as nothing is locked
  double turned_ = 0;          // how far any joint may have turned since angles were followed last [rad]

  mutable std::vector<double> scratch_q_, scratch_u_, scratch_q0_, scratch_u0_;
  mutable maximal::Bodies scratch_bodies_;
};

}  // namespace polhode::variational
