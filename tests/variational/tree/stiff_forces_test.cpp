#include "polhode/variational/tree/stiff_forces.h"

#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"

namespace polhode::variational {
namespace {

struct Counter : ForceScratch {
  int calls = 0;
};

/// A spring on coordinate 0 whose stiffness is an auxiliary state times a discrete variable; it keeps something, too.
class LivingSpring : public ForceElement {
 public:
  explicit LivingSpring(std::string name) : name_(std::move(name)) {}
  std::vector<double> initial_z() const override { return {100}; }
  std::vector<std::string> z_names() const override { return {name_ + " stiffness"}; }
  std::vector<double> initial_discrete() const override { return {1}; }
  std::vector<std::string> discrete_names() const override { return {name_ + " factor"}; }
  std::unique_ptr<ForceScratch> make_scratch() const override { return std::make_unique<Counter>(); }
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    forces.generalized[0] -= c.z[0] * c.discrete[0] * c.q[0];
  }
  bool add_derivatives(const Configuration& c, ForceDerivatives& out) const override {
    if (c.z.size() != 1 || c.discrete.size() != 1 || c.scratch == nullptr) {
      ADD_FAILURE() << "the element sees " << c.z.size() << " states, " << c.discrete.size() << " discrete variables";
      return true;
    }
    ++static_cast<Counter*>(c.scratch)->calls;
    out.add_by_displacement(0, 0, -c.z[0] * c.discrete[0]);
    return true;
  }

 private:
  std::string name_;
};

// Elements are shown their own states and memory where they give derivatives, as they are where they give forces.
TEST(StiffForces, ShowUsersElementsTheirStates) {
  MechanismBuilder builder;
  builder.add_body({.name = "a", .mass = MassProperties::sphere(1, 0.1)});
  builder.add_joint({.name = "p", .model = Revolute{}, .child = "a"});
  for (const char* name : {"one", "other"})
    builder.add_force_element([=](const Mechanism&) { return std::make_shared<LivingSpring>(name); });
  const Mechanism m = builder.build();
  StiffForces stiff(m, 0.01);
  ASSERT_EQ(stiff.num_rows(), 1);

  tree::Workspace w(m);
  const std::vector<double> q{0.3}, u{0}, z{5, 7}, discrete{3, 2};
  std::vector<double> right(1), left(1);
  stiff.evaluate(w, {0, {}, z, discrete}, q, u, 1, 1, 1, right, left);
  EXPECT_EQ(right[0] * left[0], 5 * 3 + 7 * 2);
}

}  // namespace
}  // namespace polhode::variational
