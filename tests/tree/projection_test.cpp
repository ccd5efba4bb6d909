// Projection brings states back onto the constraints by the smallest change there is.
#include "polhode/tree/projection.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/tree/assemble.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::Random;

/// A spatial loop: two arms of ball and pin joints that meet in a ball joint, and a gear.
Mechanism closed_loop() {
  MechanismBuilder builder;
  const auto arm = [&](const std::string& name, const std::string& parent, const JointModel& model, const Vec3<double>& at,
                       const Vec3<double>& end) {
    builder.add_body({.name = name, .mass = MassProperties::box(1, {0.3, 0.1, 0.2}, {0.3, 0.1, 0})});
    builder.add_joint({.name = name,
                       .model = model,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{.X_PF = {Mat3<double>::identity(), at}, .X_BM = {}}});
    builder.add_frame({.name = name + " end", .body = name, .X_BF = {Mat3<double>::identity(), end}});
  };
  arm("a", "ground", Ball{}, {0, 0, 0}, {1, 0, 0});
  arm("b", "a", Revolute{}, {1, 0, 0}, {1, 0.2, 0.1});
  arm("c", "ground", Universal{}, {1, 1, 0}, {0.5, 0, 0});
  arm("d", "c", Revolute{}, {0.5, 0, 0}, {0.7, 0.4, 0});
  builder.add_constraint({"meet", CoincidentPointsSpec{"b end", "d end"}});
  builder.add_constraint({"again", WireSpec{"a end", "c end", 1.1}});
  return builder.build();
}

struct OnConstraints {
  Mechanism mechanism = closed_loop();
  State state{mechanism};
  Constraints constraints{mechanism};
  Workspace w{mechanism};
  Random random{7};

  OnConstraints() {
    for (int k = 0; k < mechanism.num_u(); ++k) state.set_u(k, random.uniform(-1, 1));
    EXPECT_TRUE(assemble(state).assembled);
  }
  std::vector<double> q() const { return {state.q().begin(), state.q().end()}; }
  std::vector<double> u() const { return {state.u().begin(), state.u().end()}; }
  Eigen::MatrixXd G(const std::vector<double>& at) {
    positions(w, at);
    std::vector<double> values(constraints.num_entries());
    constraints.jacobian(w, 0, at, values);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(constraints.num_rows(), mechanism.num_u());
    for (int i = 0; i < constraints.num_rows(); ++i)
      for (std::size_t k = 0; k < constraints.columns(i).size(); ++k)
        out(i, constraints.columns(i)[k]) = values[constraints.row_starts()[i] + k];
    return out;
  }
};

Eigen::VectorXd vector(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
}

// However much would be allowed: where rank is lost, what is left of an error decides which branch follows.
TEST(Projection, LeavesErrorsOfRoundingOnly) {
  OnConstraints at;
  Projection projection(at.constraints, at.state.drives());
  std::vector<double> q = at.q(), u = at.u();
  q[q.size() - 1] += 1e-6, u[0] += 1e-6;
  EXPECT_EQ(projection.positions(at.w, 0, q, 1e-3).corrections, 1);
  EXPECT_EQ(projection.velocities(at.w, 0, q, u, 1e-3).corrections, 1);
  std::vector<double> h(at.constraints.num_rows());
  positions(at.w, q);
  at.constraints.errors(at.w, 0, q, h);
  EXPECT_LT(vector(h).norm(), 1e-11);  // 1e-6 squared
  EXPECT_LT((at.G(q) * vector(u)).norm(), 1e-11);
}

TEST(Projection, MeetsPositionsAndVelocitiesAgain) {
  OnConstraints at;
  Projection projection(at.constraints, at.state.drives());
  std::vector<double> q = at.q(), u = at.u();
  q[q.size() - 1] += 0.03, q[q.size() - 2] -= 0.02;
  for (double& speed : u) speed += at.random.uniform(-0.1, 0.1);
  const auto positions_done = projection.positions(at.w, 0, q, 1e-12);
  const auto velocities_done = projection.velocities(at.w, 0, q, u, 1e-12);
  EXPECT_TRUE(positions_done.converged && velocities_done.converged);
  EXPECT_LE(positions_done.error, 1e-12);
  EXPECT_LT((at.G(q) * vector(u)).norm(), 1e-12);
}

// A heavy block and a light one whose places must agree: with W^2 = M their centre of mass stays, and so does their momentum.
TEST(Projection, LeavesMomentumAloneWhereInertiasAreGiven) {
  MechanismBuilder b;
  for (const auto& [name, mass] : {std::pair{"heavy", 8.0}, {"light", 0.5}}) {
    b.add_body({.name = name, .mass = MassProperties::particle(mass)});
    b.add_joint({.name = std::string(name) + " way", .model = Prismatic{}, .child = name});
  }
  b.add_constraint({.name = "glue", .model = CouplerSpec{{{"heavy way", 1}, {"light way", -1}}}});
  const Mechanism m = b.build();
  State state(m);
  Workspace w(m);
  const Constraints constraints(m);
  const std::vector<double> inertias{8, 0.5};
  Projection projection(constraints, state.drives(), {}, inertias);
  std::vector<double> q{0.1, 0.3}, u{2, -1};
  ASSERT_TRUE(projection.positions(w, 0, q, 1e-12).converged);
  ASSERT_TRUE(projection.velocities(w, 0, q, u, 1e-12).converged);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(q[std::size_t(k)], (8 * 0.1 + 0.5 * 0.3) / 8.5, 1e-14);
    EXPECT_NEAR(u[std::size_t(k)], (8 * 2 - 0.5 * 1) / 8.5, 1e-14);
  }
}

