#pragma once
#include <string>

#include "polhode/mechanism/builder.h"

/// Mechanisms of any size, for benchmarks and experiments.
namespace polhode::cli {

struct ChainOptions {
  int links = 10;
  std::string joint = "revolute";
  double mass = 1, length = 1, angle = 0.5;
};
/// Equal rods hanging from Ground, straight, turned by an angle from the vertical: the chain of the benchmarks.
MechanismBuilder chain(const ChainOptions& o);

struct ScissorLiftOptions {
  int segments = 5;
  double mass = 1, length = 1, angle = 0.05 * 3.14159265358979323846;
};
/// Pairs of links, crossed and pinned at their middles, below one another; the uppermost ends on a pin and on a slider.
MechanismBuilder scissor_lift(const ScissorLiftOptions& o);

struct FourBarsOptions {
  int segments = 2;
  std::string loops = "pins";
  double mass = 1, length = 1, speed = 1;
};
/// Upright arms on Ground, a rod's length apart, each joined to the next by a rod across: IFToMM benchmark A02.
MechanismBuilder four_bars(const FourBarsOptions& o);

struct ClosedChainOptions {
  int links = 10;
  std::string joint = "revolute";
  double mass = 1, length = 1, angle = 0.5;
};
/// Equal rods from one place on Ground to another, at first half of a regular polygon below the line between them, which rises
/// at an angle: Bruedigam & Manchester, the closed loops of Fig. 5.
MechanismBuilder closed_chain(const ClosedChainOptions& o);

struct FourBarChainOptions {
  int segments = 3;
  double mass = 1, length = 1, angle = 0.6;
};
/// Rhombi of four equal rods, one hanging from the other, the first from Ground: Bruedigam & Manchester, Fig. 6.
MechanismBuilder four_bar_chain(const FourBarChainOptions& o);

}  // namespace polhode::cli
