#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/body_motion.h"
#include "polhode/tree/workspace.h"

namespace polhode::variational {

/// The speeds that belong to the bodies' momenta P where nothing but the joints of a tree holds bodies: u = M(q)^-1 J^T P, by
/// articulated bodies; nothing may be driven or locked. That is what the velocities V with M V = P + G^T mu, G V = 0 come to,
/// at a fraction of the cost.
class TreeSpeeds {
 public:
  explicit TreeSpeeds(const Mechanism& mechanism);
  static bool serves(const Mechanism& mechanism);

  /// Momenta: moment of momentum about the centre of mass in body axes, momentum in Ground's; row_width numbers a body.
  void find(std::span<const double> q, const maximal::Bodies& bodies, std::span<const double> momenta, std::span<double> u);

 private:
  tree::Workspace workspace_;
  std::vector<double> generalized_;
};

}  // namespace polhode::variational
