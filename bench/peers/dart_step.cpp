// DART.  Method: euler (World::step, semi-implicit).  Chains only.  Debian's library asserts, so a run that diverges aborts.

#include <dart/config.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include <stdexcept>

#include "../step/subject.h"

namespace polhode::bench {
namespace {

using dart::dynamics::BallJoint;
using dart::dynamics::BodyNode;
using dart::dynamics::RevoluteJoint;

Eigen::Vector3d vector3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const Eigen::Vector3d& a) { return {a[0], a[1], a[2]}; }

class DartStep final : public StepSubject {
 public:
  DartStep(const Problem& problem, const std::string& method) : problem_(problem) {
    if (!problem.closures.empty()) throw std::runtime_error("loops are not measured in DART");
    if (method != "euler") throw std::runtime_error("DART has no method \"" + method + "\" here");
    world_->setGravity(vector3(problem.gravity));
    world_->setTimeStep(problem.dt);
    for (std::size_t i = 0; i < problem.links.size(); ++i) add_link(static_cast<int>(i));
    world_->addSkeleton(skeleton_);
    for (std::size_t i = 0; i < problem.links.size(); ++i) set_start(problem.links[i], *links_[i]->getParentJoint());
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) world_->step();
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
    BodyNode::Properties body;
    body.mName = "link" + std::to_string(i);
    body.mInertia = dart::dynamics::Inertia(link.mass, vector3(link.centre), vector3(link.inertia).asDiagonal());
    BodyNode* parent = link.parent == world ? nullptr : links_[link.parent];
    switch (link.joint) {
      case JointKind::hinge: {
        RevoluteJoint::Properties hinge;
        hinge.mAxis = vector3(link.axis);
        links_.push_back(add(parent, hinge, body, i));
        break;
      }
      case JointKind::ball: links_.push_back(add(parent, BallJoint::Properties(), body, i)); break;
      default: throw std::runtime_error("joints of this kind are not measured in DART");
    }
  }

  template <class Properties>
  BodyNode* add(BodyNode* parent, Properties joint, const BodyNode::Properties& body, int i) {
    using Joint = std::conditional_t<std::is_same_v<Properties, BallJoint::Properties>, BallJoint, RevoluteJoint>;
    joint.mName = "joint" + std::to_string(i);
    joint.mT_ParentBodyToJoint = Eigen::Translation3d(vector3(problem_.links[i].joint_at));
    return skeleton_->createJointAndBodyNodePair<Joint>(parent, joint, body).second;
  }

  static void set_start(const Link& link, dart::dynamics::Joint& joint) {
    if (link.joint == JointKind::ball) {
      // A rotation vector; the velocity is in the link's axes.
      joint.setPositions(BallJoint::convertToPositions(
          Eigen::Quaterniond(link.turn[0], link.turn[1], link.turn[2], link.turn[3]).toRotationMatrix()));
      joint.setVelocities(vector3(rotated_back(rotation_of(link.turn), link.omega)));
    } else {
      joint.setPosition(0, link.q[0]);
      joint.setVelocity(0, link.u[0]);
    }
  }

  Problem problem_;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  dart::dynamics::SkeletonPtr skeleton_ = dart::dynamics::Skeleton::create("links");
  std::vector<BodyNode*> links_;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_dart_step(const Problem& problem, const std::string& method) {
  return std::make_unique<DartStep>(problem, method);
}

std::string dart_version() { return "DART " DART_VERSION; }

}  // namespace polhode::bench
