// DART.  Methods: euler (World::step, semi-implicit); forces, the same with springs as forces.  Debian's library asserts, so a
// run that diverges aborts.
//
// Linear springs and damping are DART's own, which it treats implicitly: stable for any step, but such springs lose energy.  In
// "forces", and where they are not linear, springs are joint forces that are set before a step, as drives always are.
// Loops are closed by ball-joint constraints with DART's own error reduction, 0.01 of a gap in a step.  With 0.2, ODE's and
// Bullet's, the device of Johnson & Murphey gapes 11 mm instead of 38 mm in 120 s at 10 ms, but the scissor lift diverges at
// 0.1 ms.

#include <dart/config.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/simulation/World.hpp>

#include <stdexcept>

#include "../step/subject.h"
#include "planar.h"

namespace polhode::bench {
namespace {

using dart::constraint::BallJointConstraint;
using dart::dynamics::BallJoint;
using dart::dynamics::BodyNode;
using dart::dynamics::FreeJoint;
using dart::dynamics::PrismaticJoint;
using dart::dynamics::RevoluteJoint;
using dart::dynamics::UniversalJoint;

Eigen::Vector3d vector3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Eigen::Vector3d& a) { return {a[0], a[1], a[2]}; }

Eigen::Matrix3d matrix3(const Rotation& R) { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.data()); }

Eigen::Isometry3d isometry(const Rotation& R, const Triple& p) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = matrix3(R);
  X.translation() = vector3(p);
  return X;
}

