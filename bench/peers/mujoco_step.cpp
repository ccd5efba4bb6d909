// MuJoCo.  Methods: euler (semi-implicit), implicit, rk4.  How a problem becomes a model: mujoco_problem.h.
// A rod's upper end that is moved is put where it will be when the step ends, and MuJoCo takes it to be at rest meanwhile.

#include "../step/subject.h"
#include "mujoco_problem.h"

namespace polhode::bench {
namespace {

/// MuJoCo refuses bodies without inertia.
Problem as_mujoco_runs(Problem problem) {
  for (Link& link : problem.links) link = with_some_inertia(link);
  return problem;
}

int integrator_named(const std::string& method) {
  if (method == "euler") return mjINT_EULER;
  if (method == "implicit") return mjINT_IMPLICIT;
  if (method == "rk4") return mjINT_RK4;
  throw std::runtime_error("MuJoCo has no method \"" + method + "\" here");
}

class MujocoStep final : public StepSubject {
 public:
  MujocoStep(const Problem& problem, const std::string& method)
      : problem_(as_mujoco_runs(problem)), model_(mujoco::load(problem_)), data_(mj_makeData(model_.get())) {
    mju_user_warning = [](const char*) {};  // else it writes a log file where the program was started
    if (model_->nuser_jnt > 0) mjcb_passive = mujoco::polynomial_springs;
    model_->opt.integrator = integrator_named(method);
    for (int i = 0; i < static_cast<int>(problem.links.size()); ++i) {
      bodies_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, mujoco::link_name(i).c_str()));
      set_start(problem.links[i], model_->body_jntadr[bodies_.back()]);
    }
    for (std::size_t i = 0; i < problem.closures.size(); ++i) {
      if (!problem.closures[i].hook) continue;
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, mujoco::rod_name(i).c_str());
      hooks_.push_back({problem.closures[i].hook, model_->body_mocapid[body]});
    }
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) {
      ++steps_;
      move_hooks(static_cast<double>(steps_) * problem_.dt);
      mj_step(model_.get(), data_.get());
    }
  }

  void observe(std::vector<BodyState>& bodies) override {
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const int body = bodies_[i];
      std::array<mjtNum, 6> velocity{};  // angular, linear; at the centre of mass
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_BODY, body, velocity.data(), /*flg_local=*/0);
      std::copy_n(data_->xipos + 3 * body, 3, bodies[i].centre.begin());
      std::copy_n(velocity.begin(), 3, bodies[i].omega.begin());
      std::copy_n(velocity.begin() + 3, 3, bodies[i].velocity.begin());
      std::copy_n(data_->xmat + 9 * body, 9, bodies[i].R.begin());
    }
  }

  /// MuJoCo does not stop at a bad number or a huge acceleration: it goes back to its default pose and only counts a warning.
  std::string trouble() const override {
    for (const int warning : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
      if (data_->warning[warning].number > 0) return "diverged, and MuJoCo started over";
    }
    return {};
  }

  StepCounters counters() const override { return {steps_, 0, 0}; }

 private:
  void set_start(const Link& link, int joint) {
    mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
    mjtNum* v = data_->qvel + model_->jnt_dofadr[joint];
    const auto put = [](const auto& values, mjtNum*& to) { to = std::copy(values.begin(), values.end(), to); };
    const bool is_from_world = link.joint == JointKind::free && link.parent == world;  // then the coordinates are the pose
    switch (link.joint) {
      case JointKind::universal:
        q[1] = link.q[1];
        v[1] = link.u[1];
        [[fallthrough]];
      case JointKind::hinge:
      case JointKind::slide:
        q[0] = link.q[0];
        v[0] = link.u[0];
        data_->qfrc_applied[model_->jnt_dofadr[joint]] = link.drive;
        break;
      case JointKind::free:
        put(is_from_world ? link.joint_at + link.shift : link.shift, q);
        put(link.velocity, v);
        [[fallthrough]];
      case JointKind::ball:
        put(is_from_world ? product(quaternion_of(link.zero), link.turn) : link.turn, q);
        put(rotated_back(link.zero * rotation_of(link.turn), link.omega), v);  // in the link's axes
        break;
    }
  }

  static Quaternion quaternion_of(const Rotation& R) {
    Quaternion q;
    mju_mat2Quat(q.data(), R.data());
    return q;
  }

  static Quaternion product(const Quaternion& a, const Quaternion& b) {
    Quaternion ab;
    mju_mulQuat(ab.data(), a.data(), b.data());
    return ab;
  }

  /// To where they are when the step ends.
  void move_hooks(double t) {
    for (const Hook& hook : hooks_) {
      Triple position, velocity;
      hook.path(t, position, velocity);
      std::copy(position.begin(), position.end(), data_->mocap_pos + 3 * hook.mocap);
    }
  }

  struct Hook {
    decltype(Closure::hook) path;
    int mocap;
  };

  Problem problem_;
  mujoco::Model model_;
  mujoco::Data data_;
  std::vector<int> bodies_;  // of the links
  std::vector<Hook> hooks_;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_mujoco_step(const Problem& problem, const std::string& method) {
  return std::make_unique<MujocoStep>(problem, method);
}

std::string mujoco_version() { return std::string("MuJoCo ") + mj_versionString(); }

}  // namespace polhode::bench
