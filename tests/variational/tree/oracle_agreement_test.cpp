// tree-variational against the literal algorithm of Johnson & Murphey: the same step from the same momenta, and the same
// motion.
#include "tests/oracle/trep_from_mechanism.h"
#include "tests/support/near.h"
#include "tests/support/random_frame_tree.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using oracle::trep::from_mechanism;
using oracle::trep::Integrator;
using testing_support::near;
using testing_support::Random;
using testing_support::random_frame_tree;
using Vector = Eigen::VectorXd;

constexpr double h = 0.01;
// Both solve the same equations, each to about 1e-13 in q and h times less well in p; a difference of that size grows little in
// 20 steps. Momenta are in units of the largest.
constexpr double per_step = 1e-10;

Vector eigen(std::span<const double> x) { return Eigen::Map<const Vector>(x.data(), Eigen::Index(x.size())); }

/// Runs both from the same coordinates and speeds and compares after each step.
class Race {
 public:
  Race(const oracle::trep::System& system, const State& start, double alpha)
      : mechanism_(start.mechanism()),
        oracle_(system, h, {.alpha = alpha}),
        stepper_(started(start, {.step = h, .alpha = alpha, .tolerance = 1e-13})),
        theirs_(oracle_.start_from_rates(eigen(start.q()), eigen(start.u()), start.time())) {}
  /// From two configurations instead.
  Race& from_two(const Vector& before, const Vector& now) {
    theirs_ = oracle_.start_from_two(before, now);
    stepper_.set(h, h, {before.data(), std::size_t(before.size())}, {now.data(), std::size_t(now.size())});
    return *this;
  }

  void run(int steps) {
    EXPECT_TRUE(near(stepper_.momenta(), numbers(theirs_.p), 1e-12)) << "momenta at the start";
    for (int k = 1; k <= steps; ++k) {
      SCOPED_TRACE(testing::Message() << "step " << k);
      theirs_ = oracle_.step(theirs_);
      const StepReport report = stepper_.step(1e9);
      ASSERT_TRUE(report.ok()) << stepper_.explain(report);
      ASSERT_TRUE(near(stepper_.q(), numbers(theirs_.q), k * per_step, 1.0));
      ASSERT_TRUE(near(stepper_.momenta(), numbers(theirs_.p), k * per_step, 1.0));
      compare_driving_forces(k);
    }
    EXPECT_EQ(stepper_.statistics().halved, 0);
  }
  const oracle::trep::State& theirs() const { return theirs_; }
  const TreeVariational& stepper() const { return stepper_; }

 private:
  static std::vector<double> numbers(const Vector& x) { return {x.data(), x.data() + x.size()}; }
  void compare_driving_forces(int k) const {
    const auto& kinematic = mechanism_.kinematic();
    for (std::size_t i = 0; i < kinematic.size(); ++i) {
      const double force = theirs_.kinematic[Eigen::Index(i)] / h, largest = theirs_.p.lpNorm<Eigen::Infinity>() / h;
      EXPECT_NEAR(stepper_.driving_forces()[kinematic[i].u], force, k * per_step * std::max(1.0, largest));
    }
  }

  Mechanism mechanism_;
  Integrator oracle_;
  TreeVariational stepper_;
  oracle::trep::State theirs_;
};

State random_point(const Mechanism& mechanism, unsigned seed) {
  Random random(seed);
  const auto q = random.vector(mechanism.num_q(), 1), u = random.vector(mechanism.num_u(), 1.5);
  return state_of(mechanism, q, u);
}

TEST(OracleAgreement, OneStepOfRandomFrameTrees) {
  for (unsigned seed = 0; seed < 48; ++seed) {
    const auto pair = random_frame_tree(seed, {.variables = 1 + int(seed % 12)});
    for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      Race({pair.tree}, random_point(pair.mechanism, seed + 7), alpha).run(1);
    }
  }
}

TEST(OracleAgreement, TwentyStepsOfRandomFrameTrees) {
  for (unsigned seed = 100; seed < 110; ++seed) {
    const auto pair = random_frame_tree(seed, {.variables = 1 + int(seed % 6)});
    for (const double alpha : {0.3, 0.5}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      Race({pair.tree}, random_point(pair.mechanism, seed + 7), alpha).run(20);
    }
  }
}

TEST(OracleAgreement, StartFromTwoConfigurations) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const auto pair = random_frame_tree(seed, {.variables = 5});
    for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      const State start = random_point(pair.mechanism, seed);
      const Vector q0 = eigen(start.q()), q1 = q0 + h * eigen(start.u());
      Race({pair.tree}, start, alpha).from_two(q0, q1).run(5);
    }
  }
}

