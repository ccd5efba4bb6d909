#pragma once
/// The mechanisms of polhode_bench_step.

#include "problem.h"

namespace polhode::bench {

/// n links of mass 1 and length 1 on hinges about y, hanging straight at `angle` from the vertical [rad], at rest; 10 s.
Problem planar_chain(int n, double angle);

/// The same on ball joints; the whole chain turns about the vertical at 1 rad/s.
Problem ball_chain(int n, double angle);

/// The closed-chain device of seed 000, Listing 1: seven point masses on three arms, two loops; at rest; 120 s.
Problem closed_chain_device();

/// The scissor lift of seed 000 with 5 segments, links 0.05 pi below the horizontal, at rest; 10 s, six times through its
/// singular configuration.  Link 0 is the slider, whose exact motion comes with the problem.
Problem scissor_lift();

}  // namespace polhode::bench
