#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"

/// One motion by one method, twice, the second time more exactly: the difference says how far the second may be off.
namespace polhode::testing_support {

struct Trial {
  std::string method;
  std::string refused{};                   ///< why the method does not take the model
  std::string failure{};                   ///< why it has no motion to show
  std::vector<Transform<double>> poses{};  ///< of all bodies at the end
  double error = 0;                        ///< how far these may be off, in the mechanism's own size
  double energy_change = 0;                ///< over the motion, in the mechanism's own measure of energy
  double energy_error = 0;                 ///< how far that may be off
  double constraint_error = 0;             ///< at the end [m] or [rad]; in the mechanism's size, where that is above 1 m
  bool conservative = true;
  int halvings = 0;  ///< of a variational method's steps, beyond the first pair

  bool ran() const { return refused.empty() && failure.empty(); }
};

/// Sizes by which lengths and energies are judged.
struct Measure {
  double length;  ///< the mechanism's extent [m]
  double energy;  ///< its kinetic energy and what gravity and springs have at stake over its extent [J]
};
Measure measure_of(const State& start);

/// Variational methods halve steps until a halving changes end and energy by less than a millionth of their measures.
Trial try_method(const State& start, const std::string& method, double time, const Measure& measure);
/// One run only, as exact as the second of another trial's pair, whose errors it is given.
Trial repeat(const State& start, const Trial& like, double time, const Measure& measure);

/// Root mean square distance of the matter of the body that is farthest off, in the mechanism's size.
double distance(const Mechanism& mechanism, const std::vector<Transform<double>>& a, const std::vector<Transform<double>>& b,
                const Measure& measure);

}  // namespace polhode::testing_support
