#pragma once
#include <functional>
#include <string>
#include <vector>

#include "polhode/projected/jet_system.h"
#include "polhode/state/memory.h"

namespace polhode::projected {

/// A quantity that the motion keeps by its own laws, such as the energy or a component of momentum (seed 004, section 4.2).
struct Invariant {
  std::string name;
  std::function<double(double t, const maximal::Bodies& at)> value;
  /// Its derivatives, sixteen numbers a body, Ground first: by rotation in body axes and shift (maximal/body_motion.h; two
  /// zeros after them), then by w and v. By differences where none is given.
  std::function<void(double t, const maximal::Bodies& at, std::span<double> gradient)> gradient{};
};

/// x = A^-1 x for the few unknowns that invariants bring, by elimination with pivots; A, by rows, is used up. False when
/// singular.
bool solve_small(int n, double* A, double* x);

/// The map f_inv and its differential at the point where a JetSystem is placed. The energy, when wanted, is the first one:
/// W = T + U, or T + U - W_ext where forces without a potential act or constraints move.
class JetInvariants {
 public:
  JetInvariants(bool energy, bool conservative, std::vector<Invariant> own);

  int count() const { return int(energy_) + int(own_.size()); }
  bool any() const { return count() > 0; }
  /// Whether W_ext is needed.
  bool needs_work() const { return energy_ && !conservative_; }
  const std::string& name(int i) const;

  void resize(const JetSystem& system);
  /// What is to be kept from here on.
  void keep(JetSystem& system, double work);
  /// That, to be kept or given back.
  void remember(Memory& memory) { memory(kept_, values_, sizes_, energy_seen_); }
  /// A step ended where errors() was called last, or next to it.
  void pass() { energy_seen_ = energy_ ? sizes_[0] : 0; }
  /// f_inv by invariant; gives the largest, in units of what it is measured by: the energy by the most that was kinetic or
  /// potential here or at an earlier step, others by max(1, |value|).
  double errors(JetSystem& system, double work, double* f);

  /// df_inv of invariant i along the tangent directions, eight numbers a body: of position, with y1 kept as it is in the jet
  /// space, and of velocity.
  void gradient(JetSystem& system, int i, double* of_position, double* of_velocity);

 private:
  void evaluate(JetSystem& system, double work);
  void energy_gradient(JetSystem& system, double* of_position, double* of_velocity);
  void own_gradient(JetSystem& system, const Invariant& invariant, double* of_position, double* of_velocity);

  bool energy_, conservative_;
  std::vector<Invariant> own_;
  double energy_seen_ = 0;
  std::vector<double> kept_, values_, sizes_, raw_;
  maximal::Bodies moved_;
};

}  // namespace polhode::projected
