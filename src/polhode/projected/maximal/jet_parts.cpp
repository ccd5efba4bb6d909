#include "polhode/projected/maximal/jet_parts.h"

#include <algorithm>

#include "polhode/mechanism/conservation.h"

namespace polhode::projected {
namespace {

/// The orthogonal projection is that of Tuomela, Arponen & Normi and imposes the energy alone, as theirs does.
std::vector<tree::KeptMomentum> kept_momenta(const Mechanism& mechanism, const MaximalProjectedOptions& options) {
  if (!options.energy || !options.momenta || options.projection != JetProjection::Kind::quasi) return {};
  return tree::kept_momenta(mechanism);
}

}  // namespace

JetParts::JetParts(const Mechanism& mechanism, const JetCoordinates& coordinates, std::span<const char> kept_rows,
                   const MaximalProjectedOptions& options, std::span<const char> lockable)
    : system(mechanism, {}, coordinates, kept_rows, lockable),
      invariants(mechanism, options.energy, keeps_energy(mechanism), options.invariants, kept_momenta(mechanism, options)),
      projection(system, invariants, options.projection, options.tolerance) {}

void JetParts::restart(const State& state, const Outside& outside) {
  system.set_active(state.enabled());
  system.set_driven(state);
  system.set_near(state.q());
  system.forces().set(outside);
  system.allow_redundant_rows(RedundantRows::none);
  const DrivenPaths& paths = system.constraints().paths();
  const auto locked = paths.locked();
  const bool held = std::find(locked.begin(), locked.end(), char(1)) != locked.end();
  invariants.restart(outside.any_force() || !paths.at_rest(), held);
}

}  // namespace polhode::projected
