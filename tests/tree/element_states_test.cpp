#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/state/stepper.h"
#include "polhode/tree/applied_forces.h"
#include "tests/support/allocation_counter.h"

namespace polhode::tree {
namespace {

/// A motor whose torque z lags behind what is asked for: dz/dt = (gain * asked - z) / T, where asked is a discrete variable.
class Motor : public ForceElement {
 public:
  Motor(int u, std::string name, double z0) : u_(u), name_(std::move(name)), z0_(z0) {}
  void add_forces(const Configuration& c, AppliedForces& forces) const override { forces.generalized[u_] += c.z[0]; }
  std::vector<double> initial_z() const override { return {z0_, 7}; }
  std::vector<std::string> z_names() const override { return {name_ + " torque", name_ + " heat"}; }
  std::vector<double> initial_discrete() const override { return {1}; }
  std::vector<std::string> discrete_names() const override { return {name_ + " asked"}; }
  void z_rates(const Configuration& c, std::span<double> z_dot) const override {
    z_dot[0] = (3 * c.discrete[0] - c.z[0]) / 0.5;
    z_dot[1] = c.z[0] * c.u[std::size_t(u_)] + c.t;
  }

 private:
  int u_;
  std::string name_;
  double z0_;
};
/// An element without states of its own must not see those of others.
class Plain : public ForceElement {
 public:
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    forces.generalized[0] += 1000.0 * double(c.z.size() + c.discrete.size());
  }
};

MechanismBuilder two_motors(const std::string& second = "right") {
  MechanismBuilder builder;
  const MassProperties ball = MassProperties::sphere(1, 0.1);
  builder.add_body({.name = "a", .mass = ball}).add_body({.name = "b", .mass = ball});
  builder.add_joint({.name = "p", .model = Revolute{}, .child = "a"});
  builder.add_joint({.name = "q", .model = Revolute{}, .parent = "a", .child = "b"});
  builder.add_discrete({"mode", 9});
  builder.add_force_element([](const Mechanism& m) { return std::make_shared<Motor>(m.speed("p'"), "left", 2); });
  builder.add_force_element([](const Mechanism&) { return std::make_shared<Plain>(); });
  builder.add_force_element([=](const Mechanism& m) { return std::make_shared<Motor>(m.speed("q'"), second, 5); });
  return builder;
}

TEST(ElementStates, AreNamedInTheMechanismAndStartInTheState) {
  const Mechanism m = two_motors().build();
  EXPECT_EQ(m.z_names(), (std::vector<std::string>{"left torque", "left heat", "right torque", "right heat"}));
  EXPECT_EQ(m.initial_z(), (std::vector<double>{2, 7, 5, 7}));
  const State state(m);
  EXPECT_EQ(state.discrete()[std::size_t(m.discrete_variable("mode"))], 9);
  EXPECT_EQ(state.discrete()[std::size_t(m.discrete_variable("right asked"))], 1);
  EXPECT_EQ(state.z().size(), 4u);
}

class Motors : public ::testing::Test {
 protected:
  Mechanism m = two_motors().build();
  Workspace w{m};
  std::vector<double> q{0.1, 0.2}, u{10, 20}, z{-1, 0, 4, 0}, discrete{0, 2, 6}, tau{0, 0}, z_dot{9, 9, 9, 9};
  std::vector<Wrench<double>> wrenches = std::vector<Wrench<double>>(3);
  void SetUp() override {
    kinematics(w, q, u);
    read_bodies(w);
  }
};

TEST_F(Motors, EachSeesItsOwnStates) {
  add_applied_forces(w, {0, {}, z, discrete}, q, u, tau, wrenches);
  EXPECT_EQ(tau, (std::vector<double>{-1, 4}));
  z_rates(w, {100, {}, z, discrete}, q, u, z_dot);
  EXPECT_EQ(z_dot, (std::vector<double>{(6 + 1) / 0.5, -1 * 10 + 100, (18 - 4) / 0.5, 4 * 20 + 100}));
}

TEST_F(Motors, StatesThatAreNotGivenAreTheInitialOnes) {
  add_all_forces(w, {0}, q, u, tau);
  EXPECT_EQ(tau, (std::vector<double>{2, 5}));
}

TEST_F(Motors, WrongNumbersOfStatesAreRefused) {
  z.pop_back();
  EXPECT_THROW(add_applied_forces(w, {0, {}, z, discrete}, q, u, tau, wrenches), std::invalid_argument);
  EXPECT_THROW(z_rates(w, {0}, q, u, std::span(z_dot).first(3)), std::invalid_argument);
}

TEST_F(Motors, NothingIsAllocated) {
  EXPECT_EQ(testing_support::allocations_in([&] {
              add_all_forces(w, {0, {}, z, discrete}, q, u, tau);
              z_rates(w, {0, {}, z, discrete}, q, u, z_dot);
              accelerations_under_all_forces(w, {0, {}, z, discrete}, q, u, tau, u);
            }),
            0);
}

TEST_F(Motors, MethodsWithoutAuxiliaryStatesRefuseThemByName) {
  EXPECT_NO_THROW(require_supported(m, {.auxiliary = true}, "any"));
  try {
    require_supported(m, {}, "some-method");
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("auxiliary state \"left torque\""), std::string::npos) << error.what();
  }
}

std::string refusal_of(const MechanismBuilder& builder) {
  try {
    builder.build();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(ElementStates, NamesAreUnique) {
  EXPECT_NE(refusal_of(two_motors("left")).find("auxiliary state \"left torque\" is already defined"), std::string::npos);
}

class Misnamed : public Plain {
 public:
  std::vector<double> initial_z() const override { return {1, 2}; }
  std::vector<std::string> z_names() const override { return {"one"}; }
};
TEST(ElementStates, NamesFitTheNumberOfStates) {
  MechanismBuilder builder = two_motors();
  builder.add_force_element([](const Mechanism&) { return std::make_shared<Misnamed>(); });
  EXPECT_NE(refusal_of(builder).find("it names 1 auxiliary states, but has initial values for 2"), std::string::npos);
}

class Unnamed : public Plain {
 public:
  std::vector<double> initial_z() const override { return {1, 2}; }
};
TEST(ElementStates, WithoutNamesGetNumbers) {
  MechanismBuilder builder = two_motors();
  builder.add_force_element([](const Mechanism&) { return std::make_shared<Unnamed>(); });
  const Mechanism m = builder.build();
  EXPECT_EQ(m.z_names()[4], "z5");
  EXPECT_EQ(m.z_names()[5], "z6");
}

}  // namespace
}  // namespace polhode::tree
