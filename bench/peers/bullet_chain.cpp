// Bullet's btMultiBody in double precision: forward dynamics only, for inverse dynamics and the mass matrix live in
// an extra library with a model of its own.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <btBulletDynamicsCommon.h>

#include <vector>

#include "../chain_subject.h"

namespace polhode::bench {
namespace {

class BulletChain final : public ChainSubject {
 public:
  explicit BulletChain(int n) : n_(n), body_(n, 0, btVector3(0, 0, 0), /*fixedBase=*/true, /*canSleep=*/false) {
    body_.setBasePos(btVector3(0, 0, 0));
    body_.setLinearDamping(0);
    body_.setAngularDamping(0);
    body_.setMaxCoordinateVelocity(1e30);  // the default clamps the speeds that the accelerations are read from
    body_.setUseGyroTerm(true);
    add_links();
    body_.finalizeMultiDof();
    body_.setHasSelfCollision(false);
    for (int i = 0; i < n; ++i) {
      body_.setJointPos(i, chain::q(i));
      v_.push_back(chain::v(i));
      torques_.push_back(chain::torque(i));
    }
  }

  std::string engine() const override {
    return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) + " double";
  }

  /// Bullet adds dt times the acceleration to the speeds, so with dt = 1 s the change of speed is the acceleration;
  /// gravity is a force on each link that the caller renews, as btMultiBodyDynamicsWorld does in every step.
  std::optional<Ends> forward_dynamics(double q_0) override {
    body_.clearForcesAndTorques();
    const btVector3 weight(0, 0, chain::link_mass * chain::gravity);
    for (int i = 0; i < n_; ++i) {
      body_.setJointVel(i, v_[i]);
      body_.addLinkForce(i, weight);
      body_.addJointTorque(i, torques_[i]);
    }
    body_.setJointPos(0, q_0);
    body_.computeAccelerationsArticulatedBodyAlgorithmMultiDof(
        /*dt=*/1, scratch_reals_, scratch_vectors_, scratch_matrices_, /*isConstraintPass=*/false,
        /*jointFeedbackInWorldSpace=*/false, /*jointFeedbackInJointFrame=*/true);
    return Ends{body_.getJointVel(0) - v_[0], body_.getJointVel(n_ - 1) - v_[n_ - 1]};
  }

 private:
  void add_links() {
    const btVector3 inertia(chain::central_inertia, chain::central_inertia, chain::central_inertia);
    const btVector3 hinge_to_centre(chain::centre_of_mass, 0, 0);
    for (int i = 0; i < n_; ++i) {
      // Bullet's links are placed by their centres of mass, the fixed base by its own at the origin.
      const btVector3 parent_centre_to_hinge(i == 0 ? 0 : chain::link_length - chain::centre_of_mass, 0, 0);
      const btVector3 axis = chain::turns_about_y(i) ? btVector3(0, 1, 0) : btVector3(0, 0, 1);
      body_.setupRevolute(i, chain::link_mass, inertia, i - 1, btQuaternion::getIdentity(), axis, parent_centre_to_hinge,
                          hinge_to_centre, /*disableParentCollision=*/true);
    }
  }

  int n_;
  btMultiBody body_;
  std::vector<btScalar> v_, torques_;
  btAlignedObjectArray<btScalar> scratch_reals_;
  btAlignedObjectArray<btVector3> scratch_vectors_;
  btAlignedObjectArray<btMatrix3x3> scratch_matrices_;
};

static_assert(sizeof(btScalar) == sizeof(double), "build with BT_USE_DOUBLE_PRECISION and the float64 libraries");

}  // namespace

std::unique_ptr<ChainSubject> make_bullet_chain(int n) { return std::make_unique<BulletChain>(n); }

}  // namespace polhode::bench
