// Newton's iteration in linear time is exact: it converges as only the true derivative does, whatever the size of the tree.
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using testing_support::Random;

constexpr double h = 0.002;  // so that the iteration starts near the solution of any random tree

/// A step's equations with an iteration that can be watched.
class Watched {
 public:
  Watched(const State& start, double alpha) : start_(start), alpha_(alpha) {
    const Mechanism& m = start.mechanism();
    tree::Workspace w(m);
    p_.resize(std::size_t(m.num_u()));
    tree::positions(w, start.q());
    tree::multiply_mass(w, start.u(), p_);
  }
  /// Finds the solution, to round-off.
  void find_solution() {
    for (const double u : start_.u()) theta_.push_back(h * u);
    EXPECT_TRUE(solve(theta_, 20, 1e-13).ok());
  }
  /// The largest error of theta after one correction from a start off by `off` times the given direction.
  double error_after_one(const std::vector<double>& direction, double off) {
    std::vector<double> theta = theta_;
    for (std::size_t u = 0; u < theta.size(); ++u) theta[u] += off * direction[u];
    solve(theta, 1, 1e-300);
    double error = 0;
    for (std::size_t u = 0; u < theta.size(); ++u) error = std::max(error, std::abs(theta[u] - theta_[u]));
    return error;
  }

 private:
  NewtonReport solve(std::vector<double>& theta, int iterations, double tolerance) {
    MidpointStep step(start_.mechanism(), alpha_, {.tolerance = tolerance, .max_iterations = iterations});
    std::vector<double> lambda = lambda_, q(start_.q().size()), p(p_.size());
    lambda.resize(std::size_t(step.num_rows()));
    step.start(0, start_.q(), p_, start_.applied_forces());
    const NewtonReport report = step.solve(h, theta, lambda, q, p);
    if (lambda_.empty()) lambda_ = lambda;
    return report;
  }
  State start_;
  double alpha_;
  std::vector<double> p_, theta_, lambda_;
};

/// An exact derivative leaves an error of c off^2 after one correction, an inexact one an error of c off.
void expect_quadratic(const State& start, double alpha) {
  Watched watched(start, alpha);
  watched.find_solution();
  std::vector<double> direction = Random(9).vector(start.mechanism().num_u(), 1);
  for (const KinematicCoordinate& k : start.mechanism().kinematic()) direction[std::size_t(k.u)] = 0;
  const double far = watched.error_after_one(direction, 2e-5), near = watched.error_after_one(direction, 1e-5);
  // The next term is of relative size 1e-5 times ratios of third to second derivatives, up to some 1e4.
  EXPECT_NEAR(far / near, 4, 0.6) << "errors " << far << " and " << near;
  EXPECT_LT(near, 3e-7);
}

TEST(Newton, ConvergesQuadraticallyOnTreesOfEveryJointType) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const double alpha : {0.3, 0.5}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", alpha " << alpha);
      expect_quadratic(random_start(testing_support::random_mechanism(seed, tested()), seed), alpha);
    }
}

TEST(Newton, ConvergesQuadraticallyOnLoopsAndWithKinematicCoordinates) {
  for (const char* model : {"bricard", "spatial_slider_crank", "four_bars", "closed_chain_device", "scissor_lift"}) {
    SCOPED_TRACE(model);
    State start = tree::initial_state(load(model));
    ASSERT_TRUE(tree::assemble(start).assembled);
    expect_quadratic(start, 0.5);
  }
}

// Rows on velocities change with the pose and with the increment, and a spin that is held turns the tests.
TEST(Newton, ConvergesQuadraticallyWithConstraintsOnVelocities) {
  for (const char* model : {"rolling_disk", "bicycle", "chaplygin_sleigh"})
    for (const double alpha : {0.3, 0.5}) {
      SCOPED_TRACE(testing::Message() << model << ", alpha " << alpha);
      State start = tree::initial_state(load(model));
      ASSERT_TRUE(tree::assemble(start, tree::given_by_model(start.mechanism())).assembled);
      expect_quadratic(start, alpha);
    }
  for (const JointModel& line : {JointModel(LineOrientation{}), JointModel(FreeLine{})})
    for (const bool reversed : {false, true})
      for (const double alpha : {0.3, 0.5}) {
        SCOPED_TRACE(testing::Message() << type_name(line) << reversed << ", alpha " << alpha);
        Random random(6);
        MechanismBuilder builder;
        for (int i = 0; i < 3; ++i) {
          const std::string name = std::string("body") + char('0' + i);
          builder.add_body({.name = name, .mass = transformed(random.transform(0.3), MassProperties::box(1, {0.3, 0.5, 0.7}))});
          builder.add_joint({.name = name + " joint",
                             .model = i == 1 ? line : JointModel(Ball{}),
                             .parent = i == 0 ? ground_name : std::string("body") + char('0' + i - 1),
                             .child = name,
                             .placement = LocalPlacement{random.transform(0.5), random.transform(0.5)},
                             .reversed = i == 1 && reversed});
        }
        expect_quadratic(random_start(builder.build(), 8), alpha);
      }
}

/// Corrections per step in the first second of a swing.
double iterations_per_step(const MechanismBuilder& builder) {
  const Mechanism mechanism = builder.build();
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.01, .tolerance = 1e-10});
  run(stepper, 1);
  EXPECT_EQ(stepper.statistics().halved, 0);
  return double(stepper.statistics().newton_iterations) / double(stepper.statistics().steps);
}

// A start of order h^4 from extrapolation, 1e-8 to 1e-6 here, squared twice.
TEST(Newton, TakesAtMostFourCorrectionsHoweverLongTheChain) {
  for (const bool ball : {false, true})
    for (const int n : {3, 10, 30, 100, 300})
      EXPECT_LE(iterations_per_step(rods(n, ball)), 4) << n << (ball ? " balls" : " pins");
}

TEST(Newton, NamesTheSpeedThatStillMoves) {
  const Mechanism mechanism = rods(4).build();
  MidpointStep step(mechanism, 0.5, {.tolerance = 1e-300, .max_iterations = 1});
  std::vector<double> q(4, 0.3), p(4, 1.0), theta(4), lambda;
  step.start(0, q, p, std::vector<double>(4));
  const NewtonReport report = step.solve(h, theta, lambda, q, p);
  EXPECT_EQ(report.status, NewtonReport::Status::no_convergence);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_GE(report.worst_speed, 0);
  EXPECT_GT(report.correction, 0);
}

}  // namespace
}  // namespace polhode::variational
