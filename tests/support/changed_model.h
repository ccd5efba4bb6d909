#pragma once
#include <map>
#include <string>

#include "polhode/mechanism/builder.h"
#include "tests/support/random.h"

/// Descriptions of the same mechanics in other words: what a method finds must not depend on them.
namespace polhode::testing_support {

/// The whole mechanism, gravity included, moved by X in Ground. Initial values and events are taken out: set the state instead.
/// Wrenches on frames along directions of Ground are not turned.
MechanismBuilder moved(const MechanismBuilder& model, const Transform<double>& X);

/// New names for everything that a name refers to, blanks and signs of all kinds in them, and every list in another order.
struct Renamed {
  MechanismBuilder model;
  std::map<std::string, std::string> new_name;  ///< by old name
};
Renamed renamed(const MechanismBuilder& model, Random& random);

/// Lengths, masses and times in other sizes; gravity changes with them. Only for models without signals.
struct Units {
  double length = 1, mass = 1, time = 1;
};
MechanismBuilder resized(const MechanismBuilder& model, const Units& units);

/// With the masses of some bodies, chosen at random, times a factor.
MechanismBuilder lightened(const MechanismBuilder& model, Random& random, double factor);

}  // namespace polhode::testing_support
