#include "polhode/tree/check_element.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

/// E = k q^4 / 4 on a coordinate, with forces that can be made wrong.
class Quartic final : public Potential {
 public:
  Quartic(int q, int u, double sign, double hessian, bool gives)
      : q_(q), u_(u), sign_(sign), hessian_(hessian), gives_(gives) {}
  double energy(const Configuration& c) const override { return 100 + std::pow(c.q[q_], 4) / 4; }
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.generalized[u_] -= sign_ * std::pow(c.q[q_], 3);
  }
  bool add_derivatives(const Configuration& c, ForceDerivatives& out) const override {
    if (gives_) out.add_by_displacement(u_, u_, hessian_ * c.q[q_] * c.q[q_]);
    return gives_;
  }

 private:
  int q_, u_;
  double sign_, hessian_;
  bool gives_;
};

/// A body is drawn to Ground's origin.
class Well final : public Potential {
 public:
  explicit Well(int body) : body_(body) {}
  double energy(const Configuration& c) const override { return 0.5 * dot(c.X_WB[body_].p, c.X_WB[body_].p); }
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.add_force_at(body_, c.X_WB[body_].p, -1.0 * c.X_WB[body_].p);
  }

 private:
  int body_;
};

/// -c q u on a coordinate.
class Friction final : public ForceElement {
 public:
  Friction(int q, int u, double by_speed) : q_(q), u_(u), by_speed_(by_speed) {}
  void add_forces(const Configuration& c, AppliedForces& out) const override { out.generalized[u_] -= 2 * c.q[q_] * c.u[u_]; }
  bool add_derivatives(const Configuration& c, ForceDerivatives& out) const override {
    out.add_by_displacement(u_, u_, -2 * c.u[u_]);
    out.add_by_speed(u_, u_, by_speed_ * c.q[q_]);
    return true;
  }

 private:
  int q_, u_;
  double by_speed_;
};

struct CheckElement : ::testing::Test {
  MechanismBuilder builder() {
    MechanismBuilder b;
    b.add_body({.name = "lever", .mass = MassProperties::sphere(1, 0.3)});
    b.add_joint({.name = "pin", .model = Revolute{}, .child = "lever", .placement = LocalPlacement{{}, at(0.5, 0, 0)}});
    return b.set_initial({"pin", 0.7});
  }
  Mechanism m = builder().build();
};

TEST_F(CheckElement, PassesRightOnes) {
  const ElementCheck with = check_derivatives(Quartic(0, 0, 1, -3, true), m);
  EXPECT_TRUE(with.passed) << with.text;
  EXPECT_TRUE(with.gives_derivatives);
  EXPECT_EQ(with.checks.size(), 2u);
  const ElementCheck without = check_derivatives(Quartic(0, 0, 1, -3, false), m);
  EXPECT_TRUE(without.passed) << without.text;
  EXPECT_FALSE(without.gives_derivatives);
  EXPECT_NE(without.text.find("gives none"), std::string::npos);
  EXPECT_TRUE(check_derivatives(Friction(0, 0, -2), m).passed);
}

TEST_F(CheckElement, FindsAForceOfTheWrongSign) {
  const ElementCheck check = check_derivatives(Quartic(0, 0, -1, 3, true), m);
  EXPECT_FALSE(check.passed);
  EXPECT_NEAR(check.checks[0].given, -check.checks[0].measured, 1e-9);
  EXPECT_NE(check.text.find("DIFFER"), std::string::npos);
  EXPECT_NE(check.text.find("\"pin'\""), std::string::npos) << check.text;
}

TEST_F(CheckElement, FindsAWrongHessian) {
  const ElementCheck check = check_derivatives(Quartic(0, 0, 1, -2, true), m);
  EXPECT_FALSE(check.passed);
  EXPECT_LT(check.checks[0].difference, 1e-9) << check.text;
  EXPECT_NEAR(check.checks[1].difference, 1.0 / 3, 1e-6);
}

TEST_F(CheckElement, FindsAWrongDerivativeBySpeed) {
  const ElementCheck check = check_derivatives(Friction(0, 0, -1), m);
  EXPECT_FALSE(check.passed);
  EXPECT_LT(check.checks[0].difference, 1e-9) << check.text;
  EXPECT_NEAR(check.checks[1].difference, 0.5, 1e-6);
}

TEST_F(CheckElement, SeesThroughEveryJoint) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    auto description = testing_support::random_description(seed);
    description.add_potential([](const Mechanism& mechanism) { return std::make_shared<Well>(mechanism.num_bodies() - 1); });
    const Mechanism mechanism = description.build();
    const auto checks = check_users_elements(mechanism, {.configurations = 5});
    ASSERT_EQ(checks.size(), 1u);
    EXPECT_TRUE(checks[0].passed) << checks[0].text;
  }
}

}  // namespace
}  // namespace polhode::tree
