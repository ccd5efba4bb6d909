#pragma once
#include <functional>
#include <string>
#include <vector>

#include "polhode/projected/maximal/jet_system.h"
#include "polhode/state/memory.h"
#include "polhode/tree/symmetry.h"

namespace polhode::projected {

/// A quantity that the motion keeps by its own laws, such as the energy or a component of momentum (Tuomela, Arponen & Normi,
/// section 4.2).
struct Invariant {
  std::string name;
  std::function<double(double t, const maximal::Bodies& at)> value;
  /// Its derivatives, sixteen numbers a body, Ground first: by rotation in body axes and shift (maximal/body_motion.h; two
  /// zeros after them), then by w and v. By differences where none is given.
  std::function<void(double t, const maximal::Bodies& at, std::span<double> gradient)> gradient{};
};

/// x = A^-1 x for the few unknowns that invariants bring, by elimination with row and column pivots; A, by rows, is used up.
/// Equations that depend on others, as energy and momentum do where a body spins steadily, are left out, and as many unknowns
/// are zero. False when all are.
bool solve_small(int n, double* A, double* x);

/// The map f_inv and its differential at the point where a JetSystem is placed. The energy, when wanted, is the first one:
/// W = T + U, or T + U - W_ext where forces without a potential act or constraints move. Users' own come next, then the momenta
/// that a symmetry keeps.
class JetInvariants {
 public:
  static constexpr int most = 64;

  JetInvariants(const Mechanism& mechanism, bool energy, bool conservative, std::vector<Invariant> own,
                std::vector<tree::KeptMomentum> momenta);
  /// Forgets what was kept. conservative, and the momenta, count as given only where nothing pushes from outside; the latter
  /// only where no joint is held, which may be one that hangs on Ground.
  void restart(bool pushed, bool held);

  /// The same from the next step on, and the energy goes on to count the work of what pushes.
  void push() { conservative_ = false, num_momenta_ = 0; }

  int count() const { return count_without_momenta() + num_momenta_; }
  /// Without the momenta.
  int count_without_momenta() const { return int(energy_) + int(own_.size()); }
  bool is_momentum(int i) const { return i >= count_without_momenta(); }
  bool any() const { return count() > 0; }
  /// Whether W_ext is needed.
  bool needs_work() const { return energy_ && !conservative_; }
  const std::string& name(int i) const;

  void resize(const JetSystem& system);
  /// What is to be kept from here on.
  void keep(JetSystem& system, double work);
  /// That, to be kept or given back.
  void remember(Memory& memory) { memory(kept_, values_, sizes_, energy_seen_, let_go_, conservative_, num_momenta_); }
  /// A step ended where errors() was called last, or next to it.
  void pass() { energy_seen_ = energy_ ? sizes_[0] : 0; }
  /// f_inv by invariant; gives the largest, in units of what it is measured by: the energy by the most that was kinetic or
  /// potential here or at an earlier step, momenta by what the bodies have, or would have at 1 m/s and 1 rad/s, others by
  /// max(1, |value|).
  double errors(JetSystem& system, double work, double* f);
  /// The largest, of the last errors(), of those that are no momenta.
  double largest_without_momenta() const { return largest_without_momenta_; }
  /// How much of the energy was let go since the start, in units of what it is measured by.
  double let_go() const { return let_go_; }
  /// The invariants go on from the values here.
  void let_go(JetSystem& system, double work);

  /// df_inv of invariant i along the tangent directions, eight numbers a body: of position, with y1 kept as it is in the jet
  /// space, and of velocity.
  void gradient(JetSystem& system, int i, double* of_position, double* of_velocity);

 private:
  void evaluate(JetSystem& system, double work);
  void energy_gradient(JetSystem& system, double* of_position, double* of_velocity);
  void own_gradient(JetSystem& system, const Invariant& invariant, double* of_position, double* of_velocity);
  void evaluate_momenta(JetSystem& system, std::size_t first);
  void momentum_gradient(JetSystem& system, const tree::KeptMomentum& kept, double* of_position, double* of_velocity);

  bool energy_, keeps_energy_;  // the second: when nothing pushes
  bool conservative_;
  std::vector<Invariant> own_;
  std::vector<tree::KeptMomentum> momenta_;
  int num_momenta_;  // those of them that are kept: all or none
  double total_mass_ = 0;
  double energy_seen_ = 0, largest_without_momenta_ = 0, let_go_ = 0;
  std::vector<double> kept_, values_, sizes_, raw_;
  maximal::Bodies moved_;
};

}  // namespace polhode::projected
