#include "tests/oracle/trep_from_mechanism.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <stdexcept>

namespace polhode::oracle::trep {
namespace {

/// A primitive frame and which of the joint's coordinates drives it.
struct Driven {
  Primitive primitive;
  int coordinate;
};

/// A joint's pose as a product of primitives, from the definitions of the joint types.
std::vector<Driven> primitives(const JointModel& model) {
  using enum Primitive;
  if (std::holds_alternative<Weld>(model)) return {};
  if (std::holds_alternative<Revolute>(model)) return {{rz, 0}};
  if (std::holds_alternative<Prismatic>(model)) return {{tz, 0}};
  if (std::holds_alternative<Cylindrical>(model)) return {{rz, 0}, {tz, 1}};
  if (std::holds_alternative<Universal>(model)) return {{rx, 0}, {ry, 1}};
  if (std::holds_alternative<Planar>(model)) return {{tx, 1}, {ty, 2}, {rz, 0}};
  if (std::holds_alternative<Gimbal>(model)) return {{rx, 0}, {ry, 1}, {rz, 2}};
  if (std::holds_alternative<Translation>(model)) return {{tx, 0}, {ty, 1}, {tz, 2}};
  if (std::holds_alternative<Bushing>(model)) return {{tx, 3}, {ty, 4}, {tz, 5}, {rx, 0}, {ry, 1}, {rz, 2}};
  throw std::invalid_argument("the oracle has no frames for joints of type " + std::string(type_name(model)));
}

Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Eigen::Matrix3d eigen(const Mat3<double>& A) {
  Eigen::Matrix3d out;
  for (int j = 0; j < 3; ++j) out.col(j) = eigen(A.col[j]);
  return out;
}

class Conversion {
 public:
  explicit Conversion(const Mechanism& mechanism) : mechanism_(mechanism), body_(mechanism.num_bodies()) {}

  System system() {
    refuse_what_cannot_be();
    tree().gravity = eigen(mechanism_.gravity());
    body_[0] = tree().add({.name = ground_name});
    for (int b = 1; b < mechanism_.num_bodies(); ++b) add_body(b);
    for (const polhode::Frame& frame : mechanism_.frames())
      frame_.push_back(add_fixed(body_[frame.body], eigen(frame.X_BF.R), eigen(frame.X_BF.p), {.name = frame.name}));
    for (const polhode::Constraint& constraint : mechanism_.constraints())
      std::visit([&](const auto& model) { add(model); }, constraint.model);
    add_forces();
    return out_;
  }

 private:
  Tree& tree() { return out_.tree; }

  void refuse_what_cannot_be() const {
    const Forces& f = mechanism_.forces();
    if (mechanism_.num_q() != mechanism_.num_u()) throw std::invalid_argument("speeds must be rates of coordinates");
    if (!mechanism_.loop_joints().empty()) throw std::invalid_argument("the oracle has no loop joints");
    if (f.act_on_bodies()) throw std::invalid_argument("the oracle has no forces on bodies");
  }

  /// A frame fixed on another: six constant frames, the last of which gets the given name and mass.
  int add_fixed(int parent, const Eigen::Matrix3d& R, const Eigen::Vector3d& p, const Frame& last = {}) {
    const Eigen::Vector3d angles = R.eulerAngles(0, 1, 2);
    const double constants[] = {p.x(), p.y(), p.z(), angles.x(), angles.y(), angles.z()};
    for (int k = 0; k < 6; ++k)
      if (constants[k] != 0) parent = tree().add({.parent = parent, .primitive = Primitive(k), .constant = constants[k]});
    Frame frame = last;
    frame.parent = parent;
    return tree().add(frame);
  }
  int add_fixed(int parent, const Transform<double>& X) { return add_fixed(parent, eigen(X.R), eigen(X.p)); }

  /// g(-q) = flip g(q) flip^-1, where flip turns by half a turn about an axis across the primitive's.
  int add_negated(int parent, const Driven& driven, int variable) {
    const Primitive across = int(driven.primitive) % 3 == 0 ? Primitive::ry : Primitive::rx;
    const int flipped = tree().add({.parent = parent, .primitive = across, .constant = pi});
    const int moved = tree().add({.parent = flipped, .primitive = driven.primitive, .variable = variable});
    return tree().add({.parent = moved, .primitive = across, .constant = -pi});
  }

  void add_body(int b) {
    const Joint& joint = mechanism_.joints()[b];
    int at = add_fixed(body_[mechanism_.bodies()[b].parent], joint.X_PF);
    std::vector<Driven> moving = primitives(joint.model);
    if (joint.reversed) std::reverse(moving.begin(), moving.end());
    for (const Driven& driven : moving) {
      const int variable = joint.first_q + driven.coordinate;
      at = joint.reversed ? add_negated(at, driven, variable)
                          : tree().add({.parent = at, .primitive = driven.primitive, .variable = variable});
    }
    body_[b] = add_fixed(at, inverse(joint.X_BM));
    add_mass(b);
  }

  void add_mass(int b) {
    const MassProperties& mass = mechanism_.bodies()[b].mass;
    if (mass.mass == 0) return;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(eigen(mass.inertia.full()));
    Eigen::Matrix3d R = principal.eigenvectors();
    if (R.determinant() < 0) R.col(2) *= -1;
    const Eigen::Vector3d I = principal.eigenvalues();
    add_fixed(body_[b], R, eigen(mass.com), {.mass = {mass.mass, I.x(), I.y(), I.z()}});
  }

  void add(const PointConstraint& c) {
    out_.constraints.push_back(PointAlong{frame_[c.frame_a], frame_[c.frame_b], eigen(c.direction)});
  }
  void add(const polhode::Wire& c) { out_.constraints.push_back(Wire{frame_[c.frame_a], frame_[c.frame_b], c.length}); }
  void add(const ScrewCoupler& c) { out_.constraints.push_back(ScrewPair{c.rotation.q, c.translation.q, c.lead}); }

  template <class Other>
  void add(const Other&) {
    throw std::invalid_argument("the oracle has wires, point constraints and screws only");
  }

  void add_forces() {
    const int n = mechanism_.num_q();
    GeneralizedForces& to = out_.forces;
    to.damping = to.stiffness = to.rest = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd constant = Eigen::VectorXd::Zero(n);
    const Forces& from = mechanism_.forces();
    for (const CoordinateForce& f : from.of<CoordinateForce>()) constant[f.coordinate.u] += f.value;
    for (const CoordinateDamping& f : from.of<CoordinateDamping>()) to.damping[f.coordinate.u] += f.damping;
    for (const CoordinateSpring& f : from.of<CoordinateSpring>()) {
      if (to.stiffness[f.coordinate.q] != 0) throw std::invalid_argument("the oracle has one spring for each coordinate");
      to.stiffness[f.coordinate.q] = f.stiffness, to.rest[f.coordinate.q] = f.rest;
    }
    to.input = [constant](double) { return constant; };
  }

  const Mechanism& mechanism_;
  System out_;
  std::vector<int> body_, frame_;
};

}  // namespace

System from_mechanism(const Mechanism& mechanism) { return Conversion(mechanism).system(); }

}  // namespace polhode::oracle::trep
