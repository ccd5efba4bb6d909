#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/mechanism/mechanism.h"
#include "polhode/state/memory.h"
#include "polhode/state/requested_result.h"
#include "polhode/state/stage.h"

namespace polhode {

/// Every value of a mechanism that can change, and the results computed from them (Simbody theory manual, chapter 7).
///
/// Writing a value takes back the results that depend on it; reading a result that is not up to date throws StageError,
/// never a stale number. A State is cheap to copy and belongs to one thread at a time; the Mechanism behind it is shared.
class State {
 public:
  /// The mechanism's initial values, at stage instance: nothing is computed yet.
  explicit State(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }  ///< whose state it is
  Stage stage() const { return stage_; }                     ///< up to which results are computed

  double time() const { return time_; }             ///< [s]
  std::span<const double> q() const { return q_; }  ///< coordinates [m], [rad], parts of quaternions
  std::span<const double> u() const { return u_; }  ///< speeds [m/s], [rad/s]
  /// Generalized forces that the user applies on top of the mechanism's own force elements [N] or [N m].
  std::span<const double> applied_forces() const { return applied_forces_; }

  /// Numbers from outside, by their index in mechanism().inputs().
  std::span<const double> inputs() const { return inputs_; }

  /// Auxiliary states of users' force elements, and discrete variables, which change at events only.
  std::span<const double> z() const { return z_; }
  std::span<const double> discrete() const { return discrete_; }

  /// Each takes back the results that depend on the value. Speeds and forces are by speed, the others by their own index.
  void set_time(double t);
  void set_q(std::span<const double> q);
  void set_q(int i, double value);
  void set_u(std::span<const double> u);
  void set_u(int i, double value);
  void set_applied_forces(std::span<const double> f);
  void set_applied_force(int i, double value);
  void set_z(std::span<const double> z);
  void set_z(int i, double value);
  void set_discrete(int i, double value);
  /// The same; what is beyond an input's limits counts as the limit.
  void set_inputs(std::span<const double> values);
  void set_input(int i, double value);

  /// Loop joints first, then constraints (mechanism().constraint_element(name)). All are enabled to begin with, but for those
  /// that the model disables.
  bool is_enabled(int element) const;
  void enable(int element, bool on = true);
  void disable(int element) { enable(element, false); }
  std::span<const char> enabled() const { return enabled_; }  ///< by element: not 0 where it is

  /// Holds a joint (by body index) as it is: its coordinates at level position, its speeds at level velocity (the coordinates
  /// go on); at level acceleration its speeds change no more, but for what events do to them. Whatever force that takes.
  /// A lock comes before the model's own motion.
  void lock(int joint, Drive level = Drive::position);
  void unlock(int joint);
  bool is_locked(int joint) const;
  /// Lets a joint of the model's driven ones go with the forces, or follow its signals again.
  void set_motion_followed(int joint, bool on);
  /// By speed: what moves it now, the model's motions and the locks taken together.
  std::span<const Drive> drives() const { return drives_; }
  /// By speed: not 0 where a lock, not a signal of the model, says how it moves.
  std::span<const char> locked_speeds() const { return locked_; }

  /// Results, with the stage that each needs.
  const Transform<double>& pose(int body) const { return of_body(at(Stage::position, "body poses").X_WB, body); }
  double potential_energy() const { return at(Stage::position, "potential energies").potential_energy; }
  const Motion<double>& velocity(int body) const { return of_body(at(Stage::velocity, "body velocities").V_WB, body); }
  std::span<const double> q_dot() const { return at(Stage::velocity, "coordinate rates").q_dot; }
  double kinetic_energy() const { return at(Stage::velocity, "kinetic energies").kinetic_energy; }
  /// Angular momentum about Ground's origin and linear momentum, in Ground axes.
  const Wrench<double>& momentum() const { return at(Stage::velocity, "momenta").momentum; }
  double energy() const {
    const double kinetic = kinetic_energy();  // first, so that what is missing is told by the later of the two stages
    return kinetic + potential_energy();
  }
  /// All generalized forces except gravity, and wrenches on bodies at their origins, from force elements.
  std::span<const double> generalized_forces() const { return at(Stage::dynamics, "generalized forces").generalized_forces; }
  const Wrench<double>& applied_wrench(int body) const {
    return of_body(at(Stage::dynamics, "applied wrenches").wrenches, body);
  }
  std::span<const double> u_dot() const { return at(Stage::acceleration, "accelerations").u_dot; }
  const Motion<double>& acceleration(int body) const {
    return of_body(at(Stage::acceleration, "body accelerations").A_WB, body);
  }

