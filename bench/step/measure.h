#pragma once
/// Energy and constraint errors of any engine, by one routine from how its links move.

#include <vector>

#include "problem.h"

namespace polhode::bench {

struct Reading {
  double energy = 0;  // kinetic, of gravity and of springs, less the work of the drives [J]
  double gap = 0;     // largest distance between two points that should meet, in joints and closures; of rods, of lengths [m]
  double tilt = 0;    // largest angle between two axes that should agree, or by which two are not perpendicular [rad]
};

/// Of all links together.
struct Momenta {
  Triple linear{};  // [kg m/s]
  Triple spin{};    // about the common centre of mass [kg m^2/s]
};
Momenta momenta_of(const Problem& problem, const std::vector<BodyState>& bodies);

/// Follows one motion: hinges that turn more than once are counted, so it must see a motion in order and often enough.
class Meter {
 public:
  explicit Meter(const Problem& problem);

  Reading read(double t, const std::vector<BodyState>& bodies);

 private:
  void follow_coordinates(const std::vector<BodyState>& bodies);

  const Problem& problem_;
  std::vector<double> coordinates_;  // of hinges and slides with springs or drives, by link
};

}  // namespace polhode::bench
