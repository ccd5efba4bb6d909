#include "polhode/mechanism/resolver_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/joint_placement.h"

namespace polhode {
namespace {

constexpr double longest = 1e30;  ///< [m], that single precision can draw
bool is_length(double x) { return x > 0 && x < longest; }

/// What is wrong with a solid's numbers; empty when nothing is.
struct WrongWith {
  std::string operator()(const BoxShape& s) const {
    if (is_length(s.size.x) && is_length(s.size.y) && is_length(s.size.z)) return {};
    return fmt::format("its edges {:g}, {:g} and {:g} must be positive lengths [m]", s.size.x, s.size.y, s.size.z);
  }
  std::string operator()(const SphereShape& s) const {
    return is_length(s.radius) ? "" : fmt::format("its radius {:g} must be a positive length [m]", s.radius);
  }
  std::string operator()(const CylinderShape& s) const { return wrong_with(s.radius, s.length); }
  std::string operator()(const CapsuleShape& s) const { return wrong_with(s.radius, s.length); }
  std::string operator()(const MeshShape& s) const {
    for (const double k : {s.scale.x, s.scale.y, s.scale.z})
      if (!std::isfinite(k) || k == 0)
        return fmt::format("its scale ({:g}, {:g}, {:g}) must be finite numbers other than 0", s.scale.x, s.scale.y, s.scale.z);
    if (!s.mesh || s.mesh->triangles.empty()) return "it has no triangles";
    for (const auto& v : s.mesh->vertices)
      for (int i = 0; i < 3; ++i)
        if (!(std::abs(v[i] * s.scale[i]) < longest)) return "a coordinate of one of its vertices is not finite";
    const auto missing = [&](std::uint32_t i) { return i >= s.mesh->vertices.size(); };
    for (const auto& corners : s.mesh->triangles)
      if (std::any_of(corners.begin(), corners.end(), missing))
        return "one of its triangles names a vertex that does not exist";
    return {};
  }

 private:
  static std::string wrong_with(double radius, double length) {
    if (is_length(radius) && is_length(length)) return {};
    return fmt::format("its radius {:g} and length {:g} must be positive [m]", radius, length);
  }
};

bool is_color(const Color& c) {
  const auto in_range = [](double x) { return x >= 0 && x <= 1; };
  return in_range(c.red) && in_range(c.green) && in_range(c.blue) && in_range(c.opacity);
}

std::size_t num_triangles(const Solid& solid) {
  const auto* mesh = std::get_if<MeshShape>(&solid);
  return mesh && mesh->mesh ? mesh->mesh->triangles.size() : 0;
}

}  // namespace

const char* name(const Solid& solid) {
  constexpr const char* names[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
  return names[solid.index()];
}

void ShapeMaker::make_shapes() {
  std::size_t triangles = 0;
  out_.shapes.reserve(in_.shapes().size());
  for (const ShapeSpec& spec : in_.shapes()) {
    const std::size_t more = num_triangles(spec.solid);
    if (triangles <= max_triangles && triangles + more > max_triangles)
      problem(
          fmt::format("with this mesh the shapes have {} triangles; at most {} can be drawn", triangles + more, max_triangles),
          spec.source);
    triangles += more;
    if (triangles <= max_triangles) add_shape(spec);
  }
}

void ShapeMaker::add_shape(const ShapeSpec& spec) {
  const auto frame = names_.frame_of(spec.frame, "shape", spec.source);
  const std::string what = fmt::format("{} on \"{}\"", polhode::name(spec.solid), spec.frame);
  std::string wrong = std::visit(WrongWith{}, spec.solid);
  if (!wrong.empty()) problem(fmt::format("{}: {}", what, wrong), spec.source);
  wrong = problem_with_pose(spec.pose);
  if (!wrong.empty()) problem(fmt::format("{} {}", what, wrong), spec.source);
  if (const auto& c = spec.color; c && !is_color(*c))
    problem(fmt::format("{}: red, green, blue and opacity must be from 0 to 1, not {:g}, {:g}, {:g} and {:g}", what, c->red,
                        c->green, c->blue, c->opacity),
            spec.source);
  if (!frame || !wrong.empty()) return;
  const Frame& on = out_.frames[*frame];
  out_.shapes.push_back({on.body, on.X_BF * with_exact_rotation(spec.pose), spec.solid, spec.color});
}

}  // namespace polhode
