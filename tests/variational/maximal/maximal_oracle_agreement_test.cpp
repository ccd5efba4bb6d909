// maximal-variational step by step against the dense, literal equations (tests/oracle/maximal_variational.h).
#include "polhode/variational/maximal/maximal_variational.h"
#include "tests/oracle/maximal_from_mechanism.h"
#include "tests/oracle/maximal_variational.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using oracle::maximal::from_mechanism;
using oracle::maximal::Motions;
using oracle::maximal::motions_of;

struct Case {
  std::string name;
  State start;
};
/// Trees and loops, pins and balls, redundant rows, offset centres of mass, things that spin.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* model : {"four_bar", "bricard", "four_bar_chain", "jet_pendulum", "dzhanibekov"}) {
    const Mechanism m = load(model);
    State start = tree::initial_state(m);
    EXPECT_TRUE(tree::assemble(start, tree::given_by_model(m)).assembled);
    all.push_back({model, start});
  }
  const Mechanism balls = rods(4, true).build();
  State whirl = tree::initial_state(balls);
  for (int i = 0; i < balls.num_u(); ++i) whirl.set_u(i, 0.5 * (i % 5) - 0.8);
  all.push_back({"chain of balls", whirl});
  return all;
}

double difference(const Motions& a, const Motions& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double sign = a[i].q.dot(b[i].q) < 0 ? -1 : 1;
    most = std::max({most, (a[i].x - b[i].x).norm(), (a[i].q - sign * b[i].q).norm()});
  }
  return most;
}
double difference_of_velocities(const Motions& a, const Motions& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max({most, (a[i].v - b[i].v).norm(), (a[i].omega - b[i].omega).norm()});
  return most;
}

constexpr int steps = 20;
constexpr double h = 0.004;

// Newton's tolerance is 1e-12 and twenty steps add up; a velocity's error is a place's over h.
TEST(MaximalAgreement, OrderTwoIsTheDenseRattle) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Mechanism& m = c.start.mechanism();
    const auto system = from_mechanism(m);
    Motions expected = motions_of(m, c.start.q(), c.start.u());
    MaximalVariational stepper(m, {.step = h});
    stepper.set(c.start);
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(oracle::maximal::second_order_step(system, h, expected, oracle::maximal::TurnRule::exponential).converged);
      ASSERT_TRUE(stepper.step(1).ok());
    }
    const State end = reached(stepper, m);
    EXPECT_NEAR(end.time(), steps * h, 1e-15);
    EXPECT_LT(difference(motions_of(m, end.q(), end.u()), expected), 1e-10);
    EXPECT_LT(difference_of_velocities(motions_of(m, end.q(), end.u()), expected), 1e-7);
  }
}

TEST(MaximalAgreement, OrderOneIsTheIntegratorOfBruedigamAndManchester) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Mechanism& m = c.start.mechanism();
    const auto system = from_mechanism(m);
    Motions expected = motions_of(m, c.start.q(), c.start.u());
    MaximalVariational stepper(m, {.step = h, .order = 1});
    stepper.set(c.start);
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(oracle::maximal::first_order_step(system, h, expected).converged);
      ASSERT_TRUE(stepper.step(1).ok());
    }
    const State end = reached(stepper, m);
    EXPECT_LT(difference(motions_of(m, end.q(), end.u()), expected), 1e-10);
  }
}

}  // namespace
}  // namespace polhode::variational
