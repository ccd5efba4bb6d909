// Mechanisms of the literature, at their starts: counts, closed loops, and published numbers.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/format/language/model.h"
#include "polhode/study/inspect.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::study {
namespace {

Mechanism load(const std::string& name) { return format::load_model(testing_support::model_path(name)).mechanism; }

/// The start with the constraint Jacobian written out.
struct Start {
  explicit Start(const Mechanism& m)
      : state(tree::initial_state(m)),
        w(m),
        constraints(m),
        G(Eigen::MatrixXd::Zero(constraints.num_rows(), m.num_u())),
        h(constraints.num_rows()) {
    tree::realize(state, w, Stage::acceleration);
    tree::kinematics(w, state.q(), state.u());
    std::vector<double> values(constraints.num_entries());
    constraints.errors_and_jacobian(w, 0, state.q(), {h.data(), std::size_t(h.size())}, values);
    for (int i = 0; i < constraints.num_rows(); ++i)
      for (std::size_t k = 0; k < constraints.columns(i).size(); ++k)
        G(i, constraints.columns(i)[k]) = values[constraints.row_starts()[i] + k];
  }
  Eigen::VectorXd u() const { return Eigen::Map<const Eigen::VectorXd>(state.u().data(), Eigen::Index(state.u().size())); }

  State state;
  tree::Workspace w;
  tree::Constraints constraints;
  Eigen::MatrixXd G;
  Eigen::VectorXd h;
};

struct Count {
  const char* model;
  int bodies, loop_joints, rows, redundant, freedoms;
};
// A loop of planar pins has five equations, of which three only say that a plane is a plane. Bricard's linkage: Gruebler
// counts none, it has one.
const Count counts[] = {{"scissor_lift", 11, 0, 10, 0, 1},   {"andrews", 7, 0, 6, 0, 1},
                        {"four_bars", 5, 2, 10, 6, 1},       {"bricard", 5, 1, 5, 1, 1},
                        {"slider_crank", 3, 1, 5, 3, 1},     {"spatial_slider_crank", 3, 1, 4, 0, 1},
                        {"jet_quadrangle", 3, 1, 4, 0, 1},   {"jet_crank", 3, 1, 3, 0, 1},
                        {"four_bar_chain", 12, 3, 15, 9, 6}, {"minitaur", 17, 0, 8, 0, 14}};

TEST(ConstrainedModels, HaveTheCountsOfTheirMechanisms) {
  for (const Count& c : counts) {
    SCOPED_TRACE(c.model);
    const Inspection r = inspect(State(load(c.model)));
    EXPECT_EQ(r.bodies, c.bodies);
    EXPECT_EQ(r.loop_joints, c.loop_joints);
    EXPECT_EQ(r.rows.size(), std::size_t(c.rows));
    EXPECT_EQ(r.redundant_rows(), c.redundant);
    EXPECT_EQ(r.degrees_of_freedom, c.freedoms);
  }
}

// Lengths of order one (millimetres for the squeezer), a few roundings each; speeds of up to 6 rad/s with published digits.
TEST(ConstrainedModels, StartClosedAndMovingAsTheirConstraintsAllow) {
  for (const char* model : {"scissor_lift", "andrews", "four_bars", "bricard", "spatial_slider_crank"}) {
    const Start start(load(model));
    EXPECT_LT(start.h.cwiseAbs().maxCoeff(), 1e-14) << model;
    EXPECT_LT((start.G * start.u()).cwiseAbs().maxCoeff(), 1e-14) << model;
  }
}

// Numbers of validation: 0.24 m/s of the slider, the rod's velocity and spin, from the crank's 6 rad/s alone.
TEST(ConstrainedModels, SpatialSliderCrankHasThePublishedVelocities) {
  const Start start(load("spatial_slider_crank"));
  const Mechanism& m = start.state.mechanism();
  // One freedom: all speeds are the null vector of G, scaled to the crank's.
  const Eigen::VectorXd null = start.G.fullPivLu().kernel().col(0);
  State moved = start.state;
  const Eigen::VectorXd u = (6 / null[m.speed("main'")]) * null;
  moved.set_u({u.data(), std::size_t(u.size())});
  tree::Workspace w(m);
  tree::realize(moved, w, Stage::velocity);
  EXPECT_NEAR(u[m.speed("guide'")], 0.24, 1e-14);
  EXPECT_LT(norm(moved.velocity(m.body("rod")).angular - Vec3<double>{1.92, -0.96, 0.48}), 1e-13);
  EXPECT_LT(norm(moved.velocity(m.body("rod")).linear - Vec3<double>{0.12, -0.24, 0}), 1e-14);
  EXPECT_LT(norm(moved.pose(m.body("slider")).p - Vec3<double>{0.2, 0, 0}), 1e-15);
}

// V = -m g L n^2 sin(theta), the one-degree Lagrangian's potential.
TEST(ConstrainedModels, ScissorLiftHangsAsItsOneDegreeLagrangianSays) {
  const Start start(load("scissor_lift"));
  EXPECT_NEAR(start.state.potential_energy(), -9.81 * 25 * std::sin(0.05 * 3.14159265358979323846), 1e-13);
}

}  // namespace
}  // namespace polhode::study
