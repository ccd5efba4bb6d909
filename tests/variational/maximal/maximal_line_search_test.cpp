// The line search of Bruedigam & Manchester, section 4.2: the residual decreases with every correction that is kept.
#include "polhode/maximal/tree_map.h"
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// Rods on pins or balls; every other one is heavier by a factor.
Mechanism uneven_chain(int links, bool ball, double ratio) {
  MechanismBuilder builder;
  for (int i = 0; i < links; ++i) {
    const double m = i % 2 == 1 ? ratio : 1;
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = {m, {0, 0, -0.5}, SymMat3<double>::diagonal({m / 12, m / 12, 0.01 * m})}});
    builder.add_joint({.name = "joint" + std::to_string(i),
                       .model = ball ? JointModel(Ball{}) : JointModel(Revolute{}),
                       .parent = i == 0 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = LocalPlacement{at(0, 0, i == 0 ? 0.0 : -1.0), {}}});
  }
  return builder.build();
}

struct Tally {
  int solved = 0, failed = 0, corrections = 0, increases = 0;
};

/// Solves one step from guesses that would turn and move every body by up to `off` [rad], [m] in it.
void solve_from_far_off(const State& start, double off, unsigned seed, Care care, Tally& tally) {
  const double h = 0.01, tolerance = 1e-9;
  const Mechanism& m = start.mechanism();
  MaximalStep step(m, {}, TurnRule::exponential, tolerance, h);
  maximal::Bodies here(std::size_t(m.num_bodies()));
  step.constraints().tree_map().to_bodies(start.q(), start.u(), here);
  std::vector<double> momenta(here.size() * maximal::row_width), impulses(std::size_t(step.constraints().num_rows()), 0.0);
  for (std::size_t b = 1; b < here.size(); ++b) {
    const MassProperties& mass = m.bodies()[b].mass;
    const Vec3<double> spin = mass.inertia * here[b].w, push = mass.mass * here[b].v;
    const double six[] = {spin.x, spin.y, spin.z, push.x, push.y, push.z};
    std::copy_n(six, 6, momenta.begin() + long(b) * maximal::row_width);
  }
  maximal::Bodies next = here;
  testing_support::Random random(seed);
  for (maximal::BodyMotion& body : next) {
    const std::vector<double> x = random.vector(6, off / h);
    body.w += Vec3<double>{x[0], x[1], x[2]};
    body.v += Vec3<double>{x[3], x[4], x[5]};
  }
  step.start(0, here, start.q());
  const MaximalReport report = step.solve(h, 0.5, momenta, next, impulses, care);
  ++(report.ok() ? tally.solved : tally.failed);
  const auto errors = step.history();
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) {
    ++tally.corrections;
    tally.increases += !(errors[i + 1] < errors[i] || errors[i + 1] <= tolerance);
  }
}

// Guesses up to 0.8 rad and 0.8 m off in a step of 10 ms, and neighbours a million times as heavy.
TEST(MaximalLineSearch, KeepsNoCorrectionThatDoesNotBringTheErrorDown) {
  Tally tally;
  for (const bool ball : {false, true})
    for (const double ratio : {1.0, 1e6})
      for (const double off : {0.01, 0.2, 0.8})
        for (unsigned seed = 1; seed <= 10; ++seed)
          for (const Care care : {Care::ordinary, Care::careful}) {
            const Mechanism mechanism = uneven_chain(6, ball, ratio);
            const auto drawn = testing_support::random_state(mechanism, seed);
            solve_from_far_off(state_of(mechanism, drawn.q, drawn.u), off, seed, care, tally);
          }
  EXPECT_EQ(tally.increases, 0) << "of " << tally.corrections;
  EXPECT_GT(tally.corrections, 500);
  EXPECT_GT(tally.solved, tally.failed);
}

// The same of loops, which meet their redundant rows only to the digits that they were written with.
TEST(MaximalLineSearch, HoldsWithRedundantRows) {
  Tally tally;
  for (const char* model : {"bricard", "four_bar", "closed_chain_device", "spatial_slider_crank", "slider_crank"})
    for (const double off : {0.01, 0.2})
      for (unsigned seed = 1; seed <= 5; ++seed) solve_from_far_off(assembled(model), off, seed, Care::ordinary, tally);
  EXPECT_EQ(tally.increases, 0) << "of " << tally.corrections;
  EXPECT_GT(tally.corrections, 100);
}

}  // namespace
}  // namespace polhode::variational
