#include "polhode/projected/tree/units.h"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/mechanism/problem.h"
#include "polhode/tree/chart_move.h"

namespace polhode::projected {
namespace {

/// The speed that a unit is of: by its own name, or as the rate of a coordinate; or why there is none.
struct Found {
  int u = -1;
  std::string objection;
};
Found speed_of(const Mechanism& mechanism, const std::vector<int>& of_coordinate, const std::string& name) {
  const auto& speeds = mechanism.speed_names();
  const auto speed = std::find(speeds.begin(), speeds.end(), name);
  if (speed != speeds.end()) return {int(speed - speeds.begin()), {}};
  const auto& coordinates = mechanism.coordinate_names();
  const auto coordinate = std::find(coordinates.begin(), coordinates.end(), name);
  if (coordinate == coordinates.end())
    return {-1, fmt::format("unit of \"{}\": there is no such coordinate or speed{}", name,
                            suggestion(name, coordinates, "coordinates"))};
  const int u = of_coordinate[std::size_t(coordinate - coordinates.begin())];
  if (u >= 0) return {u, {}};
  return {-1,
          fmt::format("unit of \"{}\": no speed is its rate; name speeds of its joint instead, e.g. by their own names", name)};
}

}  // namespace

std::string objection_to_units(const Mechanism& mechanism, const Options& options) {
  if (options.units.empty()) return {};
  const std::vector<int> of_coordinate = tree::speeds_of_coordinates(mechanism);
  for (const auto& [name, unit] : options.units)
    if (const Found found = speed_of(mechanism, of_coordinate, name); found.u < 0) return found.objection;
  return {};
}

Options with_units(const Mechanism& mechanism, Options options) {
  if (options.units.empty()) return options;
  require_no_objection(objection_to_units(mechanism, options));
  const std::vector<int> of_coordinate = tree::speeds_of_coordinates(mechanism);
  options.scaling.unit_changes.resize(std::size_t(mechanism.num_u()), 1.0);
  for (const auto& [name, unit] : options.units)
    options.scaling.unit_changes[std::size_t(speed_of(mechanism, of_coordinate, name).u)] = unit;
  return options;
}

}  // namespace polhode::projected
