#include "polhode/spatial/inertia.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace polhode {
namespace {

struct Particle {
  double mass;
  Vec3<double> at;
};

/// The definition: sums over particles. Shares nothing with the library but vectors.
MassProperties sum_over(const std::vector<Particle>& particles) {
  MassProperties total;
  for (const auto& [m, p] : particles) total.mass += m, total.com += m * p;
  total.com = (1 / total.mass) * total.com;
  for (const auto& [m, p] : particles) {
    const auto [x, y, z] = p - total.com;
    auto& I = total.inertia;
    I.xx += m * (y * y + z * z), I.yy += m * (x * x + z * z), I.zz += m * (x * x + y * y);
    I.xy -= m * x * y, I.xz -= m * x * z, I.yz -= m * y * z;
  }
  return total;
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance);
  EXPECT_LE(norm(a.com - b.com), tolerance);
  const SymMat3<double> d = a.inertia - b.inertia;
  for (const double x : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) EXPECT_NEAR(x, 0, tolerance);
}

class Inertia : public testing::Test {
 protected:
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3<double> vec3() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  std::vector<Particle> cloud(int n) {
    std::vector<Particle> particles(n);
    for (auto& p : particles) p = {number(0.1, 2), vec3()};
    return particles;
  }
  Transform<double> pose() { return {rotation_about(normalized(vec3()), number(-3, 3)), vec3()}; }

 private:
  std::mt19937 engine_{3};
};

constexpr double rounding = 1e-13;  // sums of twenty products of order one

TEST_F(Inertia, MovesWithTheFrameAsParticlesDo) {
  auto particles = cloud(6);
  const MassProperties in_B = sum_over(particles);
  const Transform<double> X_AB = pose();
  for (auto& p : particles) p.at = X_AB * p.at;
  expect_same(transformed(X_AB, in_B), sum_over(particles), rounding);
}

TEST_F(Inertia, OfTwoLumpsIsThatOfAllTheirParticles) {
  const auto a = cloud(4), b = cloud(5);
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  expect_same(combined(sum_over(a), sum_over(b)), sum_over(both), rounding);
  expect_same(combined(sum_over(a), MassProperties{}), sum_over(a), 0);
  expect_same(combined(MassProperties{}, sum_over(a)), sum_over(a), 0);
}

TEST_F(Inertia, AboutTheOriginIsTheSumOfMassTimesSquaredDistance) {
  const auto particles = cloud(6);
  const SymMat3<double> I = sum_over(particles).inertia_about_origin();
  double zz = 0, xy = 0;
  for (const auto& [m, p] : particles) zz += m * (p.x * p.x + p.y * p.y), xy -= m * p.x * p.y;
  EXPECT_NEAR(I.zz, zz, rounding);
  EXPECT_NEAR(I.xy, xy, rounding);
}

// Gauss' two points at +-1/sqrt(3) integrate squares exactly, so two half masses stand for a rod and eight for a box.
TEST_F(Inertia, OfRodAndBoxIsTheirIntegral) {
  const double g = 1 / std::sqrt(3.0);
  const Vec3<double> end{0.3, -0.4, 1.2}, edges{1, 2, 3}, com{0.1, 0.2, 0.3};
  expect_same(MassProperties::rod(3, end), sum_over({{1.5, (0.5 - 0.5 * g) * end}, {1.5, (0.5 + 0.5 * g) * end}}), rounding);
  std::vector<Particle> corners;
  for (const double x : {-g, g})
    for (const double y : {-g, g})
      for (const double z : {-g, g}) corners.push_back({0.25, com + 0.5 * Vec3<double>{x * edges.x, y * edges.y, z * edges.z}});
  expect_same(MassProperties::box(2, edges, com), sum_over(corners), rounding);
}

