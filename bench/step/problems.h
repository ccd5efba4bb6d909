#pragma once
/// The mechanisms of polhode_bench_step.

#include "problem.h"

namespace polhode::bench {

/// n links of mass 1 and length 1 on hinges about y, hanging straight at `angle` from the vertical [rad], at rest; 10 s.
Problem planar_chain(int n, double angle);

/// The same on ball joints; the whole chain turns about the vertical at 1 rad/s.
Problem ball_chain(int n, double angle);

/// The closed-chain device of Johnson & Murphey, Listing 1: seven point masses on three arms, two loops; at rest; 120 s.
Problem closed_chain_device();

/// The scissor lift of Johnson & Murphey, links 0.05 pi below the horizontal, at rest; 10 s.  Link 0 is the slider, whose exact
/// motion comes with the problem.  With 5 segments it goes six times through its singular configuration.
Problem scissor_lift(int segments = 5);

/// n links on hinges from one place in the world to another, which the last one is pinned to; at first half of a regular
/// polygon below the line between the two, which rises at 0.5 rad; at rest.  One loop (Bruedigam & Manchester, Fig. 5).
Problem closed_chain(int n);

/// Rhombi of four links, hanging from one another by their corners, at 0.6 rad from the vertical, at rest.  Each is a loop that
/// a pin closes (Bruedigam & Manchester, Fig. 6).
Problem four_bar_chain(int rhombi);

/// The same between two ball joints, the last of which closes by a point; it all turns about the line between its ends at
/// 1 rad/s, so that it does not stay in a plane.
Problem closed_ball_chain(int n);

/// Two links on hinges about y, the upper at 120 degrees from hanging, the lower 30 degrees back from it, at rest; an hour
/// (Bruedigam & Manchester, Fig. 4a).
Problem double_pendulum();

/// Four links in a loop that hangs by one corner, at rest; 60 s.  One link is half as long as the others, so the loop can swing
/// and change its shape, but never lies in one line, where its equations would lose rank (Bruedigam & Manchester, Fig. 4b).
Problem four_link_loop();

}  // namespace polhode::bench
