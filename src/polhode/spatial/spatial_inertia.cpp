#include "polhode/spatial/spatial_inertia.h"

#include <fmt/format.h>

#include <stdexcept>

namespace polhode {
namespace {

/// By cofactors; scaled first, so that inertias of very small and very large things do not under- or overflow.
SymMat3<double> inverse_of(const SymMat3<double>& S) {
  const double scale = std::fmax(S.xx, std::fmax(S.yy, S.zz));
  const auto of = [&](double x) { return x / scale; };
  const SymMat3<double> A{of(S.xx), of(S.yy), of(S.zz), of(S.xy), of(S.xz), of(S.yz)};
  const double xx = A.yy * A.zz - A.yz * A.yz, xy = A.xz * A.yz - A.xy * A.zz, xz = A.xy * A.yz - A.xz * A.yy;
  const double determinant = A.xx * xx + A.xy * xy + A.xz * xz;
  const double k = 1 / (determinant * scale);
  return {k * xx, k * (A.xx * A.zz - A.xz * A.xz), k * (A.xx * A.yy - A.xy * A.xy), k * xy,
          k * xz, k * (A.xy * A.xz - A.xx * A.yz)};
}

/// Applies a linear map to each of the six unit motions or wrenches.
template <class Unit, class Map>
SpatialMatrix matrix_of(Map map) {
  SpatialMatrix matrix{};
  for (int i = 0; i < 6; ++i) {
    Unit unit;
    auto& [above, below] = unit;
    (i < 3 ? above : below)[i % 3] = 1;
    const auto image = map(unit);
    const auto& [image_above, image_below] = image;
    for (std::size_t k = 0; k < 3; ++k) {
      matrix[k][std::size_t(i)] = image_above[int(k)];
      matrix[3 + k][std::size_t(i)] = image_below[int(k)];
    }
  }
  return matrix;
}

}  // namespace

SpatialInertia::SpatialInertia(const MassProperties& properties) : matter_(properties) {
  if (const std::vector<std::string> wrong = problems(properties); !wrong.empty())
    throw std::invalid_argument(fmt::format("spatial inertia: {}", fmt::join(wrong, "; ")));
}

SpatialInertia SpatialInertia::shifted(const Vec3<double>& p) const {
  return {{matter_.mass, matter_.com - p, matter_.inertia}, Trusted{}};
}

SpatialInertia SpatialInertia::expressed_in(const Rotation& R_AB) const {
  return {transformed({R_AB.matrix(), {}}, matter_), Trusted{}};
}

SpatialInertia SpatialInertia::operator+(const SpatialInertia& other) const {
  return {combined(matter_, other.matter_), Trusted{}};
}

Wrench<double> SpatialInertia::operator*(const Motion<double>& V) const {
  const Motion<double> V_com = polhode::shifted(V, matter_.com);
  return shifted_back({matter_.inertia * V_com.angular, matter_.mass * V_com.linear}, matter_.com);
}

double SpatialInertia::kinetic_energy(const Motion<double>& V) const { return 0.5 * dot(*this * V, V); }

SpatialMatrix SpatialInertia::matrix() const {
  return matrix_of<Motion<double>>([&](const Motion<double>& V) { return *this * V; });
}

InverseSpatialInertia SpatialInertia::inverse() const {
  if (structure(matter_) != MassStructure::rigid)
    throw std::domain_error(
        fmt::format("spatial inertia: a body of {} kg without moments of inertia about every axis has no inverse", mass()));
  return {matter_, inverse_of(matter_.inertia)};
}

Motion<double> InverseSpatialInertia::operator*(const Wrench<double>& F) const {
  const Vec3<double> moment = F.moment - cross(matter_.com, F.force);  // about the centre of mass
  const Motion<double> at_com{J_inverse_ * moment, (1 / matter_.mass) * F.force};
  return polhode::shifted(at_com, -matter_.com);
}

InverseSpatialInertia InverseSpatialInertia::shifted(const Vec3<double>& p) const {
  return {{matter_.mass, matter_.com - p, matter_.inertia}, J_inverse_};
}

InverseSpatialInertia InverseSpatialInertia::expressed_in(const Rotation& R_AB) const {
  return {transformed({R_AB.matrix(), {}}, matter_), rotated(R_AB.matrix(), J_inverse_)};
}

SpatialMatrix InverseSpatialInertia::matrix() const {
  return matrix_of<Wrench<double>>([&](const Wrench<double>& F) { return *this * F; });
}

}  // namespace polhode