// A solid sphere: integral of (2/3) r^2 over shells, (2/3) (3/5) m R^2 = 2/5 m R^2 about every axis.
TEST_F(Inertia, OfASphereIsTwoFifths) {
  const auto sphere = MassProperties::sphere(5, 2);
  EXPECT_NEAR(sphere.inertia.xx, 8, 1e-14);
  EXPECT_EQ(sphere.inertia.xx, sphere.inertia.zz);
}

TEST_F(Inertia, TellsWhatKindOfMatterItIs) {
  EXPECT_EQ(structure({}), MassStructure::massless);
  EXPECT_EQ(structure(MassProperties::particle(1, {1, 2, 3})), MassStructure::particle);
  EXPECT_EQ(structure(transformed(pose(), MassProperties::rod(1, {1, 2, 3}))), MassStructure::line);
  EXPECT_EQ(structure(MassProperties::sphere(1, 0.1)), MassStructure::rigid);
}

TEST_F(Inertia, OfRealMatterHasNoProblems) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(problems(transformed(pose(), sum_over(cloud(1 + i % 5)))).empty());
    EXPECT_TRUE(problems(transformed(pose(), MassProperties::rod(1, vec3()))).empty());
  }
  // A flat plate meets the triangle inequality with equality, whatever way it is turned.
  EXPECT_TRUE(problems(transformed(pose(), MassProperties::box(1, {1, 2, 0}))).empty());
  EXPECT_TRUE(problems(MassProperties{}).empty());
}

MassProperties with_inertia(double xx, double yy, double zz, double xy = 0, double xz = 0, double yz = 0, double mass = 1) {
  return {mass, {}, {xx, yy, zz, xy, xz, yz}};
}
/// Every problem, one per line.
std::string told(const MassProperties& m) {
  std::string all;
  for (const auto& line : problems(m)) all += line + "\n";
  return all;
}

TEST_F(Inertia, ProblemsNameTheBrokenInequalityAndItsNumbers) {
  const std::pair<MassProperties, std::vector<const char*>> wrong[] = {
      {with_inertia(0.4, 0.5, 1.2), {"Ixx + Iyy = 0.9 < Izz = 1.2", "triangle"}},
      {with_inertia(0.4, 1.2, 0.5), {"Ixx + Izz = 0.9 < Iyy = 1.2", "triangle"}},
      {with_inertia(1.2, 0.4, 0.5), {"Iyy + Izz = 0.9 < Ixx = 1.2", "triangle"}},
      {with_inertia(1, 1, 1, 0, 0, 0, -2), {"mass -2 kg is negative"}},
      {with_inertia(-1, 1, 1), {"Ixx = -1 kg m^2 is negative"}},
      {with_inertia(1, -3, 1), {"Iyy = -3 kg m^2 is negative"}},
      {with_inertia(1, 1, -4), {"Izz = -4 kg m^2 is negative"}},
      {with_inertia(1, 1, 1, 0, 0, 0, 0), {"inertia without mass", "1, 1, 1"}},
      // Eigenvalues of a 2x2 block with 1 on the diagonal and 2 beside it: -1 and 3.
      {with_inertia(1, 1, 1, 2), {"products of inertia", "Ixy, Ixz, Iyz = 2, 0, 0", "would be -1"}},
      // With 0.9 beside it: 0.1 and 1.9, and 0.1 + 1 < 1.9.
      {with_inertia(1, 1, 1, 0.9), {"principal moments 0.1 + 1 < 1.9", "triangle"}},
      {with_inertia(std::numeric_limits<double>::quiet_NaN(), 1, 1), {"finite"}},
      {{1, {0, std::numeric_limits<double>::infinity(), 0}, {}}, {"finite"}}};
  for (const auto& [properties, words] : wrong) {
    const std::string message = told(properties);
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' not in: " << message;
  }
}

TEST_F(Inertia, TellsAllNegativeNumbersAtOnce) { EXPECT_EQ(problems(with_inertia(-1, -1, 1, 0, 0, 0, -1)).size(), 3u); }

}  // namespace
}  // namespace polhode