/// Trees of those joints that are made of primitive frames, reversed and swapped ones among them.
bool of_primitive_frames(const JointModel& model) {
  return std::holds_alternative<Weld>(model) || std::holds_alternative<Revolute>(model) ||
         std::holds_alternative<Prismatic>(model) || std::holds_alternative<Cylindrical>(model) ||
         std::holds_alternative<Universal>(model) || std::holds_alternative<Planar>(model) ||
         std::holds_alternative<Gimbal>(model) || std::holds_alternative<Translation>(model) ||
         std::holds_alternative<Bushing>(model);
}

TEST(OracleAgreement, JointsOfSeveralDegrees) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Mechanism mechanism = testing_support::random_mechanism(seed, {.bodies = 9, .joints = of_primitive_frames});
    for (const double alpha : {0.3, 0.5}) Race(from_mechanism(mechanism), random_start(mechanism, seed), alpha).run(1);
  }
}

/// A random frame tree as a description that can be added to.
MechanismBuilder frame_tree_description(unsigned seed, int variables) {
  return random_frame_tree(seed, {.variables = variables}).mechanism.description();
}

TEST(OracleAgreement, ForcesDampingAndSpringsOfCoordinates) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const int n = 2 + int(seed % 5);
    MechanismBuilder builder = frame_tree_description(seed, n);
    for (int i = 0; i < n; ++i) {
      const std::string x = "x" + std::to_string(i);
      builder.add_force({CoordinateForceSpec{x, random.uniform(-3, 3)}});
      builder.add_force({CoordinateDampingSpec{x, random.uniform(0.1, 2)}});
      builder.add_force({CoordinateSpringSpec{x, random.uniform(1, 50), random.uniform(-1, 1)}});
    }
    const Mechanism mechanism = builder.build();
    for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      Race(from_mechanism(mechanism), random_point(mechanism, seed), alpha).run(10);
    }
  }
}

TEST(OracleAgreement, InputsThatVaryWithTime) {
  const auto signal = [](double t) { return 3 * std::sin(20 * t + 0.5); };
  MechanismBuilder builder = frame_tree_description(3, 4);
  builder.add_force({CoordinateInputSpec{"x1", Signal::sine(3, 20, 0.5)}});
  const Mechanism mechanism = builder.build();
  for (const double alpha : {0.3, 0.5}) {
    oracle::trep::System system = from_mechanism(mechanism);
    const int u = mechanism.coordinate("x1");
    system.forces.input = [&](double t) { return Vector(signal(t) * Vector::Unit(mechanism.num_u(), u)); };
    Race(system, random_point(mechanism, 1), alpha).run(20);
  }
}

// (State::applied_forces is the same as a constant force on each coordinate.)
TEST(OracleAgreement, FurtherForcesOfTheState) {
  const auto pair = random_frame_tree(4, {.variables = 5});
  State start = random_point(pair.mechanism, 2);
  const std::vector<double> f{1, -2, 3, 0.5, -4};
  start.set_applied_forces(f);
  oracle::trep::System system{pair.tree};
  system.forces.input = [&](double) { return eigen(f); };
  for (const double alpha : {0.3, 0.5}) Race(system, start, alpha).run(10);
}

/// Wires and point constraints between frames of a random tree that hold at q, by the choice of lengths and places.
Mechanism constrained_at(unsigned seed, int variables, std::span<const double> q) {
  MechanismBuilder builder = frame_tree_description(seed, variables);
  const Mechanism free = builder.build();
  Random random(seed + 50);
  tree::Workspace w(free);
  tree::positions(w, q);
  const auto place = [&](const Frame& frame) { return (tree::pose(w, frame.body) * frame.X_BF).p; };
  const int last = int(free.frames().size()) - 1;
  const Frame &a = free.frames()[last], &b = free.frames()[last / 2], &c = free.frames()[last - 2];
  builder.add_frame({.name = "pole", .body = ground_name, .X_BF = at(0.3, -1.5, 2)});
  const Vec3<double> pole{0.3, -1.5, 2};
  builder.add_constraint({"", WireSpec{a.name, "pole", norm(place(a) - pole)}});
  if (b.body != c.body && variables > 4) {
    const Vec3<double> p_BC = inverse(tree::pose(w, b.body)) * place(c);
    builder.add_frame({.name = "hook", .body = free.bodies()[std::size_t(b.body)].name, .X_BF = at(p_BC.x, p_BC.y, p_BC.z)});
    builder.add_constraint({"", PointConstraintSpec{"hook", c.name, random.vec3(1)}});
  }
  return builder.build();
}

