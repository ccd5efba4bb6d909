#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/coordinate_rows.h"
#include "polhode/maximal/tree_map.h"

namespace polhode::maximal {

/// The dampers of a mechanism, on joint coordinates and along springs, each as a row on its two bodies: a damper's speed is
/// row . (w, v), and its loads are -c speed times the row. Forces has these loads already; implicit steps need their
/// derivatives, -c row^T row. Does not allocate after it is built; it works in memory of its own.
class Dampers {
 public:
  explicit Dampers(const Mechanism& mechanism);

  struct Sides {
    int a, b;  ///< bodies; 0 is Ground, whose row is zero
  };
  std::span<const Sides> sides() const { return sides_; }
  int size() const { return int(sides_.size()); }

  /// Two rows of row_width numbers for each damper, on a and on b, and its coefficient c (of its speed's change, where the law
  /// is not linear).
  void evaluate(const Bodies& at, std::span<const double> near, std::span<double> rows, std::span<double> coefficients);

 private:
  struct OnCoordinate {
    JointSite site;
    int k;  ///< which of the joint's speeds
    double damping, quadratic;
  };
  struct AlongSpring {
    Place a, b;
    double damping;
  };
  TreeMap map_;
  std::vector<OnCoordinate> on_coordinates_;
  std::vector<AlongSpring> along_springs_;
  std::vector<Sides> sides_;
  std::vector<Transform<double>> X_WC_;
  std::vector<Motion<double>> V_WC_;
};

}  // namespace polhode::maximal
