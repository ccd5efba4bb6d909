// Laws as expressions: their values by hand, their derivatives by one walk back against dual numbers and differences.
#include "polhode/mechanism/law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/spatial/dual.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random.h"

namespace polhode {
namespace {

using testing_support::Random;
using Code = Law::Code;
using Kind = Law::Kind;

/// A law that reads the first coordinates and speeds, and one input, state and discrete variable.
Law placed(const Law& law) {
  std::vector<Law::Read> reads = law.reads();
  for (Law::Read& read : reads) read.index = read.name.back() - '0';
  return law.with_reads(reads);
}
Law q(int i) { return Law::of(Kind::coordinate, "q" + std::to_string(i)); }
Law u(int i) { return Law::of(Kind::speed, "u" + std::to_string(i)); }
Law c(double x) { return Law::constant(x); }
Law of_one(Code code, const Law& a) { return Law::apply(code, {a}); }
Law of_two(Code code, const Law& a, const Law& b) { return Law::apply(code, {a, b}); }

struct Place {
  std::vector<double> q{0.7, -0.4}, u{1.3, 0.2}, inputs{0.6}, z{1.1}, discrete{-0.8};
  double t = 2;
  Now now() const { return {t, inputs, z, discrete}; }
  double value(const Law& law) const { return law.evaluate<double>(now(), q, u); }
  std::vector<double> gradient(const Law& law) const {
    std::vector<double> slopes(law.reads().size());
    law.gradient(now(), q, u, slopes);
    return slopes;
  }
  /// By one read, on dual numbers; only coordinates and speeds have them.
  double dual_slope(const Law& law, const Law::Read& read) const {
    std::vector<Dual<double>> q_d(q.begin(), q.end()), u_d(u.begin(), u.end());
    (read.kind == Kind::coordinate ? q_d : u_d)[std::size_t(read.index)].slope = 1;
    return law.evaluate<Dual<double>>(now(), q_d, u_d).slope;
  }
  std::vector<double>& numbers(Kind kind) {
    switch (kind) {
      case Kind::coordinate: return q;
      case Kind::speed: return u;
      case Kind::input: return inputs;
      case Kind::state: return z;
      default: return discrete;
    }
  }
};

/// Some arithmetic of random shape whose values and slopes stay within reason.
Law random_law(Random& r, int depth) {
  if (depth == 0 || r.chance(0.15)) {
    switch (r.index(7)) {
      case 0: return q(r.index(2));
      case 1: return u(r.index(2));
      case 2: return Law::of(Kind::input, "i0");
      case 3: return Law::of(Kind::state, "z0");
      case 4: return Law::of(Kind::discrete, "d0");
      case 5: return of_two(Code::multiply, c(0.1), Law::time());
      default: return c(r.uniform(-1, 1));
    }
  }
  const Law a = random_law(r, depth - 1), b = random_law(r, depth - 1);
  const Law positive = c(0.5) + a * a;
  switch (r.index(16)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return of_one(Code::sine, a) * of_one(Code::cosine, b);
    case 3: return a / positive;
    case 4: return -a;
    case 5: return of_one(Code::root, positive);
    case 6: return of_one(Code::logarithm, positive);
    case 7: return of_one(Code::exponential, of_one(Code::sine, a));
    case 8: return of_two(Code::power, positive, of_one(Code::sine, b));
    case 9: return of_one(Code::arctangent, a);
    case 10: return of_two(Code::arctangent2, a, positive);
    case 11: return of_one(Code::magnitude, a);
    case 12: return of_two(Code::minimum, a, b);
    case 13: return of_two(Code::maximum, a, b);
    case 14: return Law::apply(Code::if_less, {a, b, b, -a});
    default:
      return Law::lookup(of_one(Code::tangent, of_one(Code::arctangent, of_one(Code::sine, a))), {-1, -0.2, 0.3, 1},
                         {0, 1, 0.5, 2}, r.chance(0.5) ? TableCurve::Joining::monotone : TableCurve::Joining::linear);
  }
}

TEST(Law, HasTheValueThatItsArithmeticSays) {
  const Place at;
  EXPECT_EQ(at.value(placed(c(-50) * (q(0) - c(0.3)) + c(2) * u(1))), -50 * (0.7 - 0.3) + 2 * 0.2);
  EXPECT_EQ(at.value(placed(of_two(Code::power, q(0), c(3)))), std::pow(0.7, 3));
  EXPECT_EQ(at.value(placed(Law::of(Kind::input, "i0") * Law::of(Kind::state, "z0") * Law::of(Kind::discrete, "d0"))),
            0.6 * 1.1 * -0.8);
  EXPECT_EQ(at.value(Law::time() * Law::signal(Signal::polynomial({1, 3}))), 2.0 * 7);
  EXPECT_EQ(at.value(placed(Law::clamp(c(10) * q(0), c(-1), c(5)))), 5);
  EXPECT_EQ(at.value(placed(Law::clamp(c(10) * q(1), c(-1), c(5)))), -1);
  EXPECT_EQ(at.value(placed(Law::apply(Code::if_less, {q(0), q(1), c(1), c(2)}))), 2);
  EXPECT_EQ(at.value(placed(Law::lookup(q(0), {0, 1}, {3, 5}, TableCurve::Joining::linear))), 3 + 2 * 0.7);
  EXPECT_EQ(at.value(placed(of_one(Code::arcsine, q(0)) + of_one(Code::arccosine, q(0)))), std::asin(0.7) + std::acos(0.7));
}

// The walk back and dual numbers do the same arithmetic in another order: 1e-12 of slopes up to some hundred.
TEST(Law, DerivativesByOneWalkBackAreThoseOfDualNumbers) {
  Random random(7);
  int compared = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Law law = placed(random_law(random, 5));
    const Place at;
    const std::vector<double> slopes = at.gradient(law);
    for (std::size_t r = 0; r < slopes.size(); ++r) {
      const Law::Read& read = law.reads()[r];
      if (read.kind != Kind::coordinate && read.kind != Kind::speed) continue;
      const double dual = at.dual_slope(law, read);
      EXPECT_NEAR(slopes[r], dual, 1e-12 * (1 + std::abs(dual))) << "trial " << trial;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

// Central differences of 1e-6: 1e-12 times third derivatives of some thousand, and rounding 1e-16/1e-6 of values of some tens.
// Kinks may lie within the difference: such laws are left out by comparing the two one-sided differences.
TEST(Law, DerivativesByEverythingReadAreThoseOfDifferences) {
  Random random(8);
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Law law = placed(random_law(random, 4));
    Place at;
    const std::vector<double> slopes = at.gradient(law);
    for (std::size_t r = 0; r < slopes.size(); ++r) {
      const Law::Read& read = law.reads()[r];
      double& x = at.numbers(read.kind)[std::size_t(read.index)];
      const double x0 = x, h = 1e-6, here = at.value(law);
      x = x0 + h;
      const double after = at.value(law);
      x = x0 - h;
      const double before = at.value(law);
      x = x0;
      if (std::abs(after - 2 * here + before) > 1e-9) continue;
      EXPECT_NEAR(slopes[r], (after - before) / (2 * h), 1e-7 * (1 + std::abs(slopes[r]))) << "trial " << trial;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Law, TakesTheDerivativeOfTheBranchThatIsTaken) {
  const Place at;
  // The other branch has no number here, and no derivative.
  const Law law = placed(Law::apply(Code::if_less, {q(1), c(0), c(3) * q(1), of_one(Code::root, q(1))}));
  EXPECT_EQ(at.value(law), 3 * -0.4);
  EXPECT_EQ(at.gradient(law)[0], 3);
  EXPECT_EQ(at.gradient(placed(Law::clamp(q(0), c(0), c(0.5))))[0], 0);
  EXPECT_EQ(at.gradient(placed(of_one(Code::magnitude, q(1))))[0], -1);
}

TEST(Law, MakesEqualOperationsOneAndConstantsNumbers) {
  EXPECT_EQ((c(2) * c(3) + c(1)).constant_value(), 7);
  const Law square = (q(0) - c(1)) * (q(0) - c(1));
  EXPECT_EQ(square.operations().size(), 4u);  // q0, 1, their difference, its square
  EXPECT_EQ(square.reads().size(), 1u);
  EXPECT_EQ(Law::apply(Code::if_less, {c(1), c(2), c(5), c(6)}).constant_value(), 5);
  EXPECT_TRUE(Law::signal(Signal::constant(4)).is_constant());
}

TEST(Law, ReadsWhatItNeedsAndNothingElse) {
  LawMaker maker;
  maker.read(Kind::coordinate, "unused", {});
  const int used = maker.read(Kind::speed, "used", {});
  const Law law = maker.finish(maker.apply(Code::negative, {used}));
  ASSERT_EQ(law.reads().size(), 1u);
  EXPECT_EQ(law.reads()[0].name, "used");
  EXPECT_TRUE(law.reads(Kind::speed));
  EXPECT_FALSE(law.reads(Kind::coordinate));
}

TEST(Law, RefusesToGrowWithoutLimit) {
  LawMaker maker;
  int sum = maker.read(Kind::coordinate, "q0", {});
  const auto grow = [&] {
    for (int i = 0; i < 2 * Law::most_operations; ++i) sum = maker.apply(Code::sine, {sum});
  };
  EXPECT_THROW(grow(), std::length_error);
}

TEST(Law, RefusesTablesThatAreNone) {
  using J = TableCurve::Joining;
  EXPECT_THROW(Law::lookup(q(0), {0}, {1}, J::linear), std::invalid_argument);
  EXPECT_THROW(Law::lookup(q(0), {0, 0}, {1, 2}, J::linear), std::invalid_argument);
  EXPECT_THROW(Law::lookup(q(0), {0, NAN}, {1, 2}, J::linear), std::invalid_argument);
}

TEST(Law, SaysWhenItsSignalsBreak) {
  std::vector<double> times;
  (q(0) * Law::signal(Signal::samples({1, 2, 4}, {0, 1, 0}, Signal::Joining::hold))).add_breaks(times);
  EXPECT_EQ(times, (std::vector<double>{1, 2, 4}));
}

TEST(Law, AllocatesNothing) {
  const Place at;
  const Law law = placed(c(-50) * (q(0) - c(0.3)) + of_one(Code::sine, u(1)) * Law::of(Kind::input, "i0"));
  std::vector<double> slopes(law.reads().size());
  EXPECT_EQ(testing_support::allocations_in([&] {
              at.value(law);
              law.gradient(at.now(), at.q, at.u, slopes);
            }),
            0);
}

}  // namespace
}  // namespace polhode
