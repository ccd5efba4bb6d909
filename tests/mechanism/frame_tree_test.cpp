#include "polhode/mechanism/frame_tree.h"

#include <random>

#include "model_error_text.h"

namespace polhode {
namespace {

using P = TreeFrame::Primitive;

/// The six basic transformations of Johnson & Murphey, R1, written out.
Transform<double> literal_transform(P primitive, double x) {
  const double c = std::cos(x), s = std::sin(x);
  switch (primitive) {
    case P::tx: return {Mat3<double>::identity(), {x, 0, 0}};
    case P::ty: return {Mat3<double>::identity(), {0, x, 0}};
    case P::tz: return {Mat3<double>::identity(), {0, 0, x}};
    case P::rx: return {{{{{1, 0, 0}, {0, c, s}, {0, -s, c}}}}, {}};
    case P::ry: return {{{{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}}}, {}};
    case P::rz: return {{{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}}, {}};
  }
  return {};
}

struct RandomTree {
  std::vector<TreeFrame> frames;
  std::vector<double> x;  // the parameter of each frame: its constant or its variable's value
};

RandomTree random_tree(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  RandomTree tree;
  for (int i = 0; i < count; ++i) {
    TreeFrame frame;
    frame.parent = int(random() % unsigned(i + 1)) - 1;
    frame.primitive = P(random() % 6);
    frame.name = "f" + std::to_string(i);
    tree.x.push_back(number(random));
    if (random() % 2) {
      frame.variable = "v" + std::to_string(i);
    } else {
      frame.constant = tree.x.back();
    }
    frame.mass = MassProperties::box(1 + std::abs(number(random)), {1, 2, 3}, {number(random), number(random), number(random)});
    tree.frames.push_back(frame);
  }
  return tree;
}

Mechanism built(const std::vector<TreeFrame>& frames) {
  MechanismBuilder builder;
  add_frame_tree(frames, builder);
  return builder.build();
}

/// A tree whose only variable frames would be missing has no bodies; such seeds say nothing.
bool moves(const RandomTree& tree) {
  return std::any_of(tree.frames.begin(), tree.frames.end(), [](const TreeFrame& f) { return !f.variable.empty(); });
}

std::vector<Transform<double>> literal_poses(const RandomTree& tree) {
  std::vector<Transform<double>> X_W;
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    const int parent = tree.frames[i].parent;
    const Transform<double> X_WP = parent < 0 ? Transform<double>{} : X_W[parent];
    X_W.push_back(X_WP * literal_transform(tree.frames[i].primitive, tree.x[i]));
  }
  return X_W;
}

std::vector<double> coordinates(const Mechanism& mechanism, const RandomTree& tree) {
  std::vector<double> q(mechanism.num_q());
  for (size_t i = 0; i < tree.frames.size(); ++i)
    if (!tree.frames[i].variable.empty()) q[mechanism.coordinate(tree.frames[i].variable)] = tree.x[i];
  return q;
}

// Johnson & Murphey (2): g_{s,k} is the product of the primitive transformations from the world to frame k.
// 30 factors of condition 1 and lengths up to 45 m: rounding stays below 30 * 45 * 2.2e-16 * 10 = 3e-12.
TEST(FrameTree, FramesLieAtTheProductsOfPrimitiveTransforms) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const RandomTree tree = random_tree(seed, 30);
    ASSERT_TRUE(moves(tree));
    const Mechanism mechanism = built(tree.frames);
    const auto X_WB = body_poses(mechanism, coordinates(mechanism, tree));
    const auto expected = literal_poses(tree);
    for (size_t i = 0; i < tree.frames.size(); ++i) {
      const Frame& frame = mechanism.frames()[mechanism.frame(tree.frames[i].name)];
      EXPECT_LT(distance(X_WB[frame.body] * frame.X_BF, expected[i]), 3e-12);
    }
  }
}

// Masses on frames that can move must come out with their total and their common centre. 30 lumps below 3 kg at up to
// 50 m: first moments below 4500 kg m, so rounding below 4500 * 2.2e-16 * 30 * 10 = 3e-10.
TEST(FrameTree, MassesKeepTheirTotalAndTheirCentre) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const RandomTree tree = random_tree(seed, 30);
    const Mechanism mechanism = built(tree.frames);
    const auto X_WB = body_poses(mechanism, coordinates(mechanism, tree));
    const auto X_W = literal_poses(tree);
    double expected_mass = 0, mass = 0;
    Vec3<double> expected_moment{}, moment{};
    for (size_t i = 0; i < tree.frames.size(); ++i) {
      if (mechanism.frames()[mechanism.frame(tree.frames[i].name)].body == 0) continue;
      expected_mass += tree.frames[i].mass->mass;
      expected_moment += tree.frames[i].mass->mass * (X_W[i] * tree.frames[i].mass->com);
    }
    for (int b = 1; b < mechanism.num_bodies(); ++b) {
      mass += mechanism.bodies()[b].mass.mass;
      moment += mechanism.bodies()[b].mass.mass * (X_WB[b] * mechanism.bodies()[b].mass.com);
    }
    EXPECT_NEAR(mass, expected_mass, 1e-12);
    EXPECT_LT(norm(moment - expected_moment), 3e-10);
  }
}

TEST(FrameTree, ABodyCoincidesWithItsParentFrameAtZero) {
  for (const P primitive : {P::tx, P::ty, P::tz, P::rx, P::ry, P::rz}) {
    const Mechanism mechanism = built({{.primitive = primitive, .variable = "q", .mass = MassProperties::sphere(1, 1)}});
    EXPECT_EQ(body_poses(mechanism, {0.0})[1], Transform<double>{});
  }
}

TEST(FrameTree, PointsAtBothFramesOfAVariableUsedTwice) {
  MechanismBuilder builder;
  const auto mass = MassProperties::sphere(1, 1);
  add_frame_tree({{.primitive = P::rx, .variable = "J", .mass = mass, .source = {3, 5}},
                  {.parent = 0, .primitive = P::ry, .variable = "J", .mass = mass, .source = {9, 2}}},
                 builder);
  ASSERT_TRUE(reports_only(builder, "variable \"J\" drives two frames"));
  const Problem problem = problems_of(builder)[0];
  EXPECT_EQ(problem.where.line, 9);
  EXPECT_EQ(problem.other.line, 3);
}

TEST(FrameTree, NamesAnUnnamedBodyAfterItsVariableUnlessThatNameIsTaken) {
  const auto mass = MassProperties::sphere(1, 1);
  const Mechanism mechanism = built({{.primitive = P::rx, .variable = "a", .mass = mass},
                                     {.parent = 0, .primitive = P::ry, .variable = "b", .mass = mass},
                                     {.parent = 1, .primitive = P::tz, .constant = 1, .name = "b"}});
  EXPECT_EQ(mechanism.bodies()[1].name, "a");
  EXPECT_NE(mechanism.bodies()[2].name, "b");
  EXPECT_EQ(mechanism.joints()[2].name, "b");
  EXPECT_EQ(mechanism.coordinate("b"), 1);
}

TEST(FrameTree, MassFixedToTheWorldHasNoEffect) {
  const Mechanism mechanism = built({{.primitive = P::tx, .constant = 2, .name = "post", .mass = MassProperties::sphere(9, 1)},
                                     {.parent = 0, .primitive = P::ry, .variable = "J", .mass = MassProperties::sphere(1, 1)}});
  EXPECT_EQ(mechanism.bodies()[0].mass.mass, 0);
  EXPECT_EQ(mechanism.bodies()[1].mass.mass, 1);
}

}  // namespace
}  // namespace polhode
