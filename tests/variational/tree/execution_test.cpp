// How steps run: without allocation, the same in every thread, the same on every instruction set but for rounding.
#include <cstring>
#include <new>
#include <thread>

#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {

// Defined in src/polhode/variational/tree/kernels/kernels_*.cpp; the library itself offers only the fastest.
NewtonKernels newton_kernels_portable();
NewtonKernels newton_kernels_avx2();
NewtonKernels newton_kernels_avx512();

namespace {

using testing_support::allocations_in;
using testing_support::near;
using testing_support::Random;

long allocations_of_steps(TreeVariational& stepper, int steps) {
  return allocations_in([&] {
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper.step(1e9);
      if (!report.ok()) throw std::runtime_error("a step failed");
    }
  });
}

TEST(Allocation, DoesNotHappenInStepsOfTrees) {
  const Mechanism mechanism = testing_support::random_mechanism(2, without_lines({.forces = true}));
  for (const int order : {2, 4, 6}) {
    TreeVariational stepper = started(random_start(mechanism, 2), {.step = 0.002, .order = order});
    EXPECT_EQ(allocations_of_steps(stepper, 10), 0) << "order " << order;
    State state(mechanism);
    EXPECT_EQ(allocations_in([&] { stepper.get(state), stepper.interpolate(stepper.time() - 0.001, state); }), 0);
  }
}

TEST(Allocation, DoesNotHappenWithConstraints) {
  for (const char* model : {"bricard", "spatial_slider_crank", "four_bars", "closed_chain_device", "andrews"}) {
    State start = tree::initial_state(load(model));
    ASSERT_TRUE(tree::assemble(start).assembled);
    TreeVariational stepper = started(start, {.step = 1e-4});
    EXPECT_EQ(allocations_of_steps(stepper, 10), 0) << model;
    State state(start.mechanism());
    EXPECT_EQ(allocations_in([&] { stepper.get(state); }), 0) << model;
  }
}

TEST(Allocation, DoesNotHappenWithKinematicCoordinates) {
  MechanismBuilder builder = rods(5, true);
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint({.name = "cart", .model = Prismatic{}, .child = "cart", .placement = LocalPlacement{at(2, 1, 0), {}}});
  builder.add_kinematic({.coordinate = "cart", .signal = Signal::samples({0, 1, 2}, {0, 0.2, 0.1})});
  builder.add_frame({.name = "tip", .body = "link5", .X_BF = at(0, 0, -1)});
  builder.add_constraint({"", WireSpec{"cart", "tip", 4.5}});
  State start = tree::initial_state(builder.build());
  ASSERT_TRUE(tree::assemble(start).assembled);
  TreeVariational stepper = started(start, {.step = 0.005});
  EXPECT_EQ(allocations_of_steps(stepper, 20), 0);
}

TEST(Allocation, DoesNotHappenInStepsThatAreHalved) {
  const Mechanism mechanism = rods(30, false, 0.5 * pi).build();
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.01});
  EXPECT_EQ(allocations_of_steps(stepper, 1000), 0);
  EXPECT_GT(stepper.statistics().halved, 0);
}

TEST(Allocation, DoesNotHappenInStepsThatFail) {
  MechanismBuilder builder = rods(1);
  builder.add_frame({.name = "tip", .body = "link1", .X_BF = at(0, 0, -1)});
  builder.add_constraint({"", WireSpec{"ground", "tip", 1.5}});  // the tip is 1 m away, always
  TreeVariational stepper(builder.build(), {.step = 0.01});
  StepReport report;
  EXPECT_EQ(allocations_in([&] { report = stepper.step(1); }), 0);
  EXPECT_FALSE(report.ok());
}

TEST(Threads, GiveTheSameBits) {
  const Mechanism mechanism = testing_support::random_mechanism(3, without_lines({.forces = true}));
  const State start = random_start(mechanism, 3);
  std::vector<double> ends[3];
  const auto work = [&](int i) {
    TreeVariational stepper = started(start, {.step = 0.002});
    for (int k = 0; k < 50; ++k) stepper.step(1e9);
    ends[i].assign(stepper.q().begin(), stepper.q().end());
    ends[i].insert(ends[i].end(), stepper.momenta().begin(), stepper.momenta().end());
  };
  std::thread first(work, 0), second(work, 1);
  first.join(), second.join();
  work(2);
  EXPECT_EQ(ends[0], ends[2]);
  EXPECT_EQ(ends[1], ends[2]);
}

