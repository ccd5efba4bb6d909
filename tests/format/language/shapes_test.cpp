#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "polhode/format/plots/scene.h"
#include "polhode/tree/realize.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

const std::string body = R"((body "a" (mass 1) (inertia 1 1 1)) )";

TEST(ShapeForms, MeanWhatTheManualSays) {
  const MechanismBuilder b = sound("(system " + body + R"(
    (shape "a" (box 1 2 3))
    (shape a (sphere (* 2 3)) (pose 1 2 3))
    (shape ground (cylinder 0.5 2) (color 1 0 0.5))
    (Shape "a" (Capsule 0.1 4) (color 0 0 0 0.25) (pose 0 0 1 (rpy 0 (deg 90) 0)))))");
  ASSERT_EQ(b.shapes().size(), 4u);
  EXPECT_EQ(b.shapes()[0].solid, Solid(BoxShape{{1, 2, 3}}));
  EXPECT_EQ(b.shapes()[0].pose, Transform<double>{});
  EXPECT_FALSE(b.shapes()[0].color);
  EXPECT_EQ(b.shapes()[1].solid, Solid(SphereShape{6}));
  EXPECT_EQ(b.shapes()[1].pose, at(1, 2, 3));
  EXPECT_EQ(b.shapes()[2].frame, ground_name);
  EXPECT_EQ(b.shapes()[2].solid, Solid(CylinderShape{0.5, 2}));
  EXPECT_EQ(b.shapes()[2].color, (Color{1, 0, 0.5, 1}));
  EXPECT_EQ(b.shapes()[3].solid, Solid(CapsuleShape{0.1, 4}));
  EXPECT_EQ(b.shapes()[3].color, (Color{0, 0, 0, 0.25}));
  EXPECT_NEAR(b.shapes()[3].pose.R(0, 2), 1, 1e-15);  // z of the capsule is x of the body
}

TEST(ShapeForms, StandInBodiesAndFramesToo) {
  const Mechanism m = read_model(R"((system
    (body "a" (mass 1) (inertia 1 1 1) (shape (box 1 1 1)) (shape (sphere 1) (pose 0 0 1)))
    (tx 2 (shape (sphere 1))
      (rz "q" (mass 1 1 1 1) (ty 3 (shape (box 1 1 1) (pose 0 0 1)))))))",
                                 "m.pol")
                          .mechanism;
  ASSERT_EQ(m.shapes().size(), 4u);
  EXPECT_EQ(m.shapes()[0].body, m.body("a"));
  EXPECT_EQ(m.shapes()[1].X_BS.p, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(m.shapes()[2].body, 0);  // nothing moves it
  EXPECT_EQ(m.shapes()[2].X_BS.p, (Vec3<double>{2, 0, 0}));
  EXPECT_EQ(m.shapes()[3].body, m.body("q"));
  EXPECT_EQ(m.shapes()[3].X_BS.p, (Vec3<double>{0, 3, 1}));
}

TEST(ShapeForms, AreWrittenAndReadBack) {
  const std::string text = write_model(sound("(system " + body + R"(
    (shape "a" (box 1 2 3) (pose 1 2 3 (quat 0 1 0 0)) (color 0.1 0.2 0.3)) (shape "a" (capsule 1 2) (color 0 1 0 0.5))))"));
  EXPECT_TRUE(contains(text, "(shape \"a\" (box 1 2 3) (pose 1 2 3 (quat 0 1 0 0)) (color 0.1 0.2 0.3))")) << text;
  EXPECT_TRUE(contains(text, "(shape \"a\" (capsule 1 2) (color 0 1 0 0.5))")) << text;
  EXPECT_EQ(write_model(sound(text)), text);
}

TEST(ShapeForms, ChangeNothingInTheDynamics) {
  const std::string pendulum = R"((ry "q" (tz -1 (mass 1 0.1 0.2 0.3)))  (initial ("q" 0.7 0.2)))";
  const Mechanism bare = read_model("(system " + pendulum + ")", "m.pol").mechanism;
  const Mechanism dressed =
      read_model("(system (shape \"q\" (box 9 9 9) (pose 5 5 5)) (shape ground (sphere 3)) " + pendulum + ")", "m.pol")
          .mechanism;
  State a = tree::initial_state(bare), b = tree::initial_state(dressed);
  tree::realize(a, Stage::acceleration);
  tree::realize(b, Stage::acceleration);
  EXPECT_EQ(a.u_dot()[0], b.u_dot()[0]);
  EXPECT_EQ(a.energy(), b.energy());
  EXPECT_EQ(bare.bodies()[1].mass, dressed.bodies()[1].mass);
}

/// A folder with a model and a mesh, gone at the end.
struct Folder {
  std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / ("polhode_shapes_" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name, std::ios::binary) << text; }
  std::string error_of_model(const std::string& forms) const {
    write("m.pol", "(system " + body + forms + ")");
    try {
      load_model(path / "m.pol");
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  }
};

TEST(MeshForms, AreLookedForBesideTheModelAndReadOnce) {
  const Folder folder;
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write(
      "m.pol",
      "(system " + body +
          R"((shape "a" (mesh "flat.obj")) (shape "a" (mesh "flat.obj" (scale 2 2 -2))) (shape "a" (mesh "flat.obj" (scale 0.5)))))");
  const Mechanism m = load_model(folder.path / "m.pol").mechanism;
  ASSERT_EQ(m.shapes().size(), 3u);
  const auto& first = std::get<MeshShape>(m.shapes()[0].solid);
  const auto& second = std::get<MeshShape>(m.shapes()[1].solid);
  EXPECT_EQ(first.mesh, second.mesh);
  EXPECT_EQ(first.mesh->triangles.size(), 1u);
  EXPECT_EQ(second.scale, (Vec3<double>{2, 2, -2}));
  const std::string text = write_model(m.description());
  EXPECT_TRUE(contains(text, "(mesh \"flat.obj\")") && contains(text, "(mesh \"flat.obj\" (scale 2 2 -2))") &&
              contains(text, "(mesh \"flat.obj\" (scale 0.5))"))
      << text;
  // Vertex numbers 0 1 2 and, mirrored, 0 2 1, so that the outside stays outside.
  EXPECT_TRUE(contains(scene_json(m), "\"AAAAAAEAAAACAAAA\"") && contains(scene_json(m), "\"AAAAAAIAAAABAAAA\""));
}

TEST(MeshForms, TellWhatIsWrongWithTheFile) {
  const Folder folder;
  folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
  EXPECT_TRUE(contains(folder.error_of_model("(shape \"a\" (mesh \"bad.obj\"))"), "\"bad.obj\": line 2: there is no vertex 2"));
  EXPECT_TRUE(contains(folder.error_of_model("(shape \"a\" (mesh \"no.stl\"))"), "\"no.stl\": there is no such file"));
  EXPECT_TRUE(contains(folder.error_of_model("(shape \"a\" (mesh \"m.pol\"))"), ".stl and .obj files"));
}

}  // namespace
}  // namespace polhode::format
