#include "polhode/mechanism/orientation_signal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/spatial/exponential.h"
#include "polhode/spatial/rotation.h"

namespace polhode {
namespace {

double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double most = 0;
  for (int i = 0; i < 3; ++i) most = std::max(most, norm(A.col[std::size_t(i)] - B.col[std::size_t(i)]));
  return most;
}

/// Angular velocity and its rate against differences of the orientation: dR R^T and its change.
void expect_rates(const OrientationSignal& signal, double t) {
  constexpr double h = 1e-4;  // differences of second order leave h^2 times derivatives of order 100, and 1e-16/h
  const auto w_between = [&](double a, double b) {
    return (1 / (b - a)) * log_rotation(signal.at(b).q * conjugate(signal.at(a).q));
  };
  const OrientationSignal::Sample now = signal.at(t);
  EXPECT_LT(norm(now.w - w_between(t - h, t + h)), 1e-5);
  EXPECT_LT(norm(now.w_dot - (1 / h) * (w_between(t, t + h) - w_between(t - h, t))), 1e-4);
  EXPECT_NEAR(norm_squared(now.q), 1, 1e-14);
}

TEST(OrientationSignal, AboutAnAxisTurnsAboutIt) {
  const Vec3<double> axis{1, 2, -2};
  const OrientationSignal signal = OrientationSignal::about(axis, Signal::polynomial({0.3, 2, 1.5}));
  const OrientationSignal::Sample s = signal.at(0.4);
  const double angle = 0.3 + 2 * 0.4 + 1.5 * 0.16;
  EXPECT_LT(distance(rotation(s.q), rotation(exp_rotation((angle / 3) * axis))), 1e-14);
  EXPECT_LT(norm(s.w - ((2 + 3 * 0.4) / 3) * axis), 1e-14);
  EXPECT_LT(norm(s.w_dot - (3.0 / 3) * axis), 1e-14);
}

TEST(OrientationSignal, RollPitchYawIsThatOfTheLanguageWithItsRates) {
  const OrientationSignal signal =
      OrientationSignal::roll_pitch_yaw(Signal::sine(0.7, 2), Signal::sine(1.2, 1, 0.5), Signal::polynomial({0, 1, -2}));
  const double t = 0.8;
  const Vec3<double> angles{0.7 * std::sin(2 * t), 1.2 * std::sin(t + 0.5), t - 2 * t * t};
  EXPECT_LT(distance(rotation(signal.at(t).q), rotation_rpy(angles)), 1e-14);
  for (const double at : {0.0, 0.8, 2.0}) expect_rates(signal, at);
}

TEST(OrientationSignal, SamplesAreMetAndJoinedWithContinuousAcceleration) {
  std::vector<double> times;
  std::vector<Quaternion<double>> values;
  for (int i = 0; i < 7; ++i) {
    times.push_back(0.2 * i);
    const Quaternion<double> a = exp_rotation({0.5 * i, std::sin(0.3 * i), -0.1 * i * i});
    values.push_back(i % 2 == 0 ? a : Quaternion<double>{-a.w, -a.x, -a.y, -a.z});  // signs do not matter
  }
  const OrientationSignal signal = OrientationSignal::samples(times, values);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_LT(distance(rotation(signal.at(times[i]).q), rotation(values[i])), 1e-14);
  for (const double t : {0.3, 0.5, 0.71}) expect_rates(signal, t);
  const double knot = times[3];
  EXPECT_LT(norm(signal.at(knot - 1e-9).w_dot - signal.at(knot + 1e-9).w_dot), 1e-5);
  EXPECT_EQ(norm(signal.at(5).w), 0);
}

TEST(OrientationSignal, RefusesWhatHasNoDirection) {
  EXPECT_THROW(OrientationSignal::about({0, 0, 0}, Signal()), std::invalid_argument);
  EXPECT_THROW(OrientationSignal::about({NAN, 0, 0}, Signal()), std::invalid_argument);
  EXPECT_THROW(OrientationSignal::samples({0, 1}, {{1, 0, 0, 0}, {0, 0, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(OrientationSignal::samples({0, 0}, {{1, 0, 0, 0}, {1, 0, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(OrientationSignal::samples({0}, {}), std::invalid_argument);
  EXPECT_THROW(OrientationSignal::samples({}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace polhode
