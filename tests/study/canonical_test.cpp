#include "polhode/study/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/random.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

State start_of(const std::string& text) { return tree::initial_state(format::read_model(text, "m.pol").mechanism); }

/// Of each kept state.
template <class Of>
std::vector<double> numbers(const CanonicalResult& r, const Of& of) {
  std::vector<double> all;
  for (const CanonicalSample& s : r.samples) all.push_back(of(s));
  return all;
}

/// Kolmogorov's statistic times the root of how many independent numbers there are: below 2.2 with probability 0.9999.
template <class Below>
double kolmogorov(std::vector<double> x, double independent, const Below& below) {
  std::sort(x.begin(), x.end());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = below(x[i]), n = double(x.size());
    largest = std::max({largest, std::abs(p - double(i) / n), std::abs(p - double(i + 1) / n)});
  }
  return largest * std::sqrt(std::min(independent, double(x.size())));
}

/// The integral from a to b of a smooth function, by Simpson's rule.
template <class Function>
double integral(const Function& f, double a, double b) {
  constexpr int n = 2000;
  double sum = f(a) + f(b);
  for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(a + (b - a) * i / n);
  return sum * (b - a) / (3 * n);
}

const std::string oscillator = R"((system (gravity 0 0 0) (tx "x" (mass 2)) (torsion-spring "x" 50 0) (initial ("x" 0.1))))";
constexpr Proposal both[] = {Proposal::hybrid, Proposal::metropolis};

// x is normal with variance k T/k, its speed with k T/m, and neither knows of the other.
TEST(Canonical, OscillatorsHaveTheVarianceOfTheirBath) {
  for (const Proposal proposal : both) {
    const CanonicalResult r = sample_canonical(
        start_of(oscillator), {.temperature = 0.5, .proposal = proposal, .samples = 8000, .every = 3, .quantities = {"x"}});
    const double x = std::sqrt(0.5 / 50), u = std::sqrt(0.5 / 2);
    const auto normal = [](double deviation) {
      return [deviation](double a) { return 0.5 * std::erfc(-a / (deviation * std::sqrt(2.0))); };
    };
    const double independent = std::min(r.potential.effective, r.quantities[0].effective);
    EXPECT_GT(independent, 300);
    EXPECT_LT(kolmogorov(numbers(r, [](auto& s) { return s.q[0]; }), independent, normal(x)), 2.2);
    EXPECT_LT(kolmogorov(numbers(r, [](auto& s) { return s.u[0]; }), r.kinetic.effective, normal(u)), 2.2);
    EXPECT_NEAR(r.kinetic.mean, 0.25, 5 * r.kinetic.error);
    EXPECT_NEAR(r.potential.mean, 0.25, 5 * r.potential.error);
    EXPECT_TRUE(r.warnings.empty()) << r.warnings[0];
  }
}

// The density of the angle is exp(m g l cos(a)/kT): the mass matrix does not depend on it.
TEST(Canonical, PendulumsHangAsBoltzmannSays) {
  const State start = start_of(R"((system (ry "a" (tz -0.5 (mass 2)))))");
  const double barrier = 2 * 9.81 * 0.5;
  for (const Proposal proposal : both)
    for (const double kT : {2.0, 15.0}) {
      const CanonicalResult r =
          sample_canonical(start, {.temperature = kT, .proposal = proposal, .samples = 4000, .every = 4, .quantities = {"a"}});
      const auto weight = [&](double a) { return std::exp(barrier * (std::cos(a) - 1) / kT); };
      const double whole = integral(weight, -M_PI, M_PI);
      const auto below = [&](double a) { return integral(weight, -M_PI, a) / whole; };
      std::vector<double> angles = numbers(r, [](auto& s) { return std::remainder(s.q[0], 2 * M_PI); });
      std::vector<double> some;  // Simpson's rule for each is slow
      for (std::size_t i = 0; i < angles.size(); i += 8) some.push_back(angles[i]);
      EXPECT_LT(kolmogorov(some, r.potential.effective, below), 2.2) << kT;
      const double potential = integral([&](double a) { return -barrier * std::cos(a) * weight(a); }, -M_PI, M_PI) / whole;
      EXPECT_NEAR(r.potential.mean, potential, 5 * r.potential.error) << kT;
    }
}

