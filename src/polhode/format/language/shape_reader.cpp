#include "polhode/format/language/shape_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/geometry.h"
#include "polhode/format/language/mesh_file.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

std::optional<Solid> take_box(Arguments& arguments) {
  const auto size = arguments.vector("m");
  return size ? std::optional<Solid>(BoxShape{*size}) : std::nullopt;
}

std::optional<Solid> take_sphere(Arguments& arguments) {
  const auto radius = arguments.number("radius", "m");
  return radius ? std::optional<Solid>(SphereShape{*radius}) : std::nullopt;
}

/// CylinderShape or CapsuleShape.
template <class Round>
std::optional<Solid> take_round(Arguments& arguments) {
  const auto radius = arguments.number("radius", "m"), length = arguments.number("length", "m");
  return radius && length ? std::optional<Solid>(Round{*radius, *length}) : std::nullopt;
}

/// s, or sx sy sz.
std::optional<Vec3<double>> take_scale(Arguments& arguments) {
  const auto x = arguments.number("scale");
  if (!x) return std::nullopt;
  if (arguments.at_end()) return Vec3<double>{*x, *x, *x};
  const auto y = arguments.number("scale along y"), z = arguments.number("scale along z");
  return y && z ? std::optional(Vec3<double>{*x, *y, *z}) : std::nullopt;
}

/// The file's mesh; many shapes may name one file, which is read once.
std::shared_ptr<const TriangleMesh> mesh_of(Arguments& arguments, const std::string& name) {
  Notes& notes = arguments.notes();
  if (!notes.may_name_files()) {
    arguments.problem("only a model that is itself read from a file can name other files; use other solids");
    return nullptr;
  }
  const auto [known, is_new] = notes.meshes.try_emplace(name);
  if (!is_new) return known->second;  // perhaps none: then it was told before
  try {
    known->second = std::make_shared<const TriangleMesh>(parse_mesh_file(name, notes.text_of_file(name)));
  } catch (const std::runtime_error& error) {
    arguments.problem(fmt::format("{}: {}", quoted(name), error.what()));
  }
  return known->second;
}

std::optional<Solid> take_mesh(Arguments& arguments) {
  MeshShape shape;
  const auto file = arguments.free_text("file's name");
  bool understood = file.has_value();
  arguments.options({{"scale", "(scale s) or (scale sx sy sz)", [&](Arguments& a) {
                        const auto scale = take_scale(a);
                        understood = understood && scale;
                        shape.scale = scale.value_or(shape.scale);
                      }}});
  if (!understood) return std::nullopt;
  shape.file = *file;
  shape.mesh = mesh_of(arguments, *file);
  return shape.mesh ? std::optional<Solid>(shape) : std::nullopt;
}

std::optional<Color> take_color(Arguments& arguments) {
  const auto red = arguments.number("red"), green = arguments.number("green"), blue = arguments.number("blue");
  if (!(red && green && blue)) return std::nullopt;
  const auto opacity = arguments.at_end() ? std::optional(1.0) : arguments.number("opacity");
  return opacity ? std::optional(Color{*red, *green, *blue, *opacity}) : std::nullopt;
}

}  // namespace

void take_shape(Arguments& arguments, std::vector<ShapeSpec>& shapes) {
  ShapeSpec shape;
  shape.source = arguments.where();
  std::optional<Solid> solid;
  std::vector<std::string> kinds;
  const auto option = [&](std::string_view keyword, std::string_view usage, std::optional<Solid> (*take)(Arguments&)) {
    return Option{keyword, usage, [&kinds, &solid, keyword, take](Arguments& a) {
                    kinds.emplace_back(keyword);
                    solid = take(a);
                  }};
  };
  const std::size_t mistakes_before = arguments.notes().problems.size();
  arguments.options({
      option("box", "(box x y z)", take_box),
      option("sphere", "(sphere radius)", take_sphere),
      option("cylinder", "(cylinder radius length)", take_round<CylinderShape>),
      option("capsule", "(capsule radius length)", take_round<CapsuleShape>),
      option("mesh", "(mesh \"file\" [(scale s)])", take_mesh),
      {"pose", pose_usage, [&](Arguments& a) { shape.pose = take_pose_numbers(a).value_or(Transform<double>{}); }},
      {"color", "(color red green blue [opacity])", [&](Arguments& a) { shape.color = take_color(a); }},
  });
  if (arguments.notes().problems.size() > mistakes_before) return;
  if (kinds.empty()) arguments.problem("it has no solid; write one, such as (box x y z) or (sphere radius)");
  if (kinds.size() > 1)
    arguments.problem(fmt::format("it has both a {} and a {}; write a (shape ...) for each", kinds[0], kinds[1]));
  if (kinds.size() != 1 || !solid) return;
  shape.solid = *solid;
  shapes.push_back(std::move(shape));
}

void read_shape(Arguments& arguments, MechanismBuilder& builder) {
  const auto frame = arguments.name("frame's name");
  if (frame) arguments.set_subject(fmt::format("shape on {}", quoted(*frame)));
  std::vector<ShapeSpec> shapes;
  take_shape(arguments, shapes);
  for (ShapeSpec& shape : shapes) {
    if (!frame) break;
    shape.frame = *frame;
    builder.add_shape(std::move(shape));
  }
}

}  // namespace polhode::format
