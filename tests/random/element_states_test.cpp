// Random mechanisms with force elements that have states of their own: every method must find the same motion.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/study/method_registry.h"
#include "tests/support/method_trial.h"
#include "tests/support/random_classes.h"
#include "tests/support/random_start.h"

namespace polhode::testing_support {
namespace {

/// An actuator between two frames. Its first state is the pull, which lags behind what the second asks for; the second adds up
/// how fast the frames part and forgets it. Both motion and the states of others come in through what they pull.
class Actuator : public ForceElement {
 public:
  struct Law {
    double strength, lag, memory;
  };
  Actuator(int speed, Law law) : u_(std::size_t(speed)), law_(law) {}
  std::vector<double> initial_z() const override { return {0.2, -0.1}; }
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    forces.generalized[u_] -= law_.strength * std::tanh(c.z[0]);
    forces.add_torque(c.mechanism.num_bodies() - 1, Vec3<double>{0, 0, -0.1 * law_.strength * c.z[1]});
  }
  void z_rates(const Configuration& c, std::span<double> z_dot) const override {
    z_dot[0] = (c.u[u_] + c.z[1] - c.z[0]) / law_.lag;
    z_dot[1] = c.u[u_] + std::sin(c.X_WB.back().p.x) - c.z[1] / law_.memory;
  }

 private:
  std::size_t u_;
  Law law_;
};

void add_actuators(Sketch& sketch) {
  const int count = 1 + sketch.random.index(3);
  for (int i = 0; i < count; ++i) {
    const int at = sketch.random.index(1000);
    const Actuator::Law law{0.3 * sketch.random.uniform(0.5, 2), 0.1 * sketch.random.uniform(0.5, 2),
                            sketch.random.uniform(0.3, 1)};
    sketch.builder.add_force_element([=](const Mechanism& m) { return std::make_shared<Actuator>(at % m.num_u(), law); });
  }
}

class RandomElementStates : public testing::TestWithParam<MechanismClass> {};

// A method's error is known from two runs of it, by an order of magnitude; the floor is that of tests/support/random_verdict.
TEST_P(RandomElementStates, MoveAlikeByAllMethods) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Sketch sketch(random);
    GetParam().draw(sketch);
    add_actuators(sketch);
    const State start = drawn_start(sketch);
    const Measure measure = measure_of(start);
    std::vector<Trial> trials;
    for (const std::string& method : study::method_names()) {
      trials.push_back(try_method(start, method, sketch.time, measure));
      EXPECT_TRUE(trials.back().ran()) << method << ": " << trials.back().refused << trials.back().failure;
    }
    for (std::size_t b = 1; b < trials.size(); ++b)
      EXPECT_LE(distance(start.mechanism(), trials[0].poses, trials[b].poses, measure),
                10 * (trials[0].error + trials[b].error) + 1e-7)
          << trials[0].method << " and " << trials[b].method;
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, RandomElementStates,
                         testing::Values(MechanismClass{"trees", draw_tree},
                                         MechanismClass{"floating_trees", draw_floating_tree},
                                         MechanismClass{"planar_loops", draw_planar_loop}, MechanismClass{"rods", draw_rods}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace polhode::testing_support