// Whatever depends on whatever: k T/2 for each freedom. The mass matrix of this one changes with its shape, and the density of
// the second angle has the root of its determinant in it: m1 + m2 sin^2 b for equal lengths.
TEST(Canonical, DoublePendulumsShareTheirEnergyEqually) {
  const State start = start_of(R"((system (gravity 0 0 0) (ry "a" (tz -1 (mass 1) (ry "b" (tz -1 (mass 4)))))))");
  for (const Proposal proposal : both) {
    const CanonicalResult r =
        sample_canonical(start, {.temperature = 1.5, .proposal = proposal, .samples = 8000, .every = 3, .quantities = {"b"}});
    EXPECT_EQ(r.freedoms, 2);
    EXPECT_NEAR(r.kinetic.mean, 1.5, 5 * r.kinetic.error);
    const auto weight = [](double b) { return std::sqrt(1 + 4 * std::pow(std::sin(b), 2)); };
    const double expected =
        integral([&](double b) { return std::pow(std::sin(b), 2) * weight(b); }, 0, M_PI) / integral(weight, 0, M_PI);
    const std::vector<double> squares = numbers(r, [](auto& s) { return std::pow(std::sin(s.q[1]), 2); });
    std::vector<std::vector<double>> chains(4);
    for (std::size_t i = 0; i < squares.size(); ++i) chains[std::size_t(r.samples[i].chain)].push_back(squares[i]);
    const ChainStatistics s = chain_statistics(chains);
    EXPECT_NEAR(s.mean, expected, 5 * s.error);
    EXPECT_GT(expected - 0.5, 8 * s.error);  // without the determinant it would be 1/2
  }
}

// A ball joint: the cosine c of its angle from below has the density exp(x c), x = m g l/kT, whose mean is Langevin's
// coth x - 1/x; and three freedoms.
TEST(Canonical, BallPendulumsPointAsLangevinSays) {
  const State start = start_of(
      R"((system (body "b" (mass 2) (inertia 0.1 0.2 0.15) (com 0 0 -0.5)) (joint spherical "s" ground "b" (at 0 0 0))
          (frame "tip" "b" (pose 0 0 -1))))");
  const double kT = 4, x = 2 * 9.81 * 0.5 / kT;
  for (const Proposal proposal : both) {
    const CanonicalResult r = sample_canonical(
        start, {.temperature = kT, .proposal = proposal, .samples = 6000, .every = 3, .quantities = {"tip.z"}});
    EXPECT_EQ(r.freedoms, 3);
    EXPECT_NEAR(-r.quantities[0].mean, 1 / std::tanh(x) - 1 / x, 5 * r.quantities[0].error);
    EXPECT_LT(r.quantities[0].error, 0.03);
    EXPECT_NEAR(r.kinetic.mean, 1.5 * kT, 5 * r.kinetic.error);
    EXPECT_LT(r.kinetic.error, 0.02 * r.kinetic.mean);
  }
}

// A point that a rod of length 1 holds to Ground, made of two sliders and a constraint: a pendulum again, whose angle has the
// density exp(m g cos(a)/kT), and one freedom.
TEST(Canonical, ConstraintsLeaveTheFreedomsThatTheyLeave) {
  const State start = start_of(R"((system (tx "x" (tz "z" (mass 1) (name "bob"))) (frame "top" ground (pose 0 0 0))
                                     (wire "top" "bob" 1) (initial ("x" 0.6) ("z" -0.8))))");
  const double kT = 5;
  const CanonicalResult r = sample_canonical(start, {.temperature = kT, .samples = 6000, .every = 2, .quantities = {"z"}});
  EXPECT_EQ(r.freedoms, 1);
  EXPECT_NEAR(r.kinetic.mean, 0.5 * kT, 5 * r.kinetic.error);
  const auto weight = [&](double a) { return std::exp(9.81 * std::cos(a) / kT); };
  const double height = integral([&](double a) { return -std::cos(a) * weight(a); }, 0, M_PI) / integral(weight, 0, M_PI);
  EXPECT_NEAR(r.quantities[0].mean, height, 5 * r.quantities[0].error);
  EXPECT_LT(r.quantities[0].error, 0.05);
  for (const CanonicalSample& s : r.samples) {
    EXPECT_NEAR(std::hypot(s.q[0], s.q[1]), 1, 1e-9);
    EXPECT_NEAR(s.q[0] * s.u[0] + s.q[1] * s.u[1], 0, 1e-9 * std::hypot(s.u[0], s.u[1]) + 1e-12);
  }
  EXPECT_THROW(sample_canonical(start, {.temperature = kT, .proposal = Proposal::metropolis}), std::invalid_argument);
}

