#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/problem.h"
#include "polhode/spatial/transform.h"

/// What bodies look like. Shapes are for the eye only: they have no mass, touch nothing and change no motion.
namespace polhode {

/// Triangles with common vertices. Single precision is what pictures are drawn in.
struct TriangleMesh {
  std::vector<std::array<float, 3>> vertices;           ///< [m], before scaling
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

// Solids, centred at the origin of the shape's own frame; cylinders and capsules are along its z axis.
struct BoxShape {
  Vec3<double> size;  ///< edge lengths [m]
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct SphereShape {
  double radius;  ///< [m]
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};
struct CylinderShape {
  double radius, length;  ///< [m]
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};
/// A cylinder with half a ball on each end, which the length does not count.
struct CapsuleShape {
  double radius, length;  ///< [m]
  friend bool operator==(const CapsuleShape&, const CapsuleShape&) = default;
};
struct MeshShape {
  std::string file;                          ///< as the model names it; empty for a mesh made in code
  std::shared_ptr<const TriangleMesh> mesh;  ///< format/language/mesh_file.h reads them
  Vec3<double> scale{1, 1, 1};               ///< negative ones mirror
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};
using Solid = std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

/// "box", "sphere", "cylinder", "capsule" or "mesh", as in the model language.
const char* name(const Solid& solid);

struct Color {
  double red, green, blue, opacity = 1;  ///< 0 to 1
  friend bool operator==(const Color&, const Color&) = default;
};

/// A shape as the user gives it.
struct ShapeSpec {
  std::string frame;  ///< that it is fixed on; a body's name is its origin
  Solid solid = SphereShape{0.1};
  Transform<double> pose{};      ///< X_FS
  std::optional<Color> color{};  ///< none: as the viewer pleases
  Source source{};
};

/// The same with its frame resolved.
struct Shape {
  int body;
  Transform<double> X_BS;
  Solid solid;
  std::optional<Color> color;
};

/// All meshes of a mechanism together have no more triangles than this, so that a viewer can draw them.
inline constexpr std::size_t max_triangles = 2'000'000;

}  // namespace polhode
