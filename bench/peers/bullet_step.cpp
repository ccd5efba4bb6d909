// Bullet's btMultiBody in double precision.  Methods: euler (semi-implicit), rk4.  Chains only.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <stdexcept>

#include "../step/subject.h"

namespace polhode::bench {
namespace {

btVector3 vector3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const btVector3& a) { return {a.x(), a.y(), a.z()}; }

class BulletStep final : public StepSubject {
 public:
  BulletStep(const Problem& problem, const std::string& method)
      : problem_(problem),
        n_(static_cast<int>(problem.links.size())),
        body_(n_, 0, btVector3(0, 0, 0), /*fixedBase=*/true, /*canSleep=*/false) {
    if (!problem.closures.empty()) throw std::runtime_error("loops are not measured in Bullet");
    if (method != "euler" && method != "rk4") throw std::runtime_error("Bullet has no method \"" + method + "\" here");
    body_.setLinearDamping(0);
    body_.setAngularDamping(0);
    body_.setMaxCoordinateVelocity(1e30);
    body_.setUseGyroTerm(true);
    body_.setHasSelfCollision(false);
    for (int i = 0; i < n_; ++i) add_link(i);
    body_.finalizeMultiDof();
    body_.useRK4Integration(method == "rk4");
    for (int i = 0; i < n_; ++i) set_start(i);
    world_.setGravity(vector3(problem.gravity));
    world_.addMultiBody(&body_);
    body_.forwardKinematics(scratch_rotations_, scratch_vectors_);
  }
  BulletStep(const BulletStep&) = delete;
  BulletStep& operator=(const BulletStep&) = delete;
  ~BulletStep() override { world_.removeMultiBody(&body_); }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) world_.stepSimulation(problem_.dt, /*maxSubSteps=*/0);
    steps_ += steps;
  }

  void observe(std::vector<BodyState>& bodies) override {
    body_.forwardKinematics(scratch_rotations_, scratch_vectors_);
    std::vector<btVector3> omega(n_ + 1), velocity(n_ + 1);  // the base first; each in its link's axes
    body_.compTreeLinkVelocities(omega.data(), velocity.data());
    for (int i = 0; i < n_; ++i) {
      const btTransform& X = body_.getLink(i).m_cachedWorldTransform;  // of the centre of mass
      bodies[i].centre = triple(X.getOrigin());
      bodies[i].velocity = triple(X.getBasis() * velocity[i + 1]);
      bodies[i].omega = triple(X.getBasis() * omega[i + 1]);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) bodies[i].R[3 * row + column] = X.getBasis()[row][column];
      }
    }
  }

  StepCounters counters() const override { return {steps_, 0, 0}; }

 private:
  void add_link(int i) {
    const Link& link = problem_.links[i];
    // Bullet's links are placed by their centres of mass, the fixed base by its own at the origin.
    const Triple parent_centre = link.parent == world ? Triple{} : problem_.links[link.parent].centre;
    const btVector3 parent_centre_to_joint = vector3(link.joint_at - parent_centre);
    const btVector3 inertia = vector3(link.inertia), joint_to_centre = vector3(link.centre);
    switch (link.joint) {
      case JointKind::hinge:
        body_.setupRevolute(i, link.mass, inertia, link.parent, btQuaternion::getIdentity(), vector3(link.axis),
                            parent_centre_to_joint, joint_to_centre, /*disableParentCollision=*/true);
        break;
      case JointKind::ball:
        body_.setupSpherical(i, link.mass, inertia, link.parent, btQuaternion::getIdentity(), parent_centre_to_joint,
                             joint_to_centre, /*disableParentCollision=*/true);
        break;
      default: throw std::runtime_error("joints of this kind are not measured in Bullet");
    }
  }

  void set_start(int i) {
    const Link& link = problem_.links[i];
    if (link.joint == JointKind::ball) {
      const btScalar q[4] = {link.turn[1], link.turn[2], link.turn[3], link.turn[0]};
      const Triple omega = rotated_back(rotation_of(link.turn), link.omega);  // in the link's axes
      const btScalar v[3] = {omega[0], omega[1], omega[2]};
      body_.setJointPosMultiDof(i, q);
      body_.setJointVelMultiDof(i, v);
    } else {
      body_.setJointPos(i, link.q[0]);
      body_.setJointVel(i, link.u[0]);
    }
  }

  Problem problem_;
  int n_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btMultiBody body_;
  btAlignedObjectArray<btQuaternion> scratch_rotations_;
  btAlignedObjectArray<btVector3> scratch_vectors_;
  long steps_ = 0;
};

static_assert(sizeof(btScalar) == sizeof(double), "build with BT_USE_DOUBLE_PRECISION and the float64 libraries");

}  // namespace

std::unique_ptr<StepSubject> make_bullet_step(const Problem& problem, const std::string& method) {
  return std::make_unique<BulletStep>(problem, method);
}

std::string bullet_version() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) + " double";
}

}  // namespace polhode::bench
