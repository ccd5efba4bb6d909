// Simbody: realize() does the forward dynamics; inverse dynamics and mass matrix are operators of the matter subsystem.
// Compile without NDEBUG when Debian's library is used: its headers lay classes out differently with it.

#include <Simbody.h>

#include "../chain_subject.h"

namespace polhode::bench {
namespace {

class SimbodyChain final : public ChainSubject {
 public:
  explicit SimbodyChain(int n) : n_(n), gravity_(forces_, matter_, SimTK::Vec3(0, 0, chain::gravity)) {
    add_links();
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);

    SimTK::Vector torques(n);
    accelerations_.resize(n);
    for (int i = 0; i < n; ++i) {
      state_.updQ()[i] = chain::q(i);
      state_.updU()[i] = chain::v(i);
      torques[i] = chain::torque(i);
      accelerations_[i] = chain::acceleration(i);
    }
    hinge_torques_.setAllMobilityForces(state_, torques);
  }

  std::string engine() const override {
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    return "Simbody " + std::to_string(major) + "." + std::to_string(minor);
  }

  std::optional<Ends> forward_dynamics(double q_0) override {
    state_.updQ()[0] = q_0;  // invalidates every stage from Position on
    system_.realize(state_, SimTK::Stage::Acceleration);
    return Ends{state_.getUDot()[0], state_.getUDot()[n_ - 1]};
  }

  std::optional<Ends> inverse_dynamics(double q_0) override {
    state_.updQ()[0] = q_0;
    system_.realize(state_, SimTK::Stage::Dynamics);
    // The empty vector leaves out the hinge torques: what remains to be found is then the whole of them.
    matter_.calcResidualForceIgnoringConstraints(
        state_, SimTK::Vector(), system_.getRigidBodyForces(state_, SimTK::Stage::Dynamics), accelerations_, residual_);
    return Ends{residual_[0], residual_[n_ - 1]};
  }

  std::optional<Ends> mass_matrix(double q_0) override {
    state_.updQ()[0] = q_0;
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcM(state_, M_);
    return Ends{M_(0, 0), M_(n_ - 1, n_ - 1)};
  }

 private:
  void add_links() {
    const SimTK::Vec3 p_BC(chain::centre_of_mass, 0, 0);
    const SimTK::Inertia central(chain::central_inertia, chain::central_inertia, chain::central_inertia);
    const SimTK::Body::Rigid link(
        SimTK::MassProperties(chain::link_mass, p_BC, central.shiftFromMassCenter(p_BC, chain::link_mass)));
    const SimTK::Rotation z_is_z;
    const SimTK::Rotation z_is_y(-SimTK::Pi / 2, SimTK::XAxis);  // a Pin turns about z of its frames
    SimTK::MobilizedBody parent = matter_.Ground();
    for (int i = 0; i < n_; ++i) {
      const SimTK::Rotation& R = chain::turns_about_y(i) ? z_is_y : z_is_z;
      const SimTK::Transform X_PF(R, SimTK::Vec3(chain::hinge_offset(i), 0, 0));
      parent = SimTK::MobilizedBody::Pin(parent, X_PF, link, SimTK::Transform(R));
    }
  }

  int n_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::Force::UniformGravity gravity_;
  SimTK::Force::DiscreteForces hinge_torques_{forces_, matter_};
  SimTK::State state_;
  SimTK::Vector accelerations_;
  SimTK::Vector residual_;
  SimTK::Matrix M_;
};

}  // namespace

std::unique_ptr<ChainSubject> make_simbody_chain(int n) { return std::make_unique<SimbodyChain>(n); }

}  // namespace polhode::bench