  std::span<const double> z_dot() const { return at(Stage::dynamics, "auxiliary rates").z_dot; }  ///< rates of z
  /// lambda in M du/dt + G^T lambda = f, by row of the enabled constraints, the smallest ones where rows depend on each other.
  std::span<const double> multipliers() const { return at(Stage::acceleration, "multipliers").multipliers; }
  /// By speed: what it takes to move it as it is driven [N], [N m]; 0 where forces do. They act as the applied forces do.
  std::span<const double> motion_forces() const { return at(Stage::acceleration, "motion forces").motion_forces; }

  /// Pose and velocity of a named frame (index from mechanism().frame(name)).
  Transform<double> frame_pose(int frame) const;
  Motion<double> frame_velocity(int frame) const;

  /// Every value that can change, to be kept or given back. Throws std::runtime_error for those of another mechanism.
  void remember(Memory& memory);

  /// Where realize() puts what it computes. For those who write algorithms; values must be read through the functions above.
  /// What realize() computes, by body or by speed.
  struct Results {
    std::vector<Transform<double>> X_WB;     ///< poses
    std::vector<Motion<double>> V_WB, A_WB;  ///< velocities and accelerations
    std::vector<Wrench<double>> wrenches;    ///< on bodies, from force elements
    /// See the functions of these names.
    std::vector<double> q_dot, generalized_forces, u_dot, z_dot, multipliers, motion_forces;
    double potential_energy = 0, kinetic_energy = 0;  ///< [J]
    Wrench<double> momentum{};                        ///< see momentum()
  };
  Results& results() { return results_; }              ///< for realize()
  void mark_realized(Stage stage) { stage_ = stage; }  ///< for realize(): results are now computed up to this stage

  /// A result that is not computed before somebody asks for it, and then kept until a value changes that it depends on (theory
  /// manual 7.1: cache entries). Its number is in requested_result.h. compute(values) fills a vector that has what it held
  /// last.
  template <class Compute>
  std::span<const double> on_request(int number, Stage needed, const char* what, Compute compute) const {
    if (stage_ < needed) throw StageError(what, needed, stage_);
    if (requested_.size() <= std::size_t(number)) requested_.resize(std::size_t(count_requested_results(mechanism_)));
    RequestedResult& result = requested_[std::size_t(number)];
    if (!is_current(result, needed)) {
      compute(result.values);
      result.made_after = changes_;
      result.made = true;
    }
    return result.values;
  }
  /// The same, given by somebody who knows it; it stands until a value changes that it depends on.
  void keep_result(int number, std::span<const double> values);
  /// What was given or computed. False where nothing is known that is up to date.
  bool has_result(int number, Stage needed) const;

 private:
  const Results& at(Stage needed, const char* what) const {
    if (stage_ < needed) throw StageError(what, needed, stage_);
    return results_;
  }
  template <class T>
  const T& of_body(const std::vector<T>& by_body, int body) const {
    if (body < 0 || body >= int(by_body.size())) throw_no_body(body);
    return by_body[body];
  }
  [[noreturn]] void throw_no_body(int body) const;
  const Joint& joint_at(int joint) const;
  /// What depends on a value of this stage is no longer up to date.
  void invalidate(Stage stage) {
    changed_at_[std::size_t(stage)] = ++changes_;
    if (stage_ >= stage) stage_ = Stage(int(stage) - 1);
  }
  bool is_current(const RequestedResult& result, Stage needed) const;

  Mechanism mechanism_;
  Stage stage_ = Stage::instance;
  double time_ = 0;
  std::vector<double> q_, u_, applied_forces_, inputs_, z_, discrete_;
  std::vector<char> enabled_;  // by constraint element
  std::vector<Drive> drives_;  // by speed
  std::vector<char> locked_;   // by speed
  Results results_;
  mutable std::vector<RequestedResult> requested_;                      // by number; empty until one is asked for
  unsigned long changes_ = 0;                                           // how many there were
  std::array<unsigned long, std::size_t(Stage::report)> changed_at_{};  // by stage: the number of the last one
};

}  // namespace polhode