TEST(OracleAgreement, WiresAndPointConstraints) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int n = 3 + int(seed % 6);
    const std::vector<double> q = Random(seed + 3).vector(n, 1);
    const Mechanism mechanism = constrained_at(seed, n, q);
    State start = state_of(mechanism, q, Random(seed + 4).vector(n, 1));
    ASSERT_TRUE(tree::assemble(start).assembled);
    for (const double alpha : {0.3, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      Race(from_mechanism(mechanism), start, alpha).run(10);
    }
  }
}

// Three seconds of a motion that is chaotic in the long run.
TEST(OracleAgreement, ClosedChainDevice) {
  State start(load("closed_chain_device"));
  start.set_q(std::vector<double>{0.1, 0.9, -0.3, 1.8, 1.6, -0.8, -0.9});
  ASSERT_TRUE(tree::assemble(start).assembled);
  Race(from_mechanism(start.mechanism()), start, 0.5).run(300);
}

TEST(OracleAgreement, ScrewsBetweenCoordinates) {
  MechanismBuilder builder;
  const auto body = [&](const std::string& name, const std::string& parent, const JointModel& model) {
    builder.add_body({.name = name, .mass = MassProperties::box(1.5, {0.3, 0.5, 0.8})});
    builder.add_joint({.name = name,
                       .model = model,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{at(0.2, 0.1, 0.4), at(-0.1, 0.3, 0)}});
  };
  body("nut", ground_name, Cylindrical{});
  body("arm", "nut", Universal{});
  body("hand", "arm", Revolute{});
  const Mechanism plain = builder.build();
  builder.add_constraint({"", ScrewSpec{plain.coordinate_names()[0], plain.coordinate_names()[1], 0.2}});
  const Mechanism mechanism = builder.build();
  const State start = state_of(mechanism, std::vector{0.5, 0.1, 0.7, -0.4, 1.1}, std::vector{2.0, 0.4, -1.0, 0.5, 2.0});
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) Race(from_mechanism(mechanism), start, alpha).run(20);
}

/// Variable x0 follows a sine and the last one a ramp.
struct Puppet {
  explicit Puppet(const Mechanism& m) : mechanism(m), system(from_mechanism(m)), start(random_point(m, 5)) {
    for (const KinematicCoordinate& k : m.kinematic()) {
      system.kinematic.push_back({k.q, [signal = k.signal](double t) { return signal.value(t); }});
      start.set_q(k.q, k.signal.at(0).value);
      start.set_u(k.u, k.signal.at(0).rate);
    }
  }
  Mechanism mechanism;
  oracle::trep::System system;
  State start;
};

TEST(OracleAgreement, KinematicCoordinatesAndTheForcesThatTheyTake) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const int n = 2 + int(seed % 5);
    MechanismBuilder builder = frame_tree_description(seed, n);
    builder.add_kinematic({.coordinate = "x0", .signal = Signal::sine(0.3, 8, 0.4)});
    if (n > 3) builder.add_kinematic({.coordinate = "x" + std::to_string(n - 1), .signal = Signal::polynomial({0.2, 1.5})});
    builder.add_force({CoordinateSpringSpec{"x1", 20, 0.1}});
    const Puppet puppet(builder.build());
    for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      Race(puppet.system, puppet.start, alpha).run(10);
    }
  }
}

TEST(OracleAgreement, KinematicCoordinatesThatPullConstraints) {
  MechanismBuilder builder;
  const auto slider = Mat3<double>{{Vec3<double>{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint(
      {.name = "cart", .model = Prismatic{}, .child = "cart", .placement = LocalPlacement{{slider, {}}, {slider, {}}}});
  builder.add_body({.name = "puppet", .mass = MassProperties::box(2, {0.2, 0.3, 0.4})});
  builder.add_joint({.name = "puppet", .model = Bushing{}, .child = "puppet"});
  builder.add_frame({.name = "hand", .body = "puppet", .X_BF = at(0.3, 0.1, 0.2)});
  builder.add_kinematic({.coordinate = "cart", .signal = Signal::sine(0.2, 5)});
  builder.add_constraint({"", WireSpec{"cart", "hand", 1.5}});
  Puppet puppet(builder.build());
  std::vector<double> q(puppet.start.q().begin(), puppet.start.q().end());
  for (const std::string axis : {"x", "y", "z"}) q[std::size_t(puppet.mechanism.coordinate("puppet." + axis))] = -0.6;
  puppet.start.set_q(q);
  ASSERT_TRUE(tree::assemble(puppet.start).assembled);
  for (const double alpha : {0.3, 0.5}) Race(puppet.system, puppet.start, alpha).run(20);
}

}  // namespace
}  // namespace polhode::variational
