#pragma once
#include <array>
#include <limits>
#include <optional>

#include "polhode/state/outside.h"
#include "polhode/stepping/halving_stepper.h"
#include "polhode/tree/require_met.h"
#include "polhode/variational/maximal/maximal_step.h"
#include "polhode/variational/maximal/options.h"

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
  static constexpr MethodFeatures features{
      .loop_joints = true, .constraints = true, .kinematic = true, .switching = true, .velocity_rows = true};

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
    std::vector<double> momenta, q;
    double step = 0;       // the one that led here [s]; 0 at the start, where momenta have all of the impulse before
    double kinetic = 0;    // of that step [J]
    double half_work = 0;  // that forces did in its second half [J]
    void remember(Memory& memory) { memory(t, bodies, momenta, q, step, kinetic, half_work); }
  };
  const maximal::TreeMap& map() const { return equations_->constraints().tree_map(); }
  void set_enabled(std::span<const char> enabled);
  void save(int halvings) override { copy(now_, saved(halvings)); }
  void go_back(int halvings) override;
  bool attempt(double t, double h, int halvings) override;
  void arrive(double t) override { now_.t = t; }
  /// Singular places are passed by one long step.
  bool halving_lasts() const override { return mechanism_.num_constraint_elements() == 0; }
  StepReport failed(double h) const override;
  Node& saved(int halvings) { return halvings == 0 ? before_ : saved_[std::size_t(halvings - 1)]; }
  bool substep(double t, double h, int halvings);
  bool try_step(double t, double h, bool careful, int halvings);
  bool is_resolved(double h) const;
  void guess(double t_mid, double share);
  bool follows_smoothly(double t_mid) const;
  void learn_velocities(double t_mid, const maximal::Bodies& bodies, double around);
  void follow_angles(double h);
  void motion_at(const Node& node, std::span<double> q, std::span<double> u) const;
  void note_driving_forces(double share);
  void copy(const Node& from, Node& to) const;
  void push_anew();
  void watch_energy(double h);
  double work_of_switch(double h) const;
  bool is_credible(bool any) const;
  void learn_jump();

  std::optional<tree::MetCheck> met_;  // refuses states that miss their constraints
  Mechanism mechanism_;
  MaximalVariationalOptions options_;
  std::vector<char> enabled_;
  Outside outside_;
  mutable std::optional<MaximalStep> equations_;
  MaximalReport failure_;
  double failed_step_ = 0;

  Node before_, now_;
  mutable Node scratch_;
  std::vector<Node> saved_;  // by depth of halving, beyond the first
  maximal::Bodies next_;
  std::vector<double> next_momenta_, lambda_, driving_forces_;
  double turned_ = 0;  // how far any joint may have turned since angles were followed last [rad]

  // Kinetic energy against the work of forces, where nothing else does work: see is_credible().
  bool watches_energy_ = false;
  double kinetic_ = 0, jump_ = 0;  // of the step just solved
  double usual_jump_ = 0, largest_kinetic_ = 0;
  int steps_watched_ = 0;
  // Forces from outside were changed at this time, if at any, where these loads ended the step before.
  double switched_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> loads_before_;

  // Velocities of the last steps, from which the next one's are extrapolated.
  struct Velocities {
    Vec3<double> w{}, v{};
    friend Velocities operator+(const Velocities& a, const Velocities& b) { return {a.w + b.w, a.v + b.v}; }
    friend Velocities operator*(double k, const Velocities& a) { return {k * a.w, k * a.v}; }
  };
  struct Past {
    double t_mid = 0;
    std::vector<Velocities> bodies;
    std::vector<double> lambda;  // over the time that the impulse stands for
    void remember(Memory& memory) { memory(t_mid, bodies, lambda); }
  };
  static constexpr int num_past = 4;
  std::array<Past, num_past> past_;
  int known_ = 0;
  mutable std::vector<double> scratch_q_, scratch_u_, scratch_q0_, scratch_u0_;
  mutable maximal::Bodies scratch_bodies_;
};

}  // namespace polhode::variational
