#include <gtest/gtest.h>

#include <set>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/derivatives.h"
#include "tests/oracle/trep_tree.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_frame_tree.h"
#include "tests/support/random_mechanism.h"
#include "tests/tree/pose_numbers.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using List = std::vector<double>;

// Johnson & Murphey's recursion, carried one derivative further by the product rule.
TEST(ThirdDerivatives, OfFrameTreesAreThoseOfTheSeed) {
  for (unsigned draw = 1; draw <= 4; ++draw) {
    const auto pair = testing_support::random_frame_tree(draw, {.variables = 8});
    const auto s = testing_support::random_state(pair.mechanism, draw);
    oracle::trep::Kinematics seed(pair.tree, oracle::trep::Caching::on);
    seed.write(Eigen::Map<const Eigen::VectorXd>(s.q.data(), 8), Eigen::Map<const Eigen::VectorXd>(s.u.data(), 8));
    Derivatives derivatives(pair.mechanism);
    derivatives.set(s.q, s.u);
    for (int k = 0; k < int(pair.tree.frames.size()); ++k) {
      FrameThirdDerivatives f(pair.mechanism, pair.frame_of[k]);
      derivatives.third(f);
      const std::size_t n = f.chart.size();
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          for (std::size_t c = 0; c < n; ++c) {
            const Eigen::Matrix4d g = seed.g_qqq(k, f.chart[a], f.chart[b], f.chart[c]);
            List expected;
            for (int i = 0; i < 12; ++i) expected.push_back(g(i / 4, i % 4));
            // Products of some ten matrices of order one.
            EXPECT_TRUE(near(pose_numbers(f.X_qqq[(a * n + b) * n + c]), expected, 1e-12, 1)) << a << " " << b << " " << c;
          }
    }
  }
}

/// A frame's pose at q (+) theta, by the room's own kinematics.
class Poses {
 public:
  Poses(const Mechanism& mechanism, const List& q, int frame)
      : mechanism_(mechanism),
        w_(mechanism),
        q_(q),
        at_(q),
        u_(std::size_t(mechanism.num_u())),
        frame_(mechanism.frames()[frame]) {}

  Eigen::VectorXd at(const List& theta) {
    for (const Joint& joint : mechanism_.joints())
      std::visit(
          [&](const auto& model) {
            model.retract(q_.data() + joint.first_q, theta.data() + joint.first_chart, at_.data() + joint.first_q);
          },
          joint.model);
    kinematics(w_, at_, u_);
    read_bodies(w_);
    const Transform<double> X = w_.X_WB[frame_.body] * frame_.X_BF;
    const List all = pose_numbers(X.R, X.p);
    return Eigen::Map<const Eigen::VectorXd>(all.data(), 12);
  }

  /// Differences along three chart coordinates, each of width h to both sides. Their error is even in h.
  Eigen::VectorXd difference(int i, int j, int k, double h) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(12);
    for (const double a : {-h, h})
      for (const double b : {-h, h})
        for (const double c : {-h, h}) {
          List theta(std::size_t(mechanism_.num_chart()));
          theta[i] += a, theta[j] += b, theta[k] += c;
          sum += (a * b * c > 0 ? 1 : -1) * at(theta);
        }
    return sum / (8 * h * h * h);
  }
  /// Richardson's limit.
  Eigen::VectorXd by(int i, int j, int k) {
    const double h = 0.08;
    const Eigen::VectorXd a = difference(i, j, k, h), b = difference(i, j, k, h / 2), c = difference(i, j, k, h / 4);
    const Eigen::VectorXd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
    return (16 * bc - ab) / 15;
  }

 private:
  const Mechanism& mechanism_;
  Workspace w_;
  List q_, at_, u_;
  const Frame& frame_;
};

bool has_users_joint(const Mechanism& mechanism) {
  for (const Joint& joint : mechanism.joints())
    if (std::holds_alternative<Custom>(joint.model)) return true;
  return false;
}

void expect_limits_of_differences(const Mechanism& mechanism, unsigned draw, double tolerance,
                                  std::set<std::string_view>& types) {
  const auto s = testing_support::random_state(mechanism, draw);
  Derivatives derivatives(mechanism);
  derivatives.set(s.q, s.u);
  for (int body = 1; body < mechanism.num_bodies(); ++body) {
    // Frames of one body have the same joints; of two bodies in a row the outer one has those of the inner one too.
    bool inner = false;
    for (const Body& other : mechanism.bodies()) inner = inner || other.parent == body;
    if (inner) continue;
    FrameThirdDerivatives f(mechanism, mechanism.frame(mechanism.bodies()[body].name));
    derivatives.third(f);
    Poses poses(mechanism, s.q, f.frame);
    const std::size_t n = f.chart.size();
    for (int b = body; b > 0; b = mechanism.bodies()[b].parent) types.insert(type_name(mechanism.joints()[b].model));
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        for (std::size_t c = 0; c <= b; ++c) {
          const Eigen::MatrixXd expected = poses.by(f.chart[a], f.chart[b], f.chart[c]);
          EXPECT_TRUE(near(pose_numbers(f.X_qqq[(a * n + b) * n + c]), expected, tolerance, 5)) << a << " " << b << " " << c;
          EXPECT_EQ(pose_numbers(f.X_qqq[(a * n + b) * n + c]), pose_numbers(f.X_qqq[(c * n + a) * n + b]));
        }
  }
}

// The rounding of eight values of order one, over 8 h^3 = 6e-5, is 1e-11; h^6 times high derivatives is some 1e-8.
TEST(ThirdDerivatives, AreTheLimitsOfDifferencesForEveryJointType) {
  std::set<std::string_view> types;
  for (unsigned draw = 1; draw <= 14; ++draw) {
    const Mechanism mechanism = testing_support::random_mechanism(draw, {.bodies = 7});
    if (has_users_joint(mechanism)) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << draw);
    expect_limits_of_differences(mechanism, draw, 1e-6, types);
  }
  EXPECT_EQ(types.size(), std::variant_size_v<JointModel> - 1);  // all but users' own
}

TEST(ThirdDerivatives, OfUsersJointsAreRightToWhatDifferencesGive) {
  std::set<std::string_view> types;
  for (unsigned draw = 1; draw <= 12; ++draw) {
    const Mechanism mechanism = testing_support::random_mechanism(draw, {.bodies = 5});
    if (!has_users_joint(mechanism)) continue;
    expect_limits_of_differences(mechanism, draw, 1e-5, types);  // as derivatives.h promises
    break;
  }
  EXPECT_TRUE(types.count("custom")) << "no user's joint was drawn";
}

TEST(ThirdDerivatives, DoNotAllocateOnceTheirMemoryIsSized) {
  const Mechanism mechanism = testing_support::random_mechanism(2);
  const auto s = testing_support::random_state(mechanism, 2);
  Derivatives derivatives(mechanism);
  FrameThirdDerivatives f(mechanism, int(mechanism.frames().size()) - 1);
  derivatives.set(s.q, s.u);
  EXPECT_EQ(testing_support::allocations_in([&] { derivatives.third(f); }), 0);
  EXPECT_THROW(FrameThirdDerivatives(mechanism, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::tree