std::vector<NewtonKernels> available() {
  std::vector<NewtonKernels> found{newton_kernels_portable()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(newton_kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    found.push_back(newton_kernels_avx512());
#endif
  return found;
}

/// Everything that the sweeps give at one midpoint.
struct Sweeps {
  Sweeps(const NewtonKernels& kernels, const Mechanism& mechanism, unsigned seed) {
    const DiscreteTree tree(mechanism);
    const auto s = testing_support::random_state(mechanism, seed);
    const std::size_t n = std::size_t(tree.num_u()), columns = 11;  // more than one pack of any width, and not a multiple
    const double h = 0.01, alpha = 0.4;
    std::vector<double> q_mid(n + 8), rate(n + 8), stiffness = Random(seed).vector(int(n), 1e-3);
    std::vector<GeneralMotion> general(tree.general().size());
    std::vector<Turning> turning(general.size());
    for (std::size_t u = 0; u < n; ++u) {
      rate[u] = s.u[u];
      if (const int q = tree.coordinate_of_speed()[u]; q >= 0) q_mid[u] = s.q[std::size_t(q)];
    }
    std::vector<double> theta(n);
    for (std::size_t u = 0; u < n; ++u) theta[u] = h * s.u[u];
    for (std::size_t g = 0; g < general.size(); ++g) {
      turning[g].start(tree.general()[g], s.q.data());
      turning[g].move(theta.data() + tree.general()[g].first_u, h, alpha, general[g]);
    }
    const StepData data{tree.links().data(), int(tree.links().size()), int(n),          tree.gravity(), h, alpha, q_mid.data(),
                        rate.data(),         general.data(),           stiffness.data()};
    const std::size_t bytes = kernels.scratch_bytes(data.num_links, data.num_u);
    const std::unique_ptr<std::byte[], Free> block(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(64))));
    std::memset(block.get(), 0, bytes);
    momentum.resize(n), force.resize(n), solutions.resize(columns * n), single.resize(n);
    kernels.evaluate(data, block.get(), momentum.data(), force.data());
    for (std::size_t g = 0; g < general.size(); ++g) {
      const int u = tree.general()[g].first_u;
      for (const Wrench<double>& F : {general[g].momentum, general[g].force})
        for (const double x : testing_support::numbers(F)) wrenches.push_back(x);
      turning[g].curvature(theta.data() + u, s.tau.data() + u, h, alpha, general[g]);
    }
    kernels.factor(data, block.get());
    const std::vector<double> residuals = Random(seed + 1).vector(int(columns * n), 1);
    kernels.solve(data, block.get(), int(columns), residuals.data(), solutions.data());
    kernels.solve(data, block.get(), 1, residuals.data(), single.data());
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::vector<double> momentum, force, wrenches, solutions, single;
};

// The same sums with and without fused multiply-adds; solutions carry the condition of the matrix, up to 1e6.
TEST(InstructionSets, GiveTheSameStepsButForRounding) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const Mechanism mechanism = testing_support::random_mechanism(seed, tested());
    const Sweeps expected(newton_kernels_portable(), mechanism, seed);
    for (const NewtonKernels& kernels : available()) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << kernels.name);
      const Sweeps found(kernels, mechanism, seed);
      EXPECT_TRUE(near(found.momentum, expected.momentum, 1e-12));
      EXPECT_TRUE(near(found.force, expected.force, 1e-12));
      EXPECT_TRUE(near(found.wrenches, expected.wrenches, 1e-12));
      EXPECT_TRUE(near(found.solutions, expected.solutions, 1e-9));
      EXPECT_TRUE(
          near(found.single, std::vector<double>(found.solutions.begin(), found.solutions.begin() + mechanism.num_u()), 1e-9));
    }
  }
}

}  // namespace
}  // namespace polhode::variational
