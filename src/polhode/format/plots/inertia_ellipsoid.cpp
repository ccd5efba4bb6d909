#include "polhode/format/plots/inertia_ellipsoid.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace polhode::format {

std::optional<InertiaEllipsoid> inertia_ellipsoid(const MassProperties& m) {
  const SymMat3<double>& I = m.inertia;
  Eigen::Matrix3d A;
  A << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  if (!(m.mass > 0) || !A.allFinite() || A.isZero(0)) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(A);
  const Eigen::Vector3d moments = principal.eigenvalues();

  // I_i = m (a_j^2 + a_k^2) / 5, hence a_i^2 = 5/2 (I_j + I_k - I_i) / m. Where a rod or a plate is thin, rounding leaves a
  // little, of either sign.
  const Eigen::Vector3d squares = 2.5 / m.mass * (moments.sum() * Eigen::Vector3d::Ones() - 2 * moments);
  const double nothing = 1e-12 * squares.maxCoeff();
  const auto semiaxis = [&](int i) { return squares[i] > nothing ? std::sqrt(squares[i]) : 0.0; };

  Eigen::Matrix3d R = principal.eigenvectors();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  const auto column = [&](int i) { return Vec3<double>{R(0, i), R(1, i), R(2, i)}; };
  return InertiaEllipsoid{{semiaxis(0), semiaxis(1), semiaxis(2)}, quaternion({{column(0), column(1), column(2)}})};
}

}  // namespace polhode::format
