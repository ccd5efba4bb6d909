// Joint kernels run on SIMD packs: every lane must do what doubles do, for joints that users wrote for doubles as well.
#include "joint_cases.h"

namespace polhode::test {

/// Two doubles that move together: the least that a pack must offer.
struct Pair {
  static constexpr int width = 2;
  double lane[2]{};

  Pair() = default;
  Pair(double x) : lane{x, x} {}
  Pair(double x, double y) : lane{x, y} {}
  double operator[](int i) const { return lane[i]; }
  void set(int i, double x) { lane[i] = x; }

  friend Pair operator+(const Pair& a, const Pair& b) { return {a[0] + b[0], a[1] + b[1]}; }
  friend Pair operator-(const Pair& a, const Pair& b) { return {a[0] - b[0], a[1] - b[1]}; }
  friend Pair operator*(const Pair& a, const Pair& b) { return {a[0] * b[0], a[1] * b[1]}; }
  friend Pair operator/(const Pair& a, const Pair& b) { return {a[0] / b[0], a[1] / b[1]}; }
  friend Pair operator-(const Pair& a) { return {-a[0], -a[1]}; }
  Pair& operator+=(const Pair& b) { return *this = *this + b; }
  Pair& operator-=(const Pair& b) { return *this = *this - b; }
  Pair& operator*=(const Pair& b) { return *this = *this * b; }
};
inline SinCos<Pair> sin_cos(const Pair& a) {
  const auto x = polhode::sin_cos(a[0]), y = polhode::sin_cos(a[1]);
  return {{x.s, y.s}, {x.c, y.c}};
}
inline Pair square_root(const Pair& a) { return {std::sqrt(a[0]), std::sqrt(a[1])}; }

namespace {

std::vector<Pair> paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Pair> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = {a[i], b[i]};
  return result;
}
Vec3<double> lane(const Vec3<Pair>& a, int i) { return {a.x[i], a.y[i], a.z[i]}; }
Motion<double> lane(const Motion<Pair>& V, int i) { return {lane(V.angular, i), lane(V.linear, i)}; }
Transform<double> lane(const Transform<Pair>& X, int i) {
  return {{{lane(X.R.col[0], i), lane(X.R.col[1], i), lane(X.R.col[2], i)}}, lane(X.p, i)};
}

// The same operations in the same order; only contraction to fused multiply-adds may differ.
constexpr double rounding = 1e-13;

TEST(JointScalars, LanesMoveAsDoublesDo) {
  for_all_joints([](const JointCase& c, Random& random) {
    const std::vector<double> q[2] = {random.coordinates(c), random.coordinates(c)};
    const std::vector<double> u[2] = {random.numbers(c.nv()), random.numbers(c.nv())};
    const auto q_pair = paired(q[0], q[1]), u_pair = paired(u[0], u[1]);
    const auto X = c.X_FM(q_pair);
    const auto H = c.H_FM(q_pair);
    const auto A = c.Hdot_u(q_pair, u_pair);
    for (int i = 0; i < 2; ++i) {
      EXPECT_LT(distance(lane(X, i), c.X_FM(q[i])), rounding);
      EXPECT_LT(distance(lane(A, i), c.Hdot_u(q[i], u[i])), rounding);
      const auto H_lane = c.H_FM(q[i]);
      for (int k = 0; k < c.nv(); ++k) EXPECT_LT(distance(lane(H[k], i), H_lane[k]), rounding);
    }
  });
}

TEST(JointScalars, LanesConstrainAsDoublesDo) {
  for_all_joints(
      [](const JointCase& c, Random& random) {
        const Motion<double> V[2] = {random.motion(), random.motion()};
        const std::vector<double> q[2] = {random.coordinates(c), random.coordinates(c)};
        const auto X = c.X_FM(paired(q[0], q[1]));
        Motion<Pair> V_pair;
        for (int j = 0; j < 3; ++j) {
          V_pair.angular[j] = {V[0].angular[j], V[1].angular[j]};
          V_pair.linear[j] = {V[0].linear[j], V[1].linear[j]};
        }
        const auto rows = c.rows(X, V_pair);
        for (int i = 0; i < 2; ++i) {
          const auto rows_lane = c.rows(lane(X, i), V[i]);
          for (int k = 0; k < c.num_rows(); ++k) {
            EXPECT_NEAR(rows[k].value[i], rows_lane[k].value, rounding);
            EXPECT_LT(distance(lane(rows[k].gradient.moment, i), rows_lane[k].gradient.moment), rounding);
            EXPECT_LT(distance(lane(rows[k].gradient.force, i), rows_lane[k].gradient.force), rounding);
            EXPECT_NEAR(rows[k].bias[i], rows_lane[k].bias, 1e-11);  // a screw's bias has terms of 100
          }
        }
      },
      5);
}

// Second derivatives of the pose, by dual numbers of dual numbers, are the acceleration that H and Hdot_u give.
// Custom joints take differences of differences there, which is what they promise not to be exact in.
TEST(JointScalars, SecondDerivativeOfThePoseIsTheAcceleration) {
  using Second = Dual<Dual<double>>;
  for_all_joints([](const JointCase& c, Random& random) {
    if (std::holds_alternative<Custom>(c.model)) return;
    const auto q = random.coordinates(c), u = random.numbers(c.nv());
    // q(t) with dq/dt = N(q) u and constant u: the inner slope of dq/dt is its own rate.
    const auto q_dot = c.N(q, u);
    std::vector<Dual<double>> u_steady(u.begin(), u.end()), rates(c.nq());
    const auto q_moving = moving(q, q_dot);
    std::visit([&](const auto& j) { j.template N<Dual<double>>(q_moving.data(), u_steady.data(), rates.data()); }, c.model);
    std::vector<Second> q_second(c.nq());
    for (int i = 0; i < c.nq(); ++i) q_second[i] = Second(q_moving[i], rates[i]);
    const auto p = c.X_FM(q_second).p;
    const Vec3<double> acceleration{p.x.slope.slope, p.y.slope.slope, p.z.slope.slope};
    EXPECT_LT(distance(acceleration, c.Hdot_u(q, u).linear), 1e-11);
  });
}

}  // namespace
}  // namespace polhode::test
