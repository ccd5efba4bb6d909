#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/coordinate_rows.h"
#include "polhode/maximal/tree_map.h"
#include "polhode/mechanism/forces/force_view.h"

namespace polhode::maximal {

/// The springs and dampers of a mechanism, on joint coordinates and between frames, each as a row on its two bodies: it grows
/// at the rate row . (w, v), and its loads are minus its tension times the row. Forces has these loads already; implicit steps
/// need their derivatives, of which -k row^T row and -c row^T row are the stiff part. Does not allocate after it is built; it
/// works in memory of its own.
class Struts {
 public:
  explicit Struts(const Mechanism& mechanism);

  struct Sides {
    int a, b;  ///< bodies; 0 is Ground, whose row is zero
  };
  std::span<const Sides> sides() const { return sides_; }
  int size() const { return int(sides_.size()); }

  struct Stiffness {
    double k, c;  ///< slopes of the tension by extension and by its rate
  };
  /// By strut: the stiffness that it has where it acts, if it is one that may be slack; otherwise zero.
  std::span<const double> most_stiffness() const { return most_stiffness_; }
  /// Two rows of row_width numbers for each strut, on a and on b.
  void evaluate(const Now& now, const Bodies& at, std::span<const double> near, std::span<double> rows,
                std::span<Stiffness> stiffness);

 private:
  /// The slopes of one force, whatever its type: by (now, coordinate, speed) or (now, length, rate).
  using Slopes = Stiffness (*)(const void* force, const Now& now, double x, double rate);
  struct OnCoordinate {
    JointSite site;
    int k, q;  ///< which of the joint's speeds and coordinates; q is -1 where the force reads none
    const void* force;
    Slopes slopes;
  };
  struct BetweenFrames {
    Place a, b;
    const void* force;
    Slopes slopes;
  };
  /// One of the struts that a force on two frames is made of.
  struct OfForce {
    Place a, b;
    const void* force;
    int number;
    Stiffness stiffness;
    void (*add)(const void* force, const Configuration& at, int number, AppliedForces& out);
  };
  void add_on_coordinate(int u, int q, const void* force, Slopes slopes, double most_stiffness);
  void add_between(const FramePlace& frame_a, const FramePlace& frame_b, const void* force, Slopes slopes,
                   double most_stiffness);
  template <class F>
  void add_struts_of(const F& force);
  void evaluate_of_forces(const Now& now, double* row, Stiffness* slope);

  TreeMap map_;
  std::vector<OnCoordinate> on_coordinates_;
  std::vector<BetweenFrames> between_frames_;
  std::vector<OfForce> of_forces_;
  std::vector<Sides> sides_;
  std::vector<double> most_stiffness_;
  std::vector<Transform<double>> X_WC_, X_WB_;
  std::vector<Motion<double>> V_WC_, at_rest_;
  std::vector<Wrench<double>> on_body_;
};

}  // namespace polhode::maximal
