#pragma once
#include <vector>

namespace polhode::tree {

/// What counts as large and small in a study (Simbody theory manual, chapter 9). An accuracy alpha is a fraction of these.
struct Scaling {
  /// By speed: the change of a speed, or of the coordinate along it, that counts as one unit (9.2): 1 / W_u. Empty: 1 each
  /// [m], [rad] and per second.
  std::vector<double> unit_changes{};
  /// By auxiliary state z, likewise. Empty: 1 each.
  std::vector<double> unit_changes_z{};
  /// By constraint element (loop joints, then constraints): the error that counts as one unit (9.3): 1 / T. Empty: 1 each.
  std::vector<double> unit_errors{};
  /// How long it takes for something of interest to happen [s] (9.3): an error of velocity counts as the error of position that
  /// it would grow to in this time.
  double characteristic_time = 0.1;
  /// Errors are taken together as the root of their mean square, or as the largest one, which is stricter.
  enum class Norm { rms, infinity };
  Norm norm = Norm::rms;
};

}  // namespace polhode::tree
