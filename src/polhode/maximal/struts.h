#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/coordinate_rows.h"
#include "polhode/maximal/tree_map.h"
#include "polhode/mechanism/law_slopes.h"

namespace polhode::maximal {

/// The springs and dampers of a mechanism, on joint coordinates and between frames, each as a row on its two bodies: it grows
/// at the rate row . (w, v), and its loads are minus its tension times the row. A force by law has a row of what it loads, and
/// others by which it depends on joints' coordinates and speeds. Forces has these loads already; implicit steps need their
/// derivatives, of which -k load^T read and -c load^T read are the stiff part. Does not allocate after it is built; it works in
/// memory of its own.
class Struts {
 public:
  explicit Struts(const Mechanism& mechanism);

  struct Sides {
    int a, b;  ///< bodies; 0 is Ground, whose row is zero
  };
  /// The bodies of each row.
  std::span<const Sides> sides() const { return sides_; }
  int num_rows() const { return int(sides_.size()); }
  /// Which rows a strut loads and reads: for springs and dampers they are the same one.
  struct Strut {
    int load, read;
  };
  std::span<const Strut> struts() const { return struts_; }
  int size() const { return int(struts_.size()); }
  /// Whether there are laws that depend on motion. How stiff one is at the start tells nothing of how stiff it may become.
  bool have_laws() const { return !laws_.empty(); }

  struct Stiffness {
    double k, c;  ///< slopes of the tension by extension and by its rate
  };
  /// Two rows of row_width numbers for each row, on a and on b; and the stiffness of each strut.
  void evaluate(const Now& now, const Bodies& at, std::span<const double> near, std::span<double> rows,
                std::span<Stiffness> stiffness);

 private:
  /// The slopes of one force, whatever its type: by (now, coordinate, speed) or (now, length, rate).
  using Slopes = Stiffness (*)(const void* force, const Now& now, double x, double rate);
  struct JointRow {
    JointSite site;
    int k;  // which of the joint's speeds
  };
  struct LineRow {
    Place a, b;
  };
  struct WrenchRow {
    LawLoad load;
  };
  struct OnCoordinate {
    int u, q;  // q is -1 where the force reads none
    const void* force;
    Slopes slopes;
  };
  struct BetweenFrames {
    const void* force;
    Slopes slopes;
  };
  int row_of_speed(int u);
  void add_between(const FramePlace& frame_a, const FramePlace& frame_b, const void* force, Slopes slopes);
  void add_law(const LawLoad& load);
  void number_rows();
  double* put_joint_rows(std::span<const double> near, double* row);
  double* put_line_rows(double* row);
  double* put_wrench_rows(double* row);
  void put_stiffness(const Now& now, std::span<Stiffness> stiffness);

  TreeMap map_;
  // Rows, in this order: of joints' speeds, along lines, of wrenches.
  std::vector<JointRow> joint_rows_;
  std::vector<LineRow> line_rows_;
  std::vector<WrenchRow> wrench_rows_;
  std::vector<int> row_of_speed_;  // -1 where there is none
  // Struts, in this order: on coordinates, along lines, of laws with one for each speed that they depend on.
  std::vector<OnCoordinate> on_coordinates_;
  std::vector<BetweenFrames> between_frames_;
  struct LawOfMotion {
    LawSlopes slopes;
    int u, wrench;  // what it loads: a speed, or else a row of wrenches
  };
  std::vector<LawOfMotion> laws_;
  std::vector<Sides> sides_;
  std::vector<Strut> struts_;
  // Work.
  std::vector<Transform<double>> X_WC_;
  std::vector<Motion<double>> V_WC_;
  std::vector<double> q_, u_, lengths_;
};

}  // namespace polhode::maximal
