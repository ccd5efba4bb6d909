// Which constraints are active is a mask: switching them plans and allocates nothing, and leaves nothing of what was before.
#include <gtest/gtest.h>

#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/projection.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::allocations_in;
using testing_support::ConstrainedMechanism;
using testing_support::random_constrained;
using Vector = std::vector<double>;
using Mask = std::vector<char>;

constexpr double t = 0.3;

Mask mask_of(const Mechanism& m, unsigned pattern) {
  Mask mask(std::size_t(m.num_constraint_elements()));
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = pattern == 0 || (i * 2654435761u + pattern * 40503u) % 7 % 3 != 0;
  return mask;
}

/// All that a Constraints says of a moving mechanism, and how it names and numbers its rows.
struct Answers {
  std::vector<int> starts, columns, elements;
  std::vector<std::string> names;
  Vector h, G, rates, gaps, e, b, Gu, tau;

  Answers(const Constraints& constraints, const ConstrainedMechanism& c) {
    Workspace w(c.mechanism);
    const std::size_t m = std::size_t(constraints.num_rows());
    starts.assign(constraints.row_starts().begin(), constraints.row_starts().end());
    columns.assign(constraints.columns().begin(), constraints.columns().end());
    for (int row = 0; row < constraints.num_rows(); ++row) {
      elements.push_back(constraints.element(row));
      names.push_back(constraints.row_name(row));
    }
    for (Vector* by_row : {&h, &rates, &gaps, &e, &b, &Gu}) by_row->resize(m);
    G.resize(std::size_t(constraints.num_entries()));
    tau.resize(c.s.u.size());
    kinematics(w, c.s.q, c.s.u);
    constraints.errors_and_jacobian(w, t, c.s.q, h, G);
    constraints.rates(w, t, c.s.q, rates);
    constraints.gaps(w, gaps);
    constraints.velocity_errors(w, t, c.s.q, c.s.u, e);
    constraints.acceleration_bias(w, t, c.s.q, c.s.u, b);
    constraints.apply(w, t, c.s.q, c.s.u, Gu);
    constraints.apply_transpose(w, t, c.s.q, Gu, tau);
  }
  bool operator==(const Answers&) const = default;
};

TEST(ConstraintMask, GivesTheRowsOfConstraintsThatWereMadeWithIt) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const ConstrainedMechanism c = random_constrained(seed, {.floating = seed % 3 == 0});
    Constraints switched(c.mechanism);
    for (const unsigned pattern : {3u, 0u, 5u, 8u, 0u, 3u}) {
      const Mask mask = mask_of(c.mechanism, pattern);
      switched.set_active(mask);
      EXPECT_TRUE(Answers(switched, c) == Answers(Constraints(c.mechanism, mask), c))
          << "seed " << seed << ", mask " << pattern;
    }
  }
}

TEST(ConstraintMask, OfNothingLeavesNoRows) {
  const ConstrainedMechanism c = random_constrained(1, {});
  Constraints constraints(c.mechanism);
  EXPECT_EQ(constraints.num_rows(), constraints.max_rows());
  EXPECT_EQ(constraints.num_entries(), constraints.max_entries());
  EXPECT_TRUE(constraints.set_active(Mask(std::size_t(c.mechanism.num_constraint_elements()))));
  EXPECT_EQ(constraints.num_rows(), 0);
  EXPECT_EQ(constraints.num_entries(), 0);
  EXPECT_FALSE(constraints.set_active(Mask(std::size_t(c.mechanism.num_constraint_elements()))));
  EXPECT_THROW(constraints.set_active(Mask(3)), std::invalid_argument);
}

TEST(ConstraintMask, IsChangedWithoutAllocation) {
  const ConstrainedMechanism c = random_constrained(2, {.floating = true});
  const Mask few = mask_of(c.mechanism, 5), others = mask_of(c.mechanism, 8), all = mask_of(c.mechanism, 0);
  Constraints constraints(c.mechanism, few);
  EXPECT_EQ(allocations_in([&] {
              for (const Mask* mask : {&all, &few, &others, &all}) constraints.set_active(*mask);
            }),
            0);
}

TEST(ConstraintMask, AndLocksChangeDynamicsWithoutAllocation) {
  const ConstrainedMechanism c = random_constrained(2, {.floating = true});
  State plain(c.mechanism), changed(c.mechanism);
  plain.set_q(c.s.q);
  changed.set_q(c.s.q);
  for (int element = 0; element < c.mechanism.num_constraint_elements(); element += 2) changed.disable(element);
  changed.lock(2);
  changed.lock(5, Drive::velocity);
  changed.set_applied_force(1, 2.5);

  ConstrainedDynamics dynamics(plain);
  Projection projection(dynamics.constraints(), plain.drives());
  const auto set = [&](const State& state) {
    dynamics.set(state);
    projection.set(state.drives());
  };
  EXPECT_EQ(allocations_in([&] {
              set(changed);
              set(plain);
              set(changed);
            }),
            0);
  const auto accelerations = [&](ConstrainedDynamics& of) {
    Workspace w(c.mechanism);
    Vector u_dot(c.s.u.size()), none(changed.z().begin(), changed.z().end());
    of.evaluate(w, t, c.s.q, c.s.u, changed.z(), u_dot, none);
    return u_dot;
  };
  ConstrainedDynamics fresh(changed);
  EXPECT_EQ(accelerations(dynamics), accelerations(fresh));
}

}  // namespace
}  // namespace polhode::tree
