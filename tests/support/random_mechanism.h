#pragma once
#include <functional>

#include "polhode/mechanism/builder.h"
#include "tests/support/random.h"

namespace polhode::testing_support {

/// What random trees may contain.
struct TreeOptions {
  int bodies = 22;                    ///< Ground left out; from 20 on, every joint type takes part
  bool only_rates_as_speeds = false;  ///< no quaternion joints: Euler-Lagrange applies as it stands
  bool floating = false;              ///< one free root carries everything
  bool gravity = true;
  bool forces = false;                              ///< a few of every built-in force element, damping included
  bool conservative = false;                        ///< with forces: springs only
  std::function<bool(const JointModel&)> joints{};  ///< which types take part; all, unless told
  /// Line joints carry rods and nothing further, so that they have no spin to begin with: no rule has to forbid it.
  bool lines_are_lines = false;
};

/// One of every joint type (a user's own included), its parameters random.
std::vector<JointModel> every_joint_type(Random& random);

/// A random tree: branching, placement frames, mass properties, reversed and swapped joints, welds, massless bodies
/// between others, particles and lines where they determine the motion. The same for the same seed, on any machine.
MechanismBuilder random_description(unsigned seed, const TreeOptions& options = {});
Mechanism random_mechanism(unsigned seed, const TreeOptions& options = {});

/// n links in a row, all hinges: a tree that the scalar mass matrix takes as one run.
Mechanism random_chain(unsigned seed, int n);

/// Coordinates with unit quaternions and away from the singular places of gimbals and bushings; speeds of order one.
struct RandomState {
  std::vector<double> q, u, u_dot, tau;
};
RandomState random_state(const Mechanism& mechanism, unsigned seed);

}  // namespace polhode::testing_support