class DartStep final : public StepSubject {
 public:
  DartStep(const Problem& problem, const std::string& method) : problem_(problem), springs_are_forces_(method == "forces") {
    if (!springs_are_forces_ && method != "euler") throw std::runtime_error("DART has no method \"" + method + "\" here");
    world_->setGravity(vector3(problem.gravity));
    world_->setTimeStep(problem.dt);
    for (std::size_t i = 0; i < problem.links.size(); ++i) add_link(static_cast<int>(i));
    world_->addSkeleton(skeleton_);
    for (std::size_t i = 0; i < problem.links.size(); ++i) {
      set_start(problem.links[i], *links_[i]->getParentJoint());
      add_forces(static_cast<int>(i));
    }
    add_closures();
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) {
      for (const int link : forced_) push(problem_.links[link], *links_[link]->getParentJoint());
      world_->step();
    }
    steps_ += steps;
  }

  void observe(std::vector<BodyState>& bodies) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].centre = triple(links_[i]->getCOM());
      bodies[i].velocity = triple(links_[i]->getCOMLinearVelocity());
      bodies[i].omega = triple(links_[i]->getAngularVelocity());
      const Eigen::Matrix3d R = links_[i]->getWorldTransform().linear();
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) bodies[i].R[3 * row + column] = R(row, column);
      }
    }
  }

  StepCounters counters() const override { return {steps_, 0, 0}; }

 private:
  void add_link(int i) {
    const Link& link = problem_.links[i];
    switch (link.joint) {
      case JointKind::hinge: {
        RevoluteJoint::Properties hinge;
        hinge.mAxis = vector3(link.axis);
        add<RevoluteJoint>(hinge, i);
        break;
      }
      case JointKind::slide: {
        PrismaticJoint::Properties slide;
        slide.mAxis = vector3(link.axis);
        add<PrismaticJoint>(slide, i);
        break;
      }
      case JointKind::universal: {
        UniversalJoint::Properties universal;
        universal.mAxis = {vector3(link.axis), vector3(link.axis2)};
        add<UniversalJoint>(universal, i);
        break;
      }
      case JointKind::ball: add<BallJoint>(BallJoint::Properties(), i); break;
      case JointKind::free: add<FreeJoint>(FreeJoint::Properties(), i); break;
    }
  }

  template <class Joint>
  void add(typename Joint::Properties joint, int i) {
    const Link& link = problem_.links[i];
    BodyNode::Properties body;
    body.mName = "link" + std::to_string(i);
    body.mInertia = dart::dynamics::Inertia(link.mass, vector3(link.centre), vector3(link.inertia).asDiagonal());
    joint.mName = "joint" + std::to_string(i);
    joint.mT_ParentBodyToJoint = isometry(link.zero, link.joint_at);
    BodyNode* parent = link.parent == world ? nullptr : links_[link.parent];
    links_.push_back(skeleton_->createJointAndBodyNodePair<Joint>(parent, joint, body).second);
  }

  static void set_start(const Link& link, dart::dynamics::Joint& joint) {
    switch (link.joint) {
      case JointKind::ball:
        // A rotation vector; the velocity is in the link's axes.
        joint.setPositions(BallJoint::convertToPositions(matrix3(rotation_of(link.turn))));
        joint.setVelocities(vector3(rotated_back(rotation_of(link.turn), rotated_back(link.zero, link.omega))));
        break;
      case JointKind::free: {
        const Rotation turn = rotation_of(link.turn);
        joint.setPositions(FreeJoint::convertToPositions(isometry(turn, rotated_back(link.zero, link.shift))));
        Eigen::Matrix<double, 6, 1> twist;  // of the link's origin, in its axes
        twist << vector3(rotated_back(turn, rotated_back(link.zero, link.omega))),
            vector3(rotated_back(turn, rotated_back(link.zero, link.velocity)));
        joint.setVelocities(twist);
        break;
      }
      default:
        for (std::size_t k = 0; k < joint.getNumDofs(); ++k) {
          joint.setPosition(k, link.q[k]);
          joint.setVelocity(k, link.u[k]);
        }
    }
  }

  void add_forces(int i) {
    const Link& link = problem_.links[i];
    dart::dynamics::Joint& joint = *links_[i]->getParentJoint();
    if (link.damping != 0) {
      for (std::size_t k = 0; k < joint.getNumDofs(); ++k) joint.setDampingCoefficient(k, link.damping);
    }
    if (has_own_spring(link)) {
      joint.setSpringStiffness(0, link.stiffness[0]);
      joint.setRestPosition(0, link.rest);
    }
    if (link.drive != 0 || (link.has_spring() && !has_own_spring(link))) forced_.push_back(i);
  }

  /// Whether the spring is one of DART's, which are linear and pull.
  bool has_own_spring(const Link& link) const {
    return !springs_are_forces_ && link.stiffness[0] > 0 && link.stiffness[1] == 0 && link.stiffness[2] == 0;
  }

  void push(const Link& link, dart::dynamics::Joint& joint) const {
    joint.setForce(0, has_own_spring(link) ? link.drive : link.force_at(joint.getPosition(0)));
  }

  void add_closures() {
    refuse_lines_in_space(problem_, "DART");
    const bool planar = is_planar(problem_);
    const std::vector<LinkFrame> frames = frames_at_start(problem_);
    for (const Closure& closure : problem_.closures) {
      if (closure.kind == Closure::Kind::rod) {
        throw std::runtime_error("DART has no constraint that keeps two points at a distance");
      }
      add_point(closure, point_on(frames[closure.link_a], closure.p_a));
      // Two points of the axis make a pin; where everything is planar, one does.
      if (closure.kind == Closure::Kind::pin && !planar) {
        add_point(closure, point_on(frames[closure.link_a], closure.p_a + Triple{0, 1, 0}));
      }
    }
  }

  void add_point(const Closure& closure, const Triple& at) {
    BodyNode* const a = links_[closure.link_a];
    world_->getConstraintSolver()->addConstraint(
        closure.link_b == world ? std::make_shared<BallJointConstraint>(a, vector3(at))
                                : std::make_shared<BallJointConstraint>(a, links_[closure.link_b], vector3(at)));
  }

  Problem problem_;
  bool springs_are_forces_;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  dart::dynamics::SkeletonPtr skeleton_ = dart::dynamics::Skeleton::create("links");
  std::vector<BodyNode*> links_;
  std::vector<int> forced_;  // links whose joints feel forces that are not DART's own
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_dart_step(const Problem& problem, const std::string& method) {
  return std::make_unique<DartStep>(problem, method);
}

std::string dart_version() { return "DART " DART_VERSION; }

}  // namespace polhode::bench
