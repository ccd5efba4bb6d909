#include "polhode/mechanism/inertia_check.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "polhode/mechanism/joint_queries.h"

namespace polhode {
namespace {

/// Kinetic energy of the body's relative motion is u^T D u / 2: is D singular at q?
bool lacks_inertia_at(const MassProperties& mass, const JointModel& model, bool reversed, const Transform<double>& X_BM,
                      std::span<const char> prescribed, const std::vector<double>& q) {
  const Transform<double> X_FM = pose_at(model, q);
  std::vector<Motion<double>> H;
  const std::vector<Motion<double>> columns = hinge_columns(model, q);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (prescribed.empty() || !prescribed[k]) H.push_back(columns[k]);
  if (H.empty()) return false;
  // All in the axes of the model's F. The child is fixed to M, or in a reversed joint to F; its motion relative to the
  // other end is the same field of velocities up to sign, given by H at M's origin.
  const MassProperties in_own = transformed(inverse(X_BM), mass);
  const MassProperties in_F = reversed ? in_own : transformed(X_FM, in_own);
  const int n = int(H.size());
  Eigen::MatrixXd D(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Motion<double> a = shifted(H[i], in_F.com - X_FM.p), b = shifted(H[j], in_F.com - X_FM.p);
      D(i, j) = dot(a.angular, in_F.inertia * b.angular) + in_F.mass * dot(a.linear, b.linear);
    }
  }
  // Rounding leaves arms of some 1e-16 m where there should be none. Whatever has a radius of gyration below 1e-12 m has
  // no inertia; what is left is scaled to ones on the diagonal, since rows may have different units.
  const double nothing = 1e-24 * mass.mass;
  for (int i = 0; i < n; ++i)
    if (D(i, i) <= nothing) return true;
  const Eigen::VectorXd scale = D.diagonal().cwiseSqrt().cwiseInverse();
  D = (scale.asDiagonal() * D * scale.asDiagonal()).eval();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(D, Eigen::EigenvaluesOnly).eigenvalues()[0] < 1e-11;
}

std::string advice(const Body& body, const Joint& joint) {
  switch (structure(body.mass)) {
    case MassStructure::particle:
      return fmt::format(
          "body \"{}\" is a particle, with no inertia against some of the turning that this {} joint allows; give it an "
          "inertia, place its mass off the axes of the turning, or use a joint that does not turn it, such as translation",
          body.name, type_name(joint.model));
    case MassStructure::line:
      return fmt::format(
          "body \"{}\" is a thin line, with no inertia about itself, and this {} joint lets it turn so; give it an inertia "
          "about its own line, or use a joint that does not spin it, such as universal or free-line",
          body.name, type_name(joint.model));
    default:
      return fmt::format(
          "body \"{}\" has no inertia against some of the motion that this {} joint allows; give it an inertia or use "
          "another joint",
          body.name, type_name(joint.model));
  }
}

}  // namespace

bool lacks_inertia(const MassProperties& mass, const JointModel& model, bool reversed, const Transform<double>& X_BM,
                   std::span<const char> prescribed) {
  const auto lacks = [&](int sample) {
    return lacks_inertia_at(mass, model, reversed, X_BM, prescribed, generic_coordinates(model, sample));
  };
  return lacks(0) && lacks(1);  // what two generic configurations have in common almost surely holds in all
}

std::vector<UndeterminedMotion> undetermined_motions(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                                                     std::span<const char> prescribed,
                                                     const std::vector<Source>& joint_source) {
  const int n = int(bodies.size());
  const auto num_free = [&](const Joint& joint) {
    return std::count(prescribed.begin() + joint.first_u, prescribed.begin() + joint.first_u + joint.nu, 0);
  };
  std::vector<bool> has_mass(n, false), is_leaf(n, true), told(n, false);
  for (int b = n - 1; b > 0; --b) {
    if (bodies[b].mass.mass > 0) has_mass[b] = true;
    if (has_mass[b]) has_mass[bodies[b].parent] = true;
    is_leaf[bodies[b].parent] = false;
  }
  std::vector<UndeterminedMotion> found;
  for (int b = 1; b < n; ++b) {
    const Joint& joint = joints[b];
    const int parent = bodies[b].parent;
    if (!has_mass[b]) {
      told[b] = num_free(joint) > 0 || told[parent];  // once for each massless branch, at its first moving joint
      if (num_free(joint) == 0 || told[parent]) continue;
      const char* rest = is_leaf[b] ? "" : " and nothing that hangs on it has";
      const std::string what =
          joint.implicit ? fmt::format("body \"{}\" is free and has no mass{}", bodies[b].name, rest)
                         : fmt::format("joint \"{}\" moves body \"{}\", which has no mass{}", joint.name, bodies[b].name, rest);
      found.push_back({b, {what + ", so its motion is undetermined; give it a mass", joint_source[b], {}, {}}});
    } else if (is_leaf[b] && num_free(joint) > 0) {
      const auto of_joint = prescribed.subspan(std::size_t(joint.first_u), std::size_t(joint.nu));
      if (lacks_inertia(bodies[b].mass, joint.model, joint.reversed, joint.X_BM, of_joint))
        found.push_back({b,
                         {fmt::format("joint \"{}\" leaves a motion undetermined: {}", joint.name, advice(bodies[b], joint)),
                          joint_source[b],
                          {},
                          {}}});
    }
  }
  return found;
}

}  // namespace polhode