// The energy's error of a step is no error of the states: with steps so long that a third is refused, the variance is the same.
TEST(Canonical, LongStepsCostAcceptanceAndNothingElse) {
  const State start =
      start_of(R"((system (gravity 0 0 0) (tx "x" (mass 1)) (nonlinear-torsion-spring "x" 0 0 0 10) (initial ("x" 0.1))))");
  const CanonicalResult r = sample_canonical(
      start, {.temperature = 1, .samples = 8000, .discard = 100, .step = 0.9, .most_steps = 5, .quantities = {"x"}});
  EXPECT_LT(r.accepted, 0.97);
  EXPECT_NEAR(r.potential.mean, 0.25, 5 * r.potential.error);  // k T/4 of a quartic potential
}

TEST(Canonical, IsTheSameWithAnyNumberOfThreads) {
  CanonicalOptions options{.temperature = 1, .samples = 200, .chains = 3, .discard = 50, .threads = 1};
  const CanonicalResult one = sample_canonical(start_of(oscillator), options);
  options.threads = 3;
  const CanonicalResult three = sample_canonical(start_of(oscillator), options);
  ASSERT_EQ(one.samples.size(), 200u);
  for (std::size_t i = 0; i < one.samples.size(); ++i) {
    EXPECT_EQ(one.samples[i].q, three.samples[i].q);
    EXPECT_EQ(one.samples[i].u, three.samples[i].u);
  }
  options.seed = 2;
  EXPECT_NE(sample_canonical(start_of(oscillator), options).samples[0].q, one.samples[0].q);
}

TEST(Canonical, RefusesByNameWhatHasNoSuchDistribution) {
  const auto refused = [](const std::string& element) {
    try {
      sample_canonical(start_of("(system (ry \"a\" (tz -1 (mass 1) (ry \"b\" (tz -1 (mass 1))))) " + element + ")"), {});
    } catch (const ModelError& error) {
      return std::string(error.problems()[0].message);
    }
    return std::string();
  };
  EXPECT_NE(refused("(damping \"a\" 0.1)").find("(damping ...) feeds or takes energy"), std::string::npos);
  EXPECT_NE(refused("(kinematic \"a\" (sine 1 1))").find("\"a'\" follows a signal"), std::string::npos)
      << refused("(kinematic \"a\" (sine 1 1))");
  EXPECT_NE(refused("(event \"ring\" (at 1))").find("event \"ring\""), std::string::npos);
  const State start = start_of(oscillator);
  EXPECT_THROW(sample_canonical(start, {.temperature = 0}), std::invalid_argument);
  EXPECT_THROW(sample_canonical(start, {.temperature = std::nan("")}), std::invalid_argument);
  EXPECT_THROW(sample_canonical(start, {.samples = 0}), std::invalid_argument);
  EXPECT_THROW(sample_canonical(start, {.discard = 0}), std::invalid_argument);
  EXPECT_THROW(sample_canonical(start, {.step = -1}), std::invalid_argument);
  EXPECT_THROW(sample_canonical(start, {.quantities = {"y"}}), std::invalid_argument);
}

// A free body can fall for ever: its states have no distribution, and the chains show it.
TEST(Canonical, SaysWhenTheChainsDoNotComeToTheSame) {
  const CanonicalResult r = sample_canonical(start_of(R"((system (body "b" (mass 1) (inertia 1 1 1))))"),
                                             {.temperature = 1, .samples = 400, .discard = 100});
  EXPECT_FALSE(r.warnings.empty());
}

// x_i = a x_(i-1) + noise: (1 + a)/(1 - a).
TEST(Autocorrelation, OfAnAutoregressiveChainIsThatOfItsClosedForm) {
  const RandomStream random(1, "noise");
  for (const double a : {0.0, 0.5, 0.9}) {
    std::vector<double> x{0};
    for (std::uint32_t i = 1; i < 60000; ++i) x.push_back(a * x.back() + random.normal(i));
    const double exact = (1 + a) / (1 - a);
    EXPECT_NEAR(autocorrelation_time(x), exact, 0.12 * exact);
  }
  EXPECT_EQ(autocorrelation_time(std::vector<double>(100, 3.0)), 1);
}

}  // namespace
}  // namespace polhode::study
