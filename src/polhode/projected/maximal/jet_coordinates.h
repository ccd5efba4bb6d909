#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::projected {

/// A plane that all bodies of a mechanism move along: a unit normal and two unit vectors across it, in Ground.
struct JetPlane {
  Vec3<double> normal{0, 0, 1}, e1{1, 0, 0}, e2{0, 1, 0};
};

/// The jet coordinates (y, y1) of Tuomela, Arponen & Normi: of every body but Ground y = (r, theta), centre of mass and Euler
/// parameters, and their rates y1 = (r1, theta1) (definition 3.2); of a planar mechanism y = (r . e1, r . e2, beta)
/// (section 4.3).
///
/// Small displacements, velocities, accelerations and loads of a body are along its tangent directions s: six of them, as in
/// maximal/body_motion.h (rotation in body axes, shift in Ground axes), or three in a plane: beta and the two shifts. A row of
/// eight numbers holds one; body b has the row b - 1. Between the two there is Omega = 2 H theta1 (lemma 3.1), and so
///
///   theta1 = H^T Omega / 2,   c = H theta2 = (dOmega/dt) / 2,   theta2 = H^T c - |theta1|^2 theta   (algorithm 3.1).
class JetCoordinates {
 public:
  static constexpr int width = maximal::row_width;

  explicit JetCoordinates(const Mechanism& mechanism);
  JetCoordinates(const Mechanism& mechanism, const JetPlane& plane);

  bool planar() const { return planar_; }
  const JetPlane& plane() const { return plane_; }
  /// The plane's normal in the axes of each body, Ground first, where from_bodies() was called last.
  std::vector<Vec3<double>> normals() const;
  int num_bodies() const { return int(of_body_.size()) - 1; }  ///< Ground not counted
  int per_body() const { return planar_ ? 3 : 7; }
  int directions() const { return planar_ ? 3 : 6; }
  int size() const { return per_body() * num_bodies(); }  ///< of y, and of y1

  /// In the plane the poses given become those that beta is counted from.
  void from_bodies(const maximal::Bodies& bodies, double* y, double* y1);
  /// Whether bodies are in the plane, as they were in from_bodies(), and move along it. Always in space.
  bool contain(const maximal::Bodies& bodies) const;
  void to_bodies(const double* y, const double* y1, maximal::Bodies& bodies) const;

  /// Algorithm 5.3: onto Mtheta. Nothing to do in the plane.
  void normalize(double* y, double* y1) const;
  /// Moves y by small displacements, and takes y1 along, onto Mtheta again.
  void move(const double* s, double* y, double* y1) const;
  /// Changes velocities by s.
  void change_velocities(const double* y, const double* s, double* y1) const;
  /// y2 = H^T d - I y from accelerations s (algorithm 3.2).
  void second(const double* y, const double* y1, const double* s, double* y2) const;

  /// The farthest that a joint, or a frame, is from a body's centre of mass [m].
  double longest_arm() const { return longest_arm_; }
  /// The metric of the jet space, in which theta counts as a length: 1 m, or the longest arm where that is more than 100 m.
  double weight_of_turns() const { return weight_of_turns_; }
  /// Along tangent direction i: |dy|^2 is the sum of metric(i) s_i^2.
  double metric(int i) const { return planar_ ? (i < 1 ? weight_of_turns_ : 1.0) : i < 3 ? 0.25 * weight_of_turns_ : 1.0; }
  /// s = the derivative along the tangent directions at y of <a, y> in this metric: for vectors a of the space that y or y1 is
  /// in. Zeros after the last direction.
  void along(const double* y, const double* a, double* s) const;
  /// Rows of maximal/ for body b (six numbers) along the tangent directions, in place; nothing to do in space.
  void reduce(int body, double* row) const;

 private:
  struct OfBody {
    Quaternion<double> r{};  // where beta is 0
    Vec3<double> normal{};   // in body axes
    double height = 0;       // along the normal
  };
  bool planar_ = false;
  JetPlane plane_{};
  std::vector<OfBody> of_body_;
  double longest_arm_, weight_of_turns_ = 1;
};

}  // namespace polhode::projected
