#include "polhode/format/language/mesh_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace polhode::format {
namespace {

/// A tetrahedron: four vertices, four triangles.
const std::vector<std::array<float, 3>> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<std::array<std::uint32_t, 3>> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

template <class Number>
void append(std::string& bytes, Number number) {  // machines that run the tests are little endian
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

std::string binary_stl(std::uint32_t count, const std::string& title = "made for a test") {
  std::string bytes = title;
  bytes.resize(80, ' ');
  append(bytes, count);
  for (const auto& face : faces) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.0f);  // normals are not read
    for (const std::uint32_t v : face)
      for (const float x : corners[v]) append(bytes, x);
    append(bytes, std::uint16_t(0));
  }
  return bytes;
}

std::string text_stl() {
  std::string text = "solid a tetrahedron\n";
  for (const auto& face : faces) {
    text += "  facet normal nan nan nan\n    outer loop\n";
    for (const std::uint32_t v : face) {
      text += "      vertex";
      for (const float x : corners[v]) text += " " + std::to_string(x);
      text += "\r\n";
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid a tetrahedron\n";
}

std::string obj() {
  return "# a tetrahedron\nmtllib colours.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nvt 0 0\nvn 0 0 1\nv 0 1 0\nv 0 0 1\n"
         "s off\nf 1 3 2\nf 1/1 2/1 4/1\nf 2//1 3//1 4//1\nf -2 -4 -1\n";
}

/// The places of a triangle's corners, which do not depend on how vertices are numbered.
std::vector<std::array<std::array<float, 3>, 3>> places(const TriangleMesh& mesh) {
  std::vector<std::array<std::array<float, 3>, 3>> out;
  for (const auto& t : mesh.triangles) out.push_back({mesh.vertices.at(t[0]), mesh.vertices.at(t[1]), mesh.vertices.at(t[2])});
  return out;
}

std::string refusal(const std::string& bytes, MeshFormat format) {
  try {
    parse_mesh(bytes, format);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}
testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in: " << message;
}

TEST(MeshFile, ReadsTheSameTetrahedronFromEveryFormat) {
  const auto expected = places({corners, faces});
  for (const auto& [bytes, format] :
       {std::pair(binary_stl(4), MeshFormat::stl), std::pair(text_stl(), MeshFormat::stl),
        std::pair(binary_stl(4, "solid but binary"), MeshFormat::stl), std::pair(obj(), MeshFormat::obj)}) {
    const TriangleMesh mesh = parse_mesh(bytes, format);
    EXPECT_EQ(mesh.vertices.size(), 4u);  // shared by the triangles
    EXPECT_EQ(places(mesh), expected);
  }
}

TEST(MeshFile, CutsPolygonsIntoTriangles) {
  const TriangleMesh mesh = parse_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 1 0\nf 1 2 3 4 5", MeshFormat::obj);
  const std::vector<std::array<std::uint32_t, 3>> fan{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  EXPECT_EQ(mesh.triangles, fan);
}

TEST(MeshFile, RefusesCountsThatLie) {
  EXPECT_TRUE(
      says(refusal(binary_stl(4'000'000'000u), MeshFormat::stl), "4000000000 triangles, which take 200000000084 bytes"));
  EXPECT_TRUE(says(refusal(binary_stl(3), MeshFormat::stl), "but the file has 284"));
  EXPECT_TRUE(says(refusal(binary_stl(0).substr(0, 84), MeshFormat::stl), "no triangles"));
}

// A file that is cut off at any byte is no mesh, and never one that was not meant.
TEST(MeshFile, RefusesTruncatedFiles) {
  const std::string binary = binary_stl(4), text = text_stl();
  for (std::size_t size = 0; size < binary.size(); ++size)
    EXPECT_NE(refusal(binary.substr(0, size), MeshFormat::stl), "") << size;
  for (std::size_t size = 0; size + 23 < text.size(); ++size)  // without the last line
    EXPECT_NE(refusal(text.substr(0, size), MeshFormat::stl), "") << size;
}

TEST(MeshFile, RefusesNumbersThatCannotBeDrawn) {
  std::string bytes = binary_stl(4);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  std::memcpy(bytes.data() + 84 + 50 + 12, &nan, 4);
  EXPECT_TRUE(says(refusal(bytes, MeshFormat::stl), "byte 146: nan"));
  std::memcpy(bytes.data() + 84 + 50 + 12, &infinite, 4);
  EXPECT_TRUE(says(refusal(bytes, MeshFormat::stl), "byte 146: inf"));
  EXPECT_TRUE(says(refusal("v 0 0 0\nv 0 nan 0", MeshFormat::obj), "line 2: \"nan\" is not a finite number"));
  EXPECT_TRUE(says(refusal("v 0 0 1e39", MeshFormat::obj), "line 1: \"1e39\""));
  EXPECT_TRUE(says(refusal("v 0 0", MeshFormat::obj), "line 1: v needs three numbers"));
  EXPECT_TRUE(says(refusal("solid\nfacet\nvertex 1 2 x", MeshFormat::stl), "line 3: \"x\""));
}

TEST(MeshFile, RefusesVerticesThatAreNotThere) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_TRUE(
      says(refusal(three + "f 1 2 1000000000", MeshFormat::obj), "line 4: there is no vertex 1000000000; 3 came before"));
  EXPECT_TRUE(says(refusal(three + "f 1 2 -4", MeshFormat::obj), "no vertex -4"));
  EXPECT_TRUE(says(refusal(three + "f 0 1 2", MeshFormat::obj), "no vertex 0"));
  EXPECT_TRUE(says(refusal(three + "f 1 2 99999999999999999999", MeshFormat::obj), "is not a vertex's number"));
  EXPECT_TRUE(says(refusal(three + "f 1 2 x", MeshFormat::obj), "\"x\" is not a vertex's number"));
  EXPECT_TRUE(says(refusal(three + "f 1 2", MeshFormat::obj), "at least three vertices"));
  EXPECT_TRUE(says(refusal(three, MeshFormat::obj), "no triangles"));
}

TEST(MeshFile, RefusesTextThatIsNotAMesh) {
  EXPECT_TRUE(says(refusal("solid\nfacet\nvertex 0 0 0\nendfacet", MeshFormat::stl),
                   "line 4: a facet has three vertices; this one has 1"));
  EXPECT_TRUE(
      says(refusal("solid\nfacet\n" + std::string("vertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n"), MeshFormat::stl),
           "line 6: a facet has three vertices, not more"));
  EXPECT_TRUE(says(refusal("solid\nhello\nendsolid", MeshFormat::stl), "line 2: \"hello\" is not expected here"));
  EXPECT_TRUE(says(refusal("solid\nvertex 0 0 0", MeshFormat::stl), "line 2: \"vertex\" is not expected here"));
}

TEST(MeshFile, RefusesMoreTrianglesThanCanBeDrawn) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  text.reserve(20 * max_triangles);
  for (std::size_t i = 0; i <= max_triangles; ++i) text += "f 1 2 3\n";
  EXPECT_TRUE(says(refusal(text, MeshFormat::obj), "more than 2000000 triangles"));
  EXPECT_TRUE(
      says(refusal("f " + std::string(2 << 20, '1'), MeshFormat::obj), "line 1: the line is longer than 1048576 bytes"));
}

/// A file that is gone at the end of its test.
struct TemporaryFile {
  std::filesystem::path path;
  TemporaryFile(const std::string& name, const std::string& bytes)
      : path(std::filesystem::path(::testing::TempDir()) / ("polhode_" + std::to_string(getpid()) + name)) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
};
std::string file_refusal(const std::string& file) {
  try {
    read_mesh(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(MeshFile, TakesTheFormatFromTheNameInAnyCase) {
  const TemporaryFile stl("tetrahedron.STL", binary_stl(4)), other("tetrahedron.obj", obj());
  EXPECT_EQ(read_mesh(stl.path).triangles.size(), 4u);
  EXPECT_EQ(read_mesh(other.path).triangles.size(), 4u);
}

TEST(MeshFile, RefusesFilesThatAreNoneOrTooLarge) {
  EXPECT_TRUE(says(file_refusal("nowhere.stl"), "no such file"));
  const TemporaryFile other("mesh.ply", "ply");
  EXPECT_TRUE(says(file_refusal(other.path), ".stl and .obj files"));
  const TemporaryFile large("large.stl", "solid");
  std::filesystem::resize_file(large.path, (std::size_t(64) << 20) + 1);  // sparse: takes no room
  EXPECT_TRUE(says(file_refusal(large.path), "larger than"));
}

}  // namespace
}  // namespace polhode::format
