#pragma once
#include <string>
#include <string_view>

#include "polhode/mechanism/shape.h"

namespace polhode::format {

/// Files that meshes come in.
enum class MeshFormat {
  stl,  ///< binary or text, whichever the bytes are
  obj   ///< v and f lines; polygons are cut into triangles that fan out from their first vertex. All else is passed over
};

/// Reads a mesh from a file of at most 64 MiB; the name's ending, .stl or .obj, tells its format. Throws std::runtime_error
/// that says what is wrong, and in which line or at which byte.
TriangleMesh read_mesh(const std::string& file);
/// The same from the bytes of a file of that name.
TriangleMesh parse_mesh_file(const std::string& name, std::string_view bytes);
/// The same from bytes of a format. Equal vertices of an STL file become one.
TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format);

}  // namespace polhode::format
