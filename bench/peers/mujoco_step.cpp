// MuJoCo.  Methods: euler (semi-implicit), implicit, rk4.  Loops are closed by "connect" constraints, which are soft; they
// are made as stiff as MuJoCo advises, with a time constant of two steps.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "../step/subject.h"
#include "mujoco_model.h"

namespace polhode::bench {
namespace {

constexpr double least_inertia = 1e-6;  // [kg m^2]; MuJoCo refuses bodies without any

std::string in_quotes(const Triple& a) {
  std::ostringstream text;
  text.precision(17);
  text << '"' << a[0] << ' ' << a[1] << ' ' << a[2] << '"';
  return text.str();
}

std::string link_name(int i) { return "link" + std::to_string(i); }

std::string joint_of(const Link& link) {
  switch (link.joint) {
    case JointKind::hinge: return "<joint type=\"hinge\" axis=" + in_quotes(link.axis) + "/>";
    case JointKind::slide: return "<joint type=\"slide\" axis=" + in_quotes(link.axis) + "/>";
    case JointKind::ball: return "<joint type=\"ball\"/>";
    default: throw std::runtime_error("joints of this kind are not measured in MuJoCo");
  }
}

/// Writes a problem as MuJoCo's XML into a directory.
class ModelWriter {
 public:
  ModelWriter(const Problem& problem, const std::filesystem::path& directory) : problem_(problem), directory_(directory) {
    children_.resize(problem.links.size() + 1);
    for (int i = 0; i < static_cast<int>(problem.links.size()); ++i) children_[problem.links[i].parent + 1].push_back(i);
  }

  std::filesystem::path write() {
    const std::filesystem::path file = directory_ / "root.xml";
    std::ofstream xml(file);
    xml.precision(17);
    xml << "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n"
        << "<option gravity=" << in_quotes(problem_.gravity) << " timestep=\"" << problem_.dt
        << "\" solver=\"Newton\" tolerance=\"1e-12\">"
        << "<flag contact=\"disable\"" << (problem_.closures.empty() ? " constraint=\"disable\"" : "") << "/></option>\n"
        << "<worldbody>\n";
    write_children(xml, world, 0);
    xml << "</worldbody>\n<equality>\n";
    for (const Closure& closure : problem_.closures) write_closure(xml, closure);
    xml << "</equality></mujoco>\n";
    return file;
  }

 private:
  void write_children(std::ostream& xml, int parent, int depth) {
    for (const int i : children_[parent + 1]) {
      if (depth % mujoco::links_per_file == mujoco::links_per_file - 1) {
        const std::string name = link_name(i) + ".xml";
        std::ofstream piece(directory_ / name);
        piece << "<mujocoinclude>\n";
        write_link(piece, i, depth);
        piece << "</mujocoinclude>\n";
        xml << "<include file=\"" << name << "\"/>\n";
      } else {
        write_link(xml, i, depth);
      }
    }
  }

  void write_link(std::ostream& xml, int i, int depth) {
    const Link& link = problem_.links[i];
    xml << "<body name=\"" << link_name(i) << "\" pos=" << in_quotes(link.joint_at) << ">" << joint_of(link)
        << "<inertial pos=" << in_quotes(link.centre) << " mass=\"" << link.mass << "\" diaginertia=" << in_quotes(link.inertia)
        << "/>\n";
    write_children(xml, i, depth + 1);
    xml << "</body>\n";
  }

  void write_closure(std::ostream& xml, const Closure& closure) {
    xml << "<connect body1=\"" << link_name(closure.link_a) << "\" body2=\"" << link_name(closure.link_b)
        << "\" anchor=" << in_quotes(closure.p_a) << " solref=\"" << 2 * problem_.dt
        << " 1\" solimp=\"0.9999 0.9999 0.001\"/>\n";
  }

  const Problem& problem_;
  std::filesystem::path directory_;
  std::vector<std::vector<int>> children_;  // of the world first, then of each link
};

mujoco::Model load(const Problem& problem) {
  const mujoco::ScratchDirectory directory;
  mujoco::Model model = mujoco::load(ModelWriter(problem, directory.path()).write(), problem.name);
  // The compiler puts the second body's anchor where it meets the first one's while all coordinates are zero.
  for (std::size_t i = 0; i < problem.closures.size(); ++i) {
    std::copy_n(problem.closures[i].p_b.begin(), 3, model->eq_data + i * mjNEQDATA + 3);
  }
  return model;
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
      : problem_(with_least_inertia(problem, least_inertia)), model_(load(problem_)), data_(mj_makeData(model_.get())) {
    mju_user_warning = [](const char*) {};  // else it writes a log file where the program was started
    model_->opt.integrator = integrator_named(method);
    for (int i = 0; i < static_cast<int>(problem.links.size()); ++i) {
      bodies_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, link_name(i).c_str()));
      set_start(problem.links[i], model_->body_jntadr[bodies_.back()]);
    }
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) mj_step(model_.get(), data_.get());
    steps_ += steps;
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
    if (link.joint == JointKind::ball) {
      const Triple omega = rotated_back(rotation_of(link.turn), link.omega);  // in the link's axes
      std::copy(link.turn.begin(), link.turn.end(), q);
      std::copy(omega.begin(), omega.end(), v);
    } else {
      q[0] = link.q[0];
      v[0] = link.u[0];
    }
  }

  Problem problem_;
  mujoco::Model model_;
  mujoco::Data data_;
  std::vector<int> bodies_;  // of the links
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_mujoco_step(const Problem& problem, const std::string& method) {
  return std::make_unique<MujocoStep>(problem, method);
}

std::string mujoco_version() { return std::string("MuJoCo ") + mj_versionString(); }

}  // namespace polhode::bench
