#include "polhode/format/plots/scene.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "polhode/format/plots/base64.h"
#include "polhode/format/plots/inertia_ellipsoid.h"
#include "tests/format/language/reading.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

using Json = nlohmann::json;

Json scene_of_model(const std::string& name) {
  const auto file = testing_support::model_path(name);
  return Json::parse(scene_json(load_model(file).mechanism));
}
Json scene_of(const std::string& text) { return Json::parse(scene_json(read_model(text, "m.pol").mechanism)); }

TEST(Scene, HasWhatTheModelsHave) {
  const Json device = scene_of_model("closed_chain_device");  // Listing 1: seven angles, four point constraints
  EXPECT_EQ(device["bodies"].size(), 8u);
  EXPECT_EQ(device["joints"].size(), 7u);
  EXPECT_EQ(device["constraints"].size(), 4u);
  for (const Json& c : device["constraints"]) {
    EXPECT_EQ(c["kind"], "point-constraint");
    EXPECT_EQ(c["frames"].size(), 2u);
  }
  const Json bricard = scene_of_model("bricard");  // five rods, six pins
  EXPECT_EQ(bricard["bodies"].size(), 6u);
  ASSERT_EQ(bricard["joints"].size(), 6u);
  EXPECT_EQ(bricard["joints"][5]["closesLoop"], true);
  EXPECT_EQ(bricard["joints"][5]["coordinates"], Json::array());
  EXPECT_EQ(bricard["gravity"], Json({0.0, -9.81, 0.0}));
  const Json bicycle = scene_of_model("bicycle");
  EXPECT_EQ(bicycle["bodies"].size(), 5u);
  EXPECT_EQ(bicycle["joints"][0]["type"], "free");
  ASSERT_EQ(bicycle["constraints"].size(), 2u);
  EXPECT_EQ(bicycle["constraints"][1]["kind"], "rolling-disk");
  EXPECT_EQ(bicycle["constraints"][1]["radius"], 0.35);
  const int rim = bicycle["constraints"][1]["frames"][0];
  EXPECT_EQ(bicycle["frames"][std::size_t(rim)]["name"], "front rim");
}

TEST(Scene, NumbersBodiesSoThatAJointHoldsTheOneAfterIt) {
  for (const char* name : {"minitaur", "four_bar_chain", "humanoid"}) {
    const Json scene = scene_of_model(name);
    EXPECT_EQ(scene["bodies"][0]["name"], "ground");
    EXPECT_EQ(scene["bodies"][0]["parent"], -1);
    for (std::size_t b = 1; b < scene["bodies"].size(); ++b) {
      EXPECT_EQ(scene["joints"][b - 1]["child"], b);
      EXPECT_EQ(scene["joints"][b - 1]["parent"], scene["bodies"][b]["parent"]);
      EXPECT_EQ(scene["frames"][b]["body"], b);
    }
  }
}

TEST(Scene, TellsFreeBodiesThatNobodyWroteAJointFor) {
  const Json scene = scene_of("(system (body \"a\" (mass 1) (inertia 1 1 1)))");
  EXPECT_EQ(scene["joints"][0]["implicit"], true);
  EXPECT_EQ(scene["joints"][0]["type"], "free");
}

TEST(Scene, DescribesConstraintsBetweenFramesAndBetweenCoordinates) {
  const Json scene = scene_of(R"((system
    (body "a" (mass 1) (inertia 1 1 1)) (body "b" (mass 1) (inertia 1 1 1) (pose 1 0 0))
    (joint cylindrical "ca" ground "a" (axis 0 0 1)) (joint cylindrical "cb" ground "b" (axis 0 0 1))
    (wire "a" "b" 1 (name "rope"))
    (point-on-line "a" "b" 0 0 2)
    (constant-angle "a" (0 3 0) "b" (1 0 0) 1.5)
    (gear "ca.angle" "cb.angle" 2)
    (speed-coupler ("ca.z" 1) ("cb.z" 2))
    (constant-coordinate "ca.z" 0)))");
  const Json& c = scene["constraints"];
  ASSERT_EQ(c.size(), 6u);
  EXPECT_EQ(c[0]["name"], "rope");
  EXPECT_EQ(c[0]["length"], 1.0);
  EXPECT_EQ(c[0]["frames"], Json({1, 2}));
  EXPECT_NEAR(std::abs(c[1]["direction"][2].get<double>()), 1, 1e-15);
  EXPECT_EQ(c[2]["direction"], Json({0.0, 1.0, 0.0}));
  EXPECT_EQ(c[3]["kind"], "gear");
  EXPECT_EQ(c[3]["frames"], Json::array());
  EXPECT_EQ(c[3]["coordinates"], Json({"ca.angle", "cb.angle"}));
  EXPECT_EQ(c[4]["coordinates"], Json({"ca.z'", "cb.z'"}));
  EXPECT_EQ(c[5]["coordinates"], Json({"ca.z"}));
}

