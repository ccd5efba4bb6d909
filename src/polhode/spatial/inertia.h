#pragma once
#include <string>
#include <vector>

#include "polhode/spatial/spatial_vector.h"

namespace polhode {

/// Mass [kg], centre of mass [m] and inertia about the centre of mass [kg m^2], in the axes of one frame.
struct MassProperties {
  double mass = 0;
  Vec3<double> com{};
  SymMat3<double> inertia{};

  /// Inertia about the frame's origin (parallel axes).
  SymMat3<double> inertia_about_origin() const;

  static MassProperties particle(double mass, const Vec3<double>& com = {}) { return {mass, com, {}}; }
  /// A thin uniform rod from the origin to end.
  static MassProperties rod(double mass, const Vec3<double>& end);
  /// A solid uniform box with the given edge lengths about com.
  static MassProperties box(double mass, const Vec3<double>& edges, const Vec3<double>& com = {});
  static MassProperties sphere(double mass, double radius, const Vec3<double>& com = {});

  friend bool operator==(const MassProperties&, const MassProperties&) = default;
};

/// What kind of matter a body is (Simbody theory manual 2.2): it decides which motions have any inertia.
enum class MassStructure { massless, particle, line, rigid };
MassStructure structure(const MassProperties& properties);

/// The same matter described in frame A, given it in frame B.
MassProperties transformed(const Transform<double>& X_AB, const MassProperties& in_B);
/// Both lumps as one, in a common frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// What is physically impossible about the properties, in words, one entry per broken rule; empty when all is well.
std::vector<std::string> problems(const MassProperties& properties);
/// The two parts of it. What no computation can go on with: numbers that are not finite, negative masses and moments.
std::vector<std::string> unusable(const MassProperties& properties);
/// And the triangle inequality, for properties that are usable: no matter has such moments of inertia, but equations of motion
/// can be solved with them.
std::vector<std::string> broken_triangles(const MassProperties& properties);

}  // namespace polhode
