#include "polhode/spatial/inertia.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace polhode {
namespace {

/// m (|c|^2 1 - c c^T): the inertia of a particle at c.
SymMat3<double> particle_inertia(double m, const Vec3<double>& c) {
  return {m * (c.y * c.y + c.z * c.z),
          m * (c.x * c.x + c.z * c.z),
          m * (c.x * c.x + c.y * c.y),
          -m * c.x * c.y,
          -m * c.x * c.z,
          -m * c.y * c.z};
}

/// In increasing order.
Eigen::Vector3d principal_moments(const SymMat3<double>& I) {
  if (I.xy == 0 && I.xz == 0 && I.yz == 0) {
    Eigen::Vector3d moments(I.xx, I.yy, I.zz);
    std::sort(moments.data(), moments.data() + 3);
    return moments;
  }
  Eigen::Matrix3d A;
  A << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

bool finite(const MassProperties& m) {
  const auto& I = m.inertia;
  for (const double x : {m.mass, m.com.x, m.com.y, m.com.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
    if (!std::isfinite(x)) return false;
  return true;
}

// Flat bodies and rods meet the inequalities with equality, and turning their axes may break them by rounding. Numbers typed
// with few digits may break them by more: that is told, as it cannot be told from a mistake.
constexpr double slack = 1e-9;

}  // namespace

SymMat3<double> MassProperties::inertia_about_origin() const { return inertia + particle_inertia(mass, com); }

MassProperties MassProperties::rod(double mass, const Vec3<double>& end) {
  const SymMat3<double> about_end = particle_inertia(mass, end);
  const auto twelfth = [](double x) { return x / 12; };
  return {mass,
          0.5 * end,
          {twelfth(about_end.xx), twelfth(about_end.yy), twelfth(about_end.zz), twelfth(about_end.xy), twelfth(about_end.xz),
           twelfth(about_end.yz)}};
}

MassProperties MassProperties::box(double mass, const Vec3<double>& e, const Vec3<double>& com) {
  const double k = mass / 12;
  return {mass, com,
          SymMat3<double>::diagonal({k * (e.y * e.y + e.z * e.z), k * (e.x * e.x + e.z * e.z), k * (e.x * e.x + e.y * e.y)})};
}

MassProperties MassProperties::sphere(double mass, double radius, const Vec3<double>& com) {
  const double k = 0.4 * mass * radius * radius;
  return {mass, com, SymMat3<double>::diagonal({k, k, k})};
}

MassStructure structure(const MassProperties& m) {
  if (m.mass == 0) return MassStructure::massless;
  const Eigen::Vector3d moments = principal_moments(m.inertia);
  if (moments[2] == 0) return MassStructure::particle;
  return moments[0] <= slack * moments[2] ? MassStructure::line : MassStructure::rigid;
}

MassProperties transformed(const Transform<double>& X_AB, const MassProperties& in_B) {
  return {in_B.mass, X_AB * in_B.com, rotated(X_AB.R, in_B.inertia)};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  if (a.mass == 0) return b;
  if (b.mass == 0) return a;
  const double mass = a.mass + b.mass;
  const Vec3<double> com = (1 / mass) * (a.mass * a.com + b.mass * b.com);
  return {mass, com, a.inertia + particle_inertia(a.mass, a.com - com) + b.inertia + particle_inertia(b.mass, b.com - com)};
}

std::vector<std::string> problems(const MassProperties& m) {
  const std::vector<std::string> found = unusable(m);
  return found.empty() ? broken_triangles(m) : found;
}

std::vector<std::string> unusable(const MassProperties& m) {
  if (!finite(m)) return {"mass, centre of mass and inertia must be finite numbers"};
  std::vector<std::string> found;
  if (m.mass < 0) found.push_back(fmt::format("mass {} kg is negative", m.mass));
  const auto& I = m.inertia;
  const double largest = std::max({I.xx, I.yy, I.zz});
  for (const auto& [name, value] : {std::pair{"Ixx", I.xx}, {"Iyy", I.yy}, {"Izz", I.zz}})
    if (value < 0) found.push_back(fmt::format("{} = {} kg m^2 is negative", name, value));
  if (m.mass == 0 && (largest > 0 || I.xy != 0 || I.xz != 0 || I.yz != 0))
    found.push_back(
        fmt::format("inertia without mass (Ixx, Iyy, Izz = {}, {}, {} kg m^2); give a mass as well", I.xx, I.yy, I.zz));
  if (!found.empty()) return found;

  const Eigen::Vector3d moments = principal_moments(I);
  if (moments[0] < -slack * largest)
    found.push_back(
        fmt::format("products of inertia (Ixy, Ixz, Iyz = {}, {}, {}) are too large: a principal moment would be {:.6g} kg m^2",
                    I.xy, I.xz, I.yz, moments[0]));
  return found;
}

std::vector<std::string> broken_triangles(const MassProperties& m) {
  const auto& I = m.inertia;
  const double largest = std::max({I.xx, I.yy, I.zz});
  std::vector<std::string> found;
  const auto check_triangle = [&](const char* a, double x, const char* b, double y, const char* c, double z) {
    if (x + y < z - slack * largest)
      found.push_back(fmt::format(
          "{} + {} = {:.6g} < {} = {:.6g} kg m^2 breaks the triangle inequality; check units or products of inertia", a, b,
          x + y, c, z));
  };
  check_triangle("Ixx", I.xx, "Iyy", I.yy, "Izz", I.zz);
  check_triangle("Ixx", I.xx, "Izz", I.zz, "Iyy", I.yy);
  check_triangle("Iyy", I.yy, "Izz", I.zz, "Ixx", I.xx);
  if (!found.empty()) return found;

  const Eigen::Vector3d moments = principal_moments(I);
  if (moments[0] + moments[1] < moments[2] * (1 - slack)) {
    found.push_back(fmt::format(
        "principal moments {:.6g} + {:.6g} < {:.6g} kg m^2 break the triangle inequality; check units or products of inertia",
        moments[0], moments[1], moments[2]));
  }
  return found;
}

}  // namespace polhode
