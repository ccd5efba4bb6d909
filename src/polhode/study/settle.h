#pragma once
#include "polhode/state/state.h"

namespace polhode::tree {
struct AssemblyMemory;
}
namespace polhode::study {

/// What a handler may leave behind that a run cannot go on from is put right: kinematic coordinates follow their signals,
/// quaternions have unit length, joints that were locked stop by a plastic impact, and the state is on its constraints (Handler
/// in events.h says how). `before` is the state that the handler got. Throws EventFailure, without time or event, where that
/// cannot be done.
void settle(const State& before, State& state, tree::AssemblyMemory& memory);

/// Whether anything differs that a run depends on.
bool differ(const State& a, const State& b);
/// Whether, of all that, at most inputs and applied forces differ: a method need not start anew for these.
bool differ_outside_only(const State& a, const State& b);

}  // namespace polhode::study