// The change lies in the span of W^-2 G^T: then no tangential part was added, so it is the smallest in the norm of W.
TEST(Projection, ChangesSpeedsByTheLeastInUnitChanges) {
  OnConstraints at;
  Scaling scaling;
  for (int k = 0; k < at.mechanism.num_u(); ++k) scaling.unit_changes.push_back(at.random.uniform(0.1, 3));
  Projection projection(at.constraints, at.state.drives(), scaling);
  std::vector<double> q = at.q(), u = at.u();
  for (double& speed : u) speed += at.random.uniform(-1, 1);
  const std::vector<double> before = u;
  ASSERT_TRUE(projection.positions(at.w, 0, q, 1e-9).converged);
  ASSERT_TRUE(projection.velocities(at.w, 0, q, u, 1e-12).converged);
  Eigen::VectorXd change = vector(u) - vector(before);
  ASSERT_GT(change.norm(), 0.1);
  for (int k = 0; k < change.size(); ++k) change[k] /= square(scaling.unit_changes[k]);
  const Eigen::MatrixXd tangent = at.G(q).fullPivLu().kernel();
  EXPECT_LT((tangent.transpose() * change).norm(), 1e-11 * change.norm() * tangent.norm());
}

TEST(Projection, DoesNotTouchWhatIsDriven) {
  OnConstraints at;
  at.state.lock(at.mechanism.joint("b"));
  at.state.lock(at.mechanism.joint("d"), Drive::velocity);
  Projection projection(at.constraints, at.state.drives());
  std::vector<double> q = at.q(), u = at.u();
  q[0] += 0.01;
  for (double& speed : u) speed += at.random.uniform(-0.1, 0.1);
  const std::vector<double> q_before = q, u_before = u;
  EXPECT_TRUE(projection.positions(at.w, 0, q, 1e-11).converged);
  EXPECT_TRUE(projection.velocities(at.w, 0, q, u, 1e-11).converged);
  const Joint &b = at.mechanism.joints()[at.mechanism.joint("b")], &d = at.mechanism.joints()[at.mechanism.joint("d")];
  EXPECT_EQ(q[b.first_q], q_before[b.first_q]);
  EXPECT_EQ(u[b.first_u], u_before[b.first_u]);
  EXPECT_EQ(u[d.first_u], u_before[d.first_u]);
  EXPECT_NE(q[d.first_q], q_before[d.first_q]);
}

TEST(Projection, TakesThePartAcrossTheConstraintsOutOfErrorEstimates) {
  OnConstraints at;
  Projection projection(at.constraints, at.state.drives());
  std::vector<double> q = at.q();
  ASSERT_TRUE(projection.positions(at.w, 0, q, 1e-9).converged);
  const Eigen::MatrixXd G = at.G(q), tangent = G.fullPivLu().kernel();
  std::vector<double> e(at.mechanism.num_u());
  for (double& x : e) x = at.random.uniform(-1, 1);
  const Eigen::VectorXd before = vector(e);
  projection.remove_normal_q(e);
  EXPECT_LT((G * vector(e)).norm(), 1e-12);
  EXPECT_LT((tangent.transpose() * (vector(e) - before)).norm(), 1e-12);
}

// Redundant and dependent rows, as planar loops of spatial hinges have them, are no obstacle.
TEST(Projection, ManagesRowsThatDependOnEachOther) {
  MechanismBuilder builder = closed_loop().description();
  builder.add_constraint({"once more", CoincidentPointsSpec{"b end", "d end"}});
  const Mechanism mechanism = builder.build();
  State state(mechanism);
  ASSERT_TRUE(assemble(state).assembled);
  const Constraints constraints(mechanism);
  Workspace w(mechanism);
  Projection projection(constraints, state.drives());
  std::vector<double> q(state.q().begin(), state.q().end());
  q[q.size() - 1] += 0.05;
  const auto done = projection.positions(w, 0, q, 1e-12);
  EXPECT_TRUE(done.converged);
  EXPECT_LE(done.error, 1e-12);
}

TEST(Projection, NamesTheWorstRowWhereItCannotBeDone) {
  MechanismBuilder builder = closed_loop().description();
  builder.add_constraint({"impossible", WireSpec{"a end", "c end", 5.0}});
  const Mechanism mechanism = builder.build();
  const Constraints constraints(mechanism);
  State state(mechanism);
  Workspace w(mechanism);
  Projection projection(constraints, state.drives());
  std::vector<double> q(state.q().begin(), state.q().end());
  const auto done = projection.positions(w, 0, q, 1e-9);
  EXPECT_FALSE(done.converged);
  ASSERT_GE(done.worst_row, 0);
  std::vector<double> h(std::size_t(constraints.num_rows()));
  positions(w, q);
  constraints.errors(w, 0, q, h);
  for (const double error : h) EXPECT_LE(std::abs(error), std::abs(h[std::size_t(done.worst_row)]));
}

TEST(Projection, DoesNotAllocate) {
  OnConstraints at;
  Projection projection(at.constraints, at.state.drives());
  std::vector<double> q = at.q(), u = at.u(), e = at.u();
  q[q.size() - 1] += 0.01;
  EXPECT_EQ(testing_support::allocations_in([&] {
              projection.positions(at.w, 0, q, 1e-9);
              projection.velocities(at.w, 0, q, u, 1e-9);
              projection.remove_normal_u(e);
            }),
            0);
}

}  // namespace
}  // namespace polhode::tree
