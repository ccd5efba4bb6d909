#include <cmath>

#include "model_error_text.h"
#include "polhode/mechanism/frame_tree.h"

namespace polhode {
namespace {

MechanismBuilder with(ShapeSpec shape) {
  MechanismBuilder builder;
  builder.add_body(ball("a")).add_frame({"tip", "a", at(0, 0, 2), {}});
  builder.add_shape(std::move(shape));
  return builder;
}
MechanismBuilder with(const Solid& solid) { return with(ShapeSpec{.frame = "tip", .solid = solid}); }

std::shared_ptr<const TriangleMesh> mesh(std::uint32_t last, float x = 1) {
  return std::make_shared<TriangleMesh>(TriangleMesh{{{0, 0, 0}, {x, 0, 0}, {0, 1, 0}}, {{0, 1, last}}});
}

TEST(Shapes, AreResolvedToTheBodyThatCarriesTheirFrame) {
  const Mechanism m = with({.frame = "tip", .solid = BoxShape{{1, 2, 3}}, .pose = at(1, 0, 0)}).build();
  ASSERT_EQ(m.shapes().size(), 1u);
  EXPECT_EQ(m.shapes()[0].body, m.body("a"));
  EXPECT_EQ(m.shapes()[0].X_BS.p, (Vec3<double>{1, 0, 2}));
  EXPECT_EQ(with({.frame = ground_name}).build().shapes()[0].body, 0);
}

TEST(Shapes, NeedAFrameThatIsThere) {
  EXPECT_TRUE(reports_only(with({.frame = "tap"}), "shape: frame \"tap\" is not defined; did you mean \"tip\"?"));
}

TEST(Shapes, NeedPositiveSizes) {
  EXPECT_TRUE(reports_only(with(BoxShape{{1, 0, 1}}), "box on \"tip\": its edges 1, 0 and 1 must be positive"));
  EXPECT_TRUE(reports_only(with(BoxShape{{1, 1, NAN}}), "must be positive"));
  EXPECT_TRUE(reports_only(with(SphereShape{-1}), "sphere on \"tip\": its radius -1"));
  EXPECT_TRUE(reports_only(with(SphereShape{INFINITY}), "its radius inf"));
  EXPECT_TRUE(reports_only(with(CylinderShape{1, 0}), "its radius 1 and length 0"));
  EXPECT_TRUE(reports_only(with(CapsuleShape{0, 1}), "capsule on \"tip\": its radius 0"));
}

TEST(Shapes, NeedProperPosesAndColours) {
  EXPECT_TRUE(reports_only(with({.frame = "tip", .pose = at(NAN, 0, 0)}), "sphere on \"tip\""));
  EXPECT_TRUE(reports_only(with({.frame = "tip", .color = Color{1.5, 0, 0}}), "from 0 to 1, not 1.5, 0, 0 and 1"));
  EXPECT_TRUE(reports_only(with({.frame = "tip", .color = Color{1, 0, 0, NAN}}), "from 0 to 1"));
}

TEST(Shapes, NeedMeshesThatCanBeDrawn) {
  EXPECT_TRUE(problems_of(with(MeshShape{"", mesh(2)})).empty());
  EXPECT_TRUE(reports_only(with(MeshShape{"", nullptr}), "mesh on \"tip\": it has no triangles"));
  EXPECT_TRUE(reports_only(with(MeshShape{"", mesh(3)}), "a vertex that does not exist"));
  EXPECT_TRUE(reports_only(with(MeshShape{"", mesh(2, NAN)}), "vertices is not finite"));
  EXPECT_TRUE(reports_only(with(MeshShape{"", mesh(2), {1, 0, 1}}), "its scale (1, 0, 1)"));
  EXPECT_TRUE(reports_only(with(MeshShape{"", mesh(2), {1e200, 1, 1}}), "vertices is not finite"));
}

// One file may be named very often; a picture of all of it could not be drawn, nor sent to a page.
TEST(Shapes, HaveALimitedNumberOfTrianglesTogether) {
  TriangleMesh large{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}};
  large.triangles.assign(max_triangles / 2, {0, 1, 2});
  const auto shared = std::make_shared<const TriangleMesh>(std::move(large));
  MechanismBuilder builder = with(MeshShape{"", shared});
  builder.add_shape({.frame = "a", .solid = MeshShape{"", shared}});
  EXPECT_TRUE(problems_of(builder).empty());
  for (int i = 0; i < 1000; ++i) builder.add_shape({.frame = "a", .solid = MeshShape{"", shared}});
  EXPECT_TRUE(reports_only(builder, "the shapes have 3000000 triangles; at most 2000000"));
}

TEST(Shapes, OfNestedFramesLandOnTheBodyThatTheFramesFoldInto) {
  std::vector<TreeFrame> frames(2);
  frames[0].primitive = TreeFrame::Primitive::rz;
  frames[0].variable = "q";
  frames[0].mass = MassProperties::sphere(1, 1);
  frames[1].parent = 0;
  frames[1].constant = 2;  // along x
  frames[1].shapes.push_back({.frame = "not this one", .solid = SphereShape{1}, .pose = at(0, 0, 3)});
  MechanismBuilder builder;
  add_frame_tree(frames, builder);
  const Mechanism m = builder.build();
  ASSERT_EQ(m.shapes().size(), 1u);
  EXPECT_EQ(m.shapes()[0].body, m.body("q"));
  EXPECT_EQ(m.shapes()[0].X_BS.p, (Vec3<double>{2, 0, 3}));
}

}  // namespace
}  // namespace polhode
