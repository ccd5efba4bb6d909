#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/state/state.h"

/// Where a mechanism stays at rest.
namespace polhode::study {

/// How to search.
struct EquilibriumOptions {
  double tolerance = 1e-9;  ///< force left over that counts as none, relative to the largest met on the way, or to 1 N, 1 N m
  int iterations = 400;     ///< of each search
  int restarts = 12;        ///< of the search for balancing forces, from configurations changed at random
  bool any = false;         ///< the nearest one, stable or not
  std::vector<char> locked{};  ///< by speed: not 0 where the coordinate stays as it is
};

/// Whether a small push grows.
enum class Stability { stable, neutral, unstable };
/// In a word.
const char* name(Stability stability);

/// What the search came to.
struct Equilibrium {
  bool found = false;           ///< whether there is one
  std::string failure;          ///< in words, when not found
  std::string method;           ///< "least potential energy" or "balance of forces"
  int iterations = 0;           ///< over all searches
  int freedoms = 0;             ///< ways to move that constraints and held coordinates leave
  double residual = 0;          ///< largest generalized force that nothing balances [N], [N m]
  double constraint_error = 0;  ///< largest [m], [rad]
  double potential_energy = 0;  ///< [J]; forces without a potential have no part in it
  /// Lowest eigenvalue of the second derivatives of the energy, by speed, in the directions that constraints leave free
  /// (symmetric part of the forces' derivatives, where they have no potential) [N/m], [N m]; absent without freedoms.
  std::optional<double> lowest_stiffness;
  /// The same relative to the masses: the lowest squared angular frequency [1/s^2]; absent where motions have no inertia.
  std::optional<double> lowest_frequency_squared;
  Stability stability = Stability::stable;  ///< by the lowest stiffness
  std::vector<double> multipliers;          ///< lambda by constraint row, with G^T lambda = f
  std::vector<double> holding_forces;       ///< by speed: what it takes to hold those that stay [N], [N m]; 0 for the others
};

/// Searches from the state's configuration (which must meet its constraints) at its time, with all speeds zero; driven and
/// locked coordinates stay. The state becomes the equilibrium; when there is none, it is the last configuration tried.
///
/// Minimises the potential energy on the constraints where all forces at rest have one: Newton steps in the free directions
/// with second derivatives of the Lagrangian by differences of forces, within a trust region, so that maxima and saddles are
/// left. Other forces are followed in the same way by the work that they do, and then balanced by Levenberg-Marquardt steps.
Equilibrium find_equilibrium(State& state, const EquilibriumOptions& options = {});

}  // namespace polhode::study
