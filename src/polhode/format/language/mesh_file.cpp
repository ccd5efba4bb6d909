#include "polhode/format/language/mesh_file.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "polhode/format/language/lexer.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

using Corner = std::array<float, 3>;

[[noreturn]] void refuse(std::string why) { throw std::runtime_error(std::move(why)); }
std::string shown(std::string_view word) { return format::quoted(utf8_prefix(word, 40)); }

void refuse_too_many(std::size_t triangles) {
  if (triangles > max_triangles) refuse(fmt::format("it has more than {} triangles, the most that are read", max_triangles));
}

/// Gathers triangles that come with the places of their corners. Corners at one place become one vertex.
class CornerMesh {
 public:
  void add(Corner corner) {
    for (float& x : corner) x += 0.0f;  // one zero for both signs
    const auto [known, is_new] = index_.try_emplace(corner, std::uint32_t(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(corner);
    corners_[num_corners_++ % 3] = known->second;
    if (num_corners_ % 3 == 0) mesh_.triangles.push_back(corners_);
  }
  std::size_t num_triangles() const { return mesh_.triangles.size(); }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  struct Hash {
    std::size_t operator()(const Corner& c) const {
      std::size_t hash = 0;
      for (const float x : c) hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15u;
      return hash ^ (hash >> 29);
    }
  };
  TriangleMesh mesh_;
  std::unordered_map<Corner, std::uint32_t, Hash> index_;
  std::array<std::uint32_t, 3> corners_{};
  std::size_t num_corners_ = 0;
};

// Text: lines of words.

class Lines {
 public:
  explicit Lines(std::string_view text) : left_(text) {}

  /// The words of the next line that has any; false at the end.
  bool next(std::vector<std::string_view>& words) {
    while (!left_.empty()) {
      ++number_;
      const std::size_t end = std::min(left_.find('\n'), left_.size());
      if (end > most_line_bytes)
        refuse(fmt::format("the line is longer than {} bytes, the most that is read", most_line_bytes));
      split(left_.substr(0, end), words);
      left_.remove_prefix(std::min(end + 1, left_.size()));
      if (!words.empty()) return true;
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& why) const { format::refuse(fmt::format("line {}: {}", number_, why)); }

  Corner corner(const std::vector<std::string_view>& words) const {
    if (words.size() < 4) refuse(fmt::format("{} needs three numbers, x y z", words[0]));
    Corner out;
    for (int i = 0; i < 3; ++i) {
      const auto number = number_of_field(words[std::size_t(i) + 1]);
      if (!number || std::abs(*number) > 1e30)
        refuse(fmt::format("{} is not a finite number that can be drawn", shown(words[std::size_t(i) + 1])));
      out[i] = float(*number);
    }
    return out;
  }

 private:
  static void split(std::string_view line, std::vector<std::string_view>& words) {
    constexpr std::string_view blanks = " \t\r\f\v";
    words.clear();
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(blanks, end);
    }
  }

  static constexpr std::size_t most_line_bytes = std::size_t(1) << 20;
  std::string_view left_;
  int number_ = 0;
};

TriangleMesh parse_text_stl(std::string_view text) {
  CornerMesh mesh;
  Lines lines(text);
  std::vector<std::string_view> words;
  bool in_solid = false, in_facet = false;
  int corners = 0;
  while (lines.next(words)) {
    const auto is = [&](std::string_view keyword) { return same_keyword(words[0], keyword); };
    if (is("solid") && !in_solid) {
      in_solid = true;
    } else if (is("endsolid") && in_solid && !in_facet) {
      in_solid = false;
    } else if (is("facet") && in_solid && !in_facet) {
      in_facet = true, corners = 0;
    } else if (is("vertex") && in_facet) {
      if (++corners > 3) lines.refuse("a facet has three vertices, not more");
      mesh.add(lines.corner(words));
    } else if (is("endfacet") && in_facet) {
      if (corners != 3) lines.refuse(fmt::format("a facet has three vertices; this one has {}", corners));
      in_facet = false;
      refuse_too_many(mesh.num_triangles());
    } else if (!((is("outer") || is("endloop")) && in_facet)) {
      lines.refuse(fmt::format("{} is not expected here in an STL file", shown(words[0])));
    }
  }
  if (in_facet) refuse("the file ends inside a facet");
  if (in_solid) refuse("the file ends before endsolid");
  return mesh.take();
}

// Binary STL: 80 bytes of anything, the number of triangles, then 50 bytes for each: normal, three corners, two bytes.

constexpr std::size_t stl_header = 84, stl_triangle = 50;

std::uint32_t bits_at(std::string_view bytes, std::size_t at) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return bits;
}

TriangleMesh parse_binary_stl(std::string_view bytes) {
  if (bytes.size() < stl_header)
    refuse(fmt::format("it has {} bytes, but a binary STL file begins with {}", bytes.size(), stl_header));
  const std::uint64_t count = bits_at(bytes, 80), needed = stl_header + stl_triangle * count;
  if (needed != bytes.size())
    refuse(fmt::format("byte 80 says that it has {} triangles, which take {} bytes, but the file has {}", count, needed,
                       bytes.size()));
  refuse_too_many(count);
  CornerMesh mesh;
  for (std::size_t triangle = 0; triangle < count; ++triangle)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = stl_header + stl_triangle * triangle + 12 * (corner + 1);
      Corner place;
      for (std::size_t i = 0; i < 3; ++i) {
        place[i] = std::bit_cast<float>(bits_at(bytes, at + 4 * i));
        if (!(std::abs(place[i]) <= 1e30f))
          refuse(fmt::format("byte {}: {} is not a finite number that can be drawn", at + 4 * i, place[i]));
      }
      mesh.add(place);
    }
  return mesh.take();
}

