#include <random>

#include "polhode/tree/realize.h"
#include "tests/format/language/reading.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

const std::string puma = testing_support::source_folder() + "/models/puma.pol";

/// Where a frame is, with its axes, when the coordinates have these values.
Transform<double> pose_of(const Mechanism& mechanism, const std::string& frame, const std::vector<double>& q) {
  State state = tree::initial_state(mechanism);
  for (int i = 0; i < int(q.size()); ++i) state.set_q(i, q[std::size_t(i)]);
  tree::realize(state, Stage::position);
  return state.frame_pose(mechanism.frame(frame));
}
double distance(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b); }
Vec3<double> column(const Mat3<double>& R, int i) { return {R(0, i), R(1, i), R(2, i)}; }

// The arm's geometry, seen by a surveyor: in the vertical plane of the first turn the second link reaches a2 at the angle q2,
// the third goes on by a3 along and d4 across q2 + q3; across the plane it is off by d3. The tool's axis is turned in the
// wrist by q4 about the forearm and tilted from it by q5.
TEST(LinkFrames, OfThePumaReachWhereItsClosedFormSays) {
  const Mechanism mechanism = load_model(puma).mechanism;
  ASSERT_EQ(mechanism.coordinate_names(), (std::vector<std::string>{"q1", "q2", "q3", "q4", "q5", "q6"}));
  const double a2 = 0.4318, a3 = 0.0203, d3 = 0.15005, d4 = 0.4318;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> q(6);
    for (double& x : q) x = angle(random);
    const Vec3<double> up{0, 0, 1}, along{std::cos(q[0]), std::sin(q[0]), 0}, across = cross(along, up);
    const auto in_plane = [&](double a) { return std::cos(a) * along + std::sin(a) * up; };
    const double q23 = q[1] + q[2];
    const Vec3<double> forearm = in_plane(q23), upwards = in_plane(q23 + std::acos(-1.0) / 2);
    const Vec3<double> wrist = a2 * in_plane(q[1]) + d3 * across + a3 * forearm + d4 * upwards;
    const Vec3<double> tool_axis =
        std::cos(q[4]) * upwards - std::sin(q[4]) * (std::cos(q[3]) * forearm - std::sin(q[3]) * across);
    const Transform<double> X = pose_of(mechanism, "tool", q);
    EXPECT_LT(distance(X.p, wrist), 1e-14);  // a few roundings of lengths below a metre
    EXPECT_LT(distance(column(X.R, 2), tool_axis), 1e-14);
    EXPECT_LT(distance(pose_of(mechanism, "wrist", q).p, wrist), 1e-14);
  }
}

/// The four by four matrices that the two papers print, entry by entry.
Transform<double> printed(bool modified, double a, double alpha, double d, double theta) {
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  Mat3<double> R;
  const double standard_rows[3][3]{{ct, -st * ca, st * sa}, {st, ct * ca, -ct * sa}, {0, sa, ca}};
  const double modified_rows[3][3]{{ct, -st, 0}, {st * ca, ct * ca, -sa}, {st * sa, ct * sa, ca}};
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = (modified ? modified_rows : standard_rows)[i / 3][i % 3];
  const Vec3<double> p = modified ? Vec3<double>{a, -sa * d, ca * d} : Vec3<double>{a * ct, a * st, d};
  return {R, p};
}

TEST(LinkFrames, AreThePrintedMatrices) {
  for (const bool modified : {false, true}) {
    const std::string word = modified ? "(mdh" : "(dh";
    const std::string text = "(system " + word + " 0.3 0.7 0.2 (\"turn\" 0.4) (mass 1) " + word +
                             " -0.1 (deg -40) (\"slide\" (mm 50)) 1.1 (name \"tip\") (mass 1))))";
    const Mechanism mechanism = read_model(text, "m.pol").mechanism;
    ASSERT_EQ(mechanism.coordinate_names(), (std::vector<std::string>{"turn", "slide"}));
    const Transform<double> X = pose_of(mechanism, "tip", {0.9, 0.25});
    const double deg = std::acos(-1.0) / 180;
    const Transform<double> expected =
        printed(modified, 0.3, 0.7, 0.2, 0.9 + 0.4) * printed(modified, -0.1, -40 * deg, 0.25 + 0.05, 1.1);
    EXPECT_LT(distance(X.p, expected.p), 1e-15) << word;
    for (int i = 0; i < 3; ++i) EXPECT_LT(distance(column(X.R, i), column(expected.R, i)), 1e-15) << word;
  }
}

TEST(LinkFrames, MayBeFixedFollowASignalOrHaveTwoVariables) {
  const Mechanism m = read_model(R"((system (dh 0.1 0 0 0 (dh 0 0 "d" "theta" (name "tip") (mass 1 1 1 1)))
                                            (mdh 0 0 0 (kinematic "k" (sine 1 1)) (mass 1 1 1 1))
                                            (dh 0 0 0 0 (name "nowhere"))))",
                                 "m.pol")
                          .mechanism;
  EXPECT_EQ(m.coordinate_names(), (std::vector<std::string>{"theta", "d", "k"}));
  EXPECT_EQ(pose_of(m, "tip", {0, 2, 0}).p, (Vec3<double>{0.1, 0, 2}));
  EXPECT_EQ(pose_of(m, "nowhere", {}).p, (Vec3<double>{}));
}

TEST(LinkFrames, TellWhatIsMissing) {
  const auto mistake = [](const std::string& form) { return error_of("(system (tx \"x\" (mass 1)) " + form + ")"); };
  EXPECT_TRUE(contains(mistake("(dh)"), "a is missing; write (dh a alpha d theta"));
  EXPECT_TRUE(contains(mistake("(dh 1 2)"), "d has no parameter; write a number, \"variable\" or (\"variable\" offset) for d"));
  EXPECT_TRUE(contains(mistake("(dh 1 2 3)"), "theta has no parameter"));
  EXPECT_TRUE(contains(mistake("(dh 1 2 3 4 5)"), "the number 5 is not expected in a frame"));
  EXPECT_TRUE(contains(mistake("(mdh \"q\" 0 0 0)"), "a must be a number"));
  EXPECT_TRUE(contains(mistake("(mdh 0 0 0 (\"q\"))"), "offset is missing"));
  EXPECT_TRUE(contains(mistake("(mdh 0 0 0 (\"q\" 1 2))"), "one argument too many"));
  EXPECT_TRUE(contains(mistake("(mdh 0 0 (deg 3) \"q\" (mass 1))"), "d shifts by a length in metres"));
  EXPECT_TRUE(contains(mistake("(mdh 0 0 0 (\"q\" (mm 3)) (mass 1))"), "offset is a quantity in rad"));
  EXPECT_TRUE(contains(mistake("(dhh 0 0 0 \"q\")"), "did you mean \"dh\""));
  EXPECT_TRUE(contains(mistake("(dh 0 0 \"q\" \"q\" (mass 1 1 1 1))"), "drives two frames"));
}

}  // namespace
}  // namespace polhode::format
