// DART.  Debian's umbrella header asks for a header that is not packaged, hence the single ones.

#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "../chain_subject.h"

namespace polhode::bench {
namespace {

/// getMassMatrix takes 11 ms at n = 300 and over 0.1 s at n = 1000, which would prolong the run and decide nothing.
constexpr int largest_mass_matrix = 300;

class DartChain final : public ChainSubject {
 public:
  explicit DartChain(int n) : n_(n), q_(n), v_(n), torques_(n), accelerations_(n) {
    skeleton_->setGravity(Eigen::Vector3d(0, 0, chain::gravity));
    add_links();
    for (int i = 0; i < n; ++i) {
      q_[i] = chain::q(i);
      v_[i] = chain::v(i);
      torques_[i] = chain::torque(i);
      accelerations_[i] = chain::acceleration(i);
    }
  }

  std::string engine() const override { return "DART " DART_VERSION; }

  std::optional<Ends> forward_dynamics(double q_0) override {
    set_state(q_0);
    skeleton_->setForces(torques_);
    skeleton_->computeForwardDynamics();
    return Ends{skeleton_->getAcceleration(0), skeleton_->getAcceleration(n_ - 1)};
  }

  std::optional<Ends> inverse_dynamics(double q_0) override {
    set_state(q_0);
    skeleton_->setAccelerations(accelerations_);
    skeleton_->computeInverseDynamics();
    return Ends{skeleton_->getForce(0), skeleton_->getForce(n_ - 1)};
  }

  std::optional<Ends> mass_matrix(double q_0) override {
    if (n_ > largest_mass_matrix) return std::nullopt;
    q_[0] = q_0;
    skeleton_->setPositions(q_);
    const Eigen::MatrixXd& M = skeleton_->getMassMatrix();
    return Ends{M(0, 0), M(n_ - 1, n_ - 1)};
  }

 private:
  void add_links() {
    using dart::dynamics::RevoluteJoint;
    dart::dynamics::BodyNode* parent = nullptr;
    for (int i = 0; i < n_; ++i) {
      RevoluteJoint::Properties hinge;
      hinge.mName = "hinge" + std::to_string(i);
      hinge.mAxis = chain::turns_about_y(i) ? Eigen::Vector3d(0, 1, 0) : Eigen::Vector3d(0, 0, 1);
      hinge.mT_ParentBodyToJoint = Eigen::Translation3d(chain::hinge_offset(i), 0, 0);

      dart::dynamics::BodyNode::Properties link;
      link.mName = "link" + std::to_string(i);
      link.mInertia = dart::dynamics::Inertia(chain::link_mass, Eigen::Vector3d(chain::centre_of_mass, 0, 0),
                                              chain::central_inertia * Eigen::Matrix3d::Identity());

      parent = skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, hinge, link).second;
    }
  }

  void set_state(double q_0) {
    q_[0] = q_0;
    skeleton_->setPositions(q_);
    skeleton_->setVelocities(v_);
  }

  int n_;
  dart::dynamics::SkeletonPtr skeleton_ = dart::dynamics::Skeleton::create("chain");
  Eigen::VectorXd q_, v_, torques_, accelerations_;
};

}  // namespace

std::unique_ptr<ChainSubject> make_dart_chain(int n) { return std::make_unique<DartChain>(n); }

}  // namespace polhode::bench
