#pragma once
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "polhode/spatial/spatial_vector.h"

namespace polhode::testing_support {

inline constexpr double eps = 2.220446049250313e-16;

/// With POLHODE_TEST_ZERO_TOLERANCE set, every comparison fails and shows its real residual.
inline double tolerance(double asked) {
  static const bool zero = std::getenv("POLHODE_TEST_ZERO_TOLERANCE") != nullptr;
  return zero ? 0 : asked;
}

inline std::vector<double> numbers(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline std::vector<double> numbers(const Motion<double>& V) {
  return {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
}
inline std::vector<double> numbers(const Wrench<double>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}
inline std::vector<double> numbers(const Transform<double>& X) {
  std::vector<double> all;
  for (const Vec3<double>& c : {X.R.col[0], X.R.col[1], X.R.col[2], X.p}) all.insert(all.end(), {c.x, c.y, c.z});
  return all;
}
inline std::vector<double> numbers(const Eigen::MatrixXd& A) {
  std::vector<double> all;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) all.push_back(A(i, j));
  return all;
}
inline std::vector<double> numbers(double x) { return {x}; }
inline std::vector<double> numbers(std::span<const double> v) { return {v.begin(), v.end()}; }
inline std::vector<double> numbers(const std::vector<double>& v) { return v; }

inline double largest(const std::vector<double>& v) {
  double m = 0;
  for (const double x : v) m = std::max(m, std::abs(x));
  return m;
}

/// Largest difference over the largest entry of the expected numbers (or over `scale`, where those may all be small).
inline ::testing::AssertionResult near_numbers(const std::vector<double>& actual, const std::vector<double>& expected,
                                               double relative, double scale = 0) {
  if (actual.size() != expected.size())
    return ::testing::AssertionFailure() << actual.size() << " numbers where " << expected.size() << " are expected";
  const double unit = std::max(largest(expected), scale);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(actual[i] - expected[i]);
    if (!(error <= tolerance(relative) * unit))
      return ::testing::AssertionFailure() << "number " << i << " is " << actual[i] << ", expected " << expected[i]
                                           << "; relative to " << unit << " the error is " << error / unit << " > " << relative;
  }
  return ::testing::AssertionSuccess();
}
template <class A, class B>
::testing::AssertionResult near(const A& actual, const B& expected, double relative, double scale = 0) {
  return near_numbers(numbers(actual), numbers(expected), relative, scale);
}

}  // namespace polhode::testing_support
