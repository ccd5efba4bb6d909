#pragma once
#include "tests/support/random_mechanism.h"

namespace polhode::testing_support {

/// A random tree, every joint type as a loop closure, and a few of every kind of constraint, at a random state that meets none
/// of them (but for joints whose rows have no closed form, which promise exact derivatives only where they are met).
struct ConstrainedMechanism {
  Mechanism mechanism;
  RandomState s;
};
ConstrainedMechanism random_constrained(unsigned seed, const TreeOptions& options = {});

/// A user's constraint of two rows that depend on two bodies, one coordinate and time:
///   n . (p_B - p_A) + q^2 / 2 - sin t   and   z_A . z_B - cos(t) / 2.
class DriftingPair final : public CustomConstraint {
 public:
  DriftingPair(int a, int b, int q, int u) : bodies_{a, b}, q_(q), u_(u) {}
  int num_rows() const override { return 2; }
  std::vector<int> bodies() const override { return bodies_; }
  std::vector<int> speeds() const override { return {u_}; }
  void errors(const ConstraintConfiguration& at, std::span<double> h) const override;
  void gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const override;
  void rates(const ConstraintConfiguration& at, std::span<double> h_t) const override;

 private:
  std::vector<int> bodies_;
  int q_, u_;
};

/// A user's constraint that holds no positions, on two bodies, one speed and time:
///   z_A . (v_B - v_A) + q u - cos t = 0   and   (1 + q^2) du/dt = sin t.
class SteeredPair final : public CustomConstraint {
 public:
  SteeredPair(int a, int b, int q, int u) : bodies_{a, b}, q_(q), u_(u) {}
  int num_rows() const override { return 2; }
  RowLevel level(int row) const override { return row == 0 ? RowLevel::velocity : RowLevel::acceleration; }
  std::vector<int> bodies() const override { return bodies_; }
  std::vector<int> speeds() const override { return {u_}; }
  void errors(const ConstraintConfiguration&, std::span<double> h) const override { h[0] = h[1] = 7; }  // not to be used
  void gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const override;
  void rates(const ConstraintConfiguration& at, std::span<double> rate) const override;

 private:
  std::vector<int> bodies_;
  int q_, u_;
};

}  // namespace polhode::testing_support
