#include "polhode/study/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"

namespace polhode::study {
namespace {

/// Three unit links on ball joints with a marker beside each, so that every turn shows.
Mechanism arm() {
  MechanismBuilder builder;
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    const Transform<double> drawn = at(0, 0, -double(i - 1));
    builder.add_body({.name = name, .mass = MassProperties::box(1, {0.2, 0.3, 1}), .drawn_pose = drawn});
    builder.add_joint({.name = "ball" + std::to_string(i),
                       .model = i == 2 ? JointModel(Revolute{}) : JointModel(Ball{}),
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = DrawnPlacement{.at = drawn.p, .axis = Vec3<double>{0, 1, 0}}});
    builder.add_frame({.name = "m" + std::to_string(i), .body = name, .X_BF = at(0.2, 0.1, -0.5)});
    builder.add_frame({.name = "n" + std::to_string(i), .body = name, .X_BF = at(-0.1, 0.2, -1)});
  }
  return builder.build();
}

/// A motion with known coordinates, and where its markers are.
struct Recorded {
  MarkerTable table;
  std::vector<std::vector<double>> q;
};
Recorded record(const Mechanism& m, int samples) {
  Recorded out;
  for (int i = 1; i <= 3; ++i)
    for (const char* side : {"m", "n"}) out.table.markers.push_back({m.frame(side + std::to_string(i)), {}});
  State state(m);
  for (int i = 0; i < samples; ++i) {
    const double t = 0.01 * i;
    std::vector<double> q(state.q().begin(), state.q().end());
    const auto put = [&](int joint, const Vec3<double>& turn) {
      const Quaternion<double> a = exp_rotation(turn);
      const auto at = std::size_t(m.joints()[std::size_t(joint)].first_q);
      q[at] = a.w, q[at + 1] = a.x, q[at + 2] = a.y, q[at + 3] = a.z;
    };
    put(m.joint("ball1"), {0.8 * std::sin(3 * t), 0.5 * t, 0.3 * std::cos(2 * t)});
    put(m.joint("ball3"), {-0.5 * t, 0.9 * std::sin(t + 1), 0.2});
    q[std::size_t(m.joints()[std::size_t(m.joint("ball2"))].first_q)] = 1 + 0.5 * std::sin(4 * t);
    state.set_q(q);
    tree::realize(state, Stage::position);
    out.table.times.push_back(t);
    for (const auto& marker : out.table.markers) out.table.points.push_back(state.frame_pose(marker.frame).p);
    out.q.push_back(q);
  }
  return out;
}

TEST(InverseKinematics, RecoversTheMotionBehindMarkers) {
  const Mechanism m = arm();
  const Recorded recorded = record(m, 200);
  std::size_t i = 0;
  const auto summary = inverse_kinematics(State(m), recorded.table, {}, [&](const MarkerFit& fit) {
    // Quaternions may have the other sign; the markers are met to rounding, so coordinates are right to about its root.
    for (std::size_t k = 0; k < fit.q.size(); ++k) EXPECT_NEAR(std::abs(fit.q[k]), std::abs(recorded.q[i][k]), 1e-7) << i;
    ++i;
  });
  EXPECT_TRUE(summary.completed);
  EXPECT_EQ(summary.samples, 200);
  EXPECT_LT(summary.largest, 1e-8);
}

// Six markers on three bodies: one may be hidden for a while.
TEST(InverseKinematics, GoesOnWithoutAMarkerThatIsNotSeen) {
  const Mechanism m = arm();
  Recorded recorded = record(m, 60);
  const auto all = recorded.table.points;
  for (int i = 20; i < 40; ++i) recorded.table.points[std::size_t(6 * i + 2)] = {NAN, NAN, NAN};
  const auto summary = inverse_kinematics(State(m), recorded.table, {}, {});
  EXPECT_TRUE(summary.completed);
  EXPECT_LT(summary.largest, 1e-7);
}

// A marker that is 0.1 off along a locked arm stays 0.1 off.
TEST(InverseKinematics, TellsTheDistanceThatIsLeft) {
  const Mechanism m = arm();
  MarkerTable table;
  table.markers = {{m.frame("m1"), {}}};
  table.times = {0};
  table.points = {{0.2, 0.1, -0.6}};
  tree::AssemblerOptions options;
  options.locked.assign(std::size_t(m.num_u()), 1);
  const auto summary = inverse_kinematics(State(m), table, options, {});
  EXPECT_NEAR(summary.rms, 0.1, 1e-12);
  EXPECT_NEAR(summary.largest, 0.1, 1e-12);
}

}  // namespace
}  // namespace polhode::study