TEST(Scene, HasSpringsOfBothKinds) {
  const Json scene = scene_of(R"((system (body "a" (mass 1)) (frame "hook" ground 0 0 1)
    (spring "hook" "a" 20 0.5) (nonlinear-spring "a" "hook" 0.25 1 2)))");
  ASSERT_EQ(scene["springs"].size(), 2u);
  EXPECT_EQ(scene["springs"][0],
            Json::parse(R"({"kind": "spring", "frames": [2, 1], "stiffness": 20.0, "rest length": 0.5, "damping": 0.0})"));
  EXPECT_EQ(scene["springs"][1],
            Json::parse(R"({"kind": "nonlinear-spring", "frames": [1, 2], "rest length": 0.25, "damping": 0.0})"));
}

TEST(Scene, PutsShapesOnTheirBodies) {
  const Json scene = scene_of(R"((system
    (body "a" (mass 1) (inertia 1 1 1) (shape (box 1 2 3) (color 1 0.5 0 0.25)) (shape (sphere 4) (pose 0 0 1)))
    (frame "tip" "a" (pose 0 5 0))
    (shape "tip" (cylinder 0.1 2) (pose 1 0 0))
    (shape ground (capsule 0.1 2))))");
  EXPECT_EQ(scene["bodies"][0]["shapes"].size(), 1u);
  const Json& shapes = scene["bodies"][1]["shapes"];
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0], Json::parse(R"({"kind": "box", "size": [1.0, 2.0, 3.0], "color": [1.0, 0.5, 0.0, 0.25],
                                       "pose": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]})"));
  EXPECT_EQ(shapes[1]["radius"], 4.0);
  EXPECT_TRUE(shapes[1]["color"].is_null());
  EXPECT_EQ(shapes[2]["length"], 2.0);
  EXPECT_EQ(shapes[2]["pose"], Json({1.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0}));
}

/// Inertia of an even ellipsoid: m (b^2 + c^2) / 5 about the first axis, and so on.
SymMat3<double> inertia(double m, const Vec3<double>& a) {
  return SymMat3<double>::diagonal(
      {m / 5 * (a.y * a.y + a.z * a.z), m / 5 * (a.x * a.x + a.z * a.z), m / 5 * (a.x * a.x + a.y * a.y)});
}

TEST(InertiaEllipsoid, HasTheInertiaThatItIsMadeFrom) {
  const Mat3<double> R = rotation_x(0.4) * rotation_y(-1.1) * rotation_z(2.0);
  const MassProperties straight{3, {}, inertia(3, {0.3, 0.7, 1.9})};
  const MassProperties turned = transformed({R, {}}, straight);
  const auto found = inertia_ellipsoid(turned);
  ASSERT_TRUE(found);
  const MassProperties back = transformed({rotation(found->axes), {}}, {3, {}, inertia(3, found->semiaxes)});
  for (const auto& [a, b] : {std::pair(back.inertia.xx, turned.inertia.xx), std::pair(back.inertia.yy, turned.inertia.yy),
                             std::pair(back.inertia.zz, turned.inertia.zz), std::pair(back.inertia.xy, turned.inertia.xy),
                             std::pair(back.inertia.xz, turned.inertia.xz), std::pair(back.inertia.yz, turned.inertia.yz)})
    EXPECT_NEAR(a, b, 1e-14);  // numbers of size 2.5, some tens of roundings
}

TEST(InertiaEllipsoid, IsThinWhereTheBodyIs) {
  const auto rod = inertia_ellipsoid(MassProperties::rod(2, {1, 2, -2}));
  ASSERT_TRUE(rod);
  const Vec3<double> a = rod->semiaxes;
  // A rod of length 3 has m l^2 / 12 = m a^2 / 5 about its middle.
  EXPECT_NEAR(std::max({a.x, a.y, a.z}), 3 * std::sqrt(5.0 / 12), 1e-14);
  EXPECT_EQ(int(a.x == 0) + int(a.y == 0) + int(a.z == 0), 2);
}

TEST(InertiaEllipsoid, IsNotThereForParticlesAndForNothing) {
  EXPECT_FALSE(inertia_ellipsoid(MassProperties::particle(1)));
  EXPECT_FALSE(inertia_ellipsoid({}));
}

TEST(Base64, IsThatOfRfc4648) {  // section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF"), "+/8=");
}

// A loop whose every joint has a spring is cut through a body; it is seen once, with all of its mass.
TEST(Scene, ShowsABodyThatIsInTheTreeTwiceOnce) {
  const Json scene = scene_of(R"((system
    (body "a" (mass 1 1 1 1)) (body "b" (mass 2 1 1 1)) (joint pin "p" ground "a" (axis 0 1 0))
    (joint pin "q" "a" "b" (at 1 0 0) (axis 0 1 0)) (joint slider "r" ground "b" (at 1 0 0) (axis 1 0 0))
    (torsion-spring "p" 1 0) (torsion-spring "q" 1 0) (torsion-spring "r" 1 0)))");
  ASSERT_EQ(scene["bodies"].size(), 4u);
  int with_ellipsoid = 0;
  for (const Json& body : scene["bodies"]) {
    with_ellipsoid += body["ellipsoid"].is_null() ? 0 : 1;
    if (body["name"] == "b") {
      EXPECT_EQ(body["mass"], 2.0);
    }
  }
  EXPECT_EQ(with_ellipsoid, 2);
}

}  // namespace
}  // namespace polhode::format
