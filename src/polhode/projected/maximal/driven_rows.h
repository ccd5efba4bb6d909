#pragma once
#include <span>
#include <utility>
#include <vector>

#include "polhode/projected/maximal/jet_system.h"

namespace polhode::projected {

/// The rows by which coordinates and speeds follow their signals, or are locked: their forces, and where a signal makes a
/// velocity jump.
class DrivenRows {
 public:
  explicit DrivenRows(const Mechanism& mechanism);

  /// For the rows that a formulation uses. Forgets the forces.
  void restart(const JetSystem& system);
  /// From the multipliers of the last distribution.
  void read_forces(const JetSystem& system);
  /// By speed [N], [N m]; empty where nothing is driven.
  std::span<const double> forces() const { return forces_; }

  /// Of any row in use: the one whose signal makes a velocity jump at t, or -1.
  int find_jump(JetSystem& system, double t, const maximal::Bodies& at, std::span<const double> near);

  template <class Memory>
  void remember(Memory& memory) {
    memory(forces_);
  }

 private:
  Mechanism mechanism_;
  std::vector<std::pair<int, int>> rows_;  // row in use, speed
  std::vector<double> forces_, rates_before_, rates_after_;
};

}  // namespace polhode::projected