/// Text begins with "solid"; so do some binary files, but not without zero bytes.
bool is_text_stl(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && same_keyword(start.substr(first, 5), "solid") &&
         start.find('\0') == std::string_view::npos;
}

// OBJ.

/// The vertex, from 0, that a word of an f line means: `7`, `7/1/3`, or `-1` for the last one before it.
std::uint32_t obj_vertex(const Lines& lines, std::string_view word, std::size_t num_vertices) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long long number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    lines.refuse(fmt::format("{} is not a vertex's number", shown(word)));
  const auto n = static_cast<long long>(num_vertices);
  if (number == 0 || number > n || number < -n)
    lines.refuse(fmt::format("there is no vertex {}; {} came before this line, counted from 1", number, n));
  return std::uint32_t(number > 0 ? number - 1 : n + number);
}

TriangleMesh parse_obj(std::string_view text) {
  TriangleMesh mesh;
  Lines lines(text);
  std::vector<std::string_view> words;
  while (lines.next(words)) {
    if (words[0] == "v") {
      mesh.vertices.push_back(lines.corner(words));
    } else if (words[0] == "f") {
      if (words.size() < 4) lines.refuse("a face needs at least three vertices");
      const auto vertex = [&](std::size_t i) { return obj_vertex(lines, words[i], mesh.vertices.size()); };
      const std::uint32_t first = vertex(1);
      std::uint32_t last = vertex(2);
      for (std::size_t i = 3; i < words.size(); ++i) {
        const std::uint32_t next = vertex(i);
        mesh.triangles.push_back({first, last, next});
        last = next;
      }
      refuse_too_many(mesh.triangles.size());
    }
  }
  return mesh;
}

bool ends_with_keyword(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() && same_keyword(name.substr(name.size() - ending.size()), ending);
}

}  // namespace

TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format) {
  TriangleMesh mesh = format == MeshFormat::obj ? parse_obj(bytes)
                      : is_text_stl(bytes)      ? parse_text_stl(bytes)
                                                : parse_binary_stl(bytes);
  if (mesh.triangles.empty()) refuse("it has no triangles");
  return mesh;
}

TriangleMesh parse_mesh_file(const std::string& name, std::string_view bytes) {
  const bool obj = ends_with_keyword(name, ".obj");
  if (!obj && !ends_with_keyword(name, ".stl")) refuse("meshes are read from .stl and .obj files");
  return parse_mesh(bytes, obj ? MeshFormat::obj : MeshFormat::stl);
}

TriangleMesh read_mesh(const std::string& file) { return parse_mesh_file(file, read_table_text(file)); }

}  // namespace polhode::format
