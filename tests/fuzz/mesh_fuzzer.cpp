// Whatever the bytes, reading a mesh ends with one whose triangles can be drawn, or with an error that says something.
//
//   $ mesh_fuzzer corpus
//
// The first byte chooses the format.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "polhode/format/language/mesh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const TriangleMesh mesh = format::parse_mesh(bytes, data[0] % 2 == 0 ? format::MeshFormat::stl : format::MeshFormat::obj);
    if (mesh.triangles.empty() || mesh.triangles.size() > max_triangles) std::abort();
    for (const auto& corners : mesh.triangles)
      for (const std::uint32_t corner : corners)
        if (corner >= mesh.vertices.size()) std::abort();
    for (const auto& vertex : mesh.vertices)
      for (const float x : vertex)
        if (!std::isfinite(x)) std::abort();
  } catch (const std::runtime_error& error) {
    if (error.what()[0] == '\0') std::abort();
  }
  return 0;
}
