#include "polhode/spatial/spatial_inertia.h"

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/LU>
#include <random>
#include <stdexcept>

namespace polhode {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

class SpatialInertiaLaws : public testing::Test {
 protected:
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vec3<double> vec3() { return {number(), number(), number()}; }
  Rotation rotation() { return Rotation(UnitVec3(vec3()), 3 * number()); }
  Motion<double> motion() { return {vec3(), vec3()}; }
  Wrench<double> wrench() { return {vec3(), vec3()}; }
  /// Boxes of about a metre, turned and moved.
  MassProperties matter() {
    const MassProperties box = MassProperties::box(2 + number(), {1.2 + number(), 1.2 + number(), 1.2 + number()}, vec3());
    return transformed({rotation().matrix(), vec3()}, box);
  }

 private:
  std::mt19937 engine_{3};
};

Eigen::Matrix3d eigen(const Mat3<double>& A) {
  Eigen::Matrix3d B;
  for (int i = 0; i < 9; ++i) B(i / 3, i % 3) = A(i / 3, i % 3);
  return B;
}
Vector6 eigen(const Motion<double>& V) {
  return (Vector6() << V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z).finished();
}
Vector6 eigen(const Wrench<double>& F) {
  return (Vector6() << F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z).finished();
}

template <class Inertia>
Matrix6 dense(const Inertia& M) {
  const SpatialMatrix rows = M.matrix();
  Matrix6 A;
  for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = rows[std::size_t(i / 6)][std::size_t(i % 6)];
  return A;
}

/// m [G p^; -p^ 1] as (12.1) has it, with m G = J + m (p.p 1 - p p^T).
Matrix6 as_printed(const MassProperties& b) {
  const Eigen::Matrix3d p = eigen(skew(b.com));
  Matrix6 M;
  M << eigen(b.inertia.full()) - b.mass * p * p, b.mass * p, -b.mass * p, b.mass * Eigen::Matrix3d::Identity();
  return M;
}

constexpr double rounding = 1e-13;          // sums of some ten products of numbers below ten
constexpr double inverse_rounding = 1e-11;  // the same, times the condition of inertias from 0.005 on

TEST_F(SpatialInertiaLaws, MatrixIsTheOneInPrint) {
  for (int i = 0; i < 20; ++i) {
    const MassProperties b = matter();
    const SpatialInertia M(b);
    EXPECT_LT((dense(M) - as_printed(b)).norm(), rounding);
    const Motion<double> V = motion();
    EXPECT_LT((eigen(M * V) - as_printed(b) * eigen(V)).norm(), rounding);
    EXPECT_NEAR(M.kinetic_energy(V), 0.5 * eigen(V).dot(as_printed(b) * eigen(V)), rounding);
  }
}

TEST_F(SpatialInertiaLaws, ShiftsThereAndBack) {
  for (int i = 0; i < 20; ++i) {
    const SpatialInertia M(matter());
    const Vec3<double> p = vec3();
    EXPECT_LT((dense(M.shifted(p).shifted(-p)) - dense(M)).norm(), rounding);
    // One body moves as it moves, whatever point its velocity is said of.
    const Motion<double> V = motion();
    EXPECT_NEAR(M.shifted(p).kinetic_energy(shifted(V, p)), M.kinetic_energy(V), rounding);
    EXPECT_LT((eigen(shifted_back(M.shifted(p) * shifted(V, p), p)) - eigen(M * V)).norm(), rounding);
  }
}

// Huygens and Steiner: about an axis at the distance d from the centre of mass a moment of inertia is m d^2 larger.
TEST_F(SpatialInertiaLaws, ShiftByTheTheoremOfParallelAxes) {
  for (int i = 0; i < 20; ++i) {
    const SpatialInertia M(matter());
    const SpatialInertia at_com = M.shifted(M.com());
    const Vec3<double> p = vec3();
    const UnitVec3 n(vec3());
    const auto moment = [&](const SpatialInertia& about) { return dot(n.vector(), about.inertia_about_origin() * n.vector()); };
    const double d = norm(cross(p, n.vector()));
    EXPECT_NEAR(moment(at_com.shifted(p)), moment(at_com) + M.mass() * d * d, rounding);
    EXPECT_LT(norm(at_com.com()), rounding);
  }
}

TEST_F(SpatialInertiaLaws, IsTheSameInOtherAxes) {
  for (int i = 0; i < 20; ++i) {
    const SpatialInertia M(matter());
    const Rotation R = rotation();
    Matrix6 R6 = Matrix6::Zero();
    R6.topLeftCorner<3, 3>() = R6.bottomRightCorner<3, 3>() = eigen(R.matrix());
    EXPECT_LT((dense(M.expressed_in(R)) - R6 * dense(M) * R6.transpose()).norm(), rounding);
    EXPECT_LT((dense(M.expressed_in(R).inverse()) - dense(M.inverse().expressed_in(R))).norm(), inverse_rounding * 1e2);
  }
}

TEST_F(SpatialInertiaLaws, AddsUpAsMatterDoes) {
  const SpatialInertia a(matter()), b(matter());
  EXPECT_LT((dense((a + b)) - (dense(a) + dense(b))).norm(), rounding);
}

TEST_F(SpatialInertiaLaws, InverseUndoesIt) {
  for (int i = 0; i < 50; ++i) {
    const SpatialInertia M(matter());
    const InverseSpatialInertia inverse = M.inverse();
    const double condition = dense(M).norm() * dense(inverse).norm();
    const double tolerance = 1e-15 * condition * 10;  // ten roundings, magnified by the condition
    EXPECT_LT((dense(inverse) * dense(M) - Matrix6::Identity()).norm(), tolerance);
    EXPECT_LT((dense(inverse) - dense(M).inverse()).norm() / dense(inverse).norm(), tolerance);
    EXPECT_LT((dense(inverse) - dense(inverse).transpose()).norm() / dense(inverse).norm(), 1e-14);
    const Motion<double> V = motion();
    EXPECT_LT((eigen(inverse * (M * V)) - eigen(V)).norm(), tolerance);
    const Vec3<double> p = vec3();
    EXPECT_LT((dense(inverse.shifted(p)) - dense(M.shifted(p)).inverse()).norm() / dense(inverse).norm(), tolerance * 10);
    EXPECT_EQ(inverse.inverse(), M);
  }
}

// Numbers of asteroids and of grains of dust.
TEST_F(SpatialInertiaLaws, InverseNeedsNoUsualSizes) {
  for (const double size : {1e-60, 1e60}) {
    const MassProperties ball = MassProperties::sphere(2, size);
    const Motion<double> V = SpatialInertia(ball).inverse() * Wrench<double>{{0, 0, 0.8 * size * size}, {}};
    EXPECT_NEAR(V.angular.z, 1, 1e-15);
  }
}

TEST_F(SpatialInertiaLaws, GuardsThatMatterCanHaveIt) {
  EXPECT_THROW(SpatialInertia({1, {}, SymMat3<double>::diagonal({1, 1, 3})}), std::invalid_argument);
  EXPECT_THROW(SpatialInertia({-1, {}, {}}), std::invalid_argument);
  EXPECT_THROW(SpatialInertia({0, {}, SymMat3<double>::diagonal({1, 1, 1})}), std::invalid_argument);
  EXPECT_THROW(SpatialInertia({1, {std::nan(""), 0, 0}, {}}), std::invalid_argument);
  EXPECT_THROW(SpatialInertia(MassProperties::particle(1)).inverse(), std::domain_error);
  EXPECT_THROW(SpatialInertia(MassProperties::rod(1, {1, 0, 0})).inverse(), std::domain_error);
  EXPECT_THROW(SpatialInertia({0, {}, {}}).inverse(), std::domain_error);
}

}  // namespace
}  // namespace polhode
