// MuJoCo: mj_forward for forward dynamics; the others are the shortest sequences of its stages that yield the result.

#include <algorithm>
#include <fstream>
#include <vector>

#include "../chain_subject.h"
#include "mujoco_model.h"

namespace polhode::bench {
namespace {

namespace fs = std::filesystem;

std::string opening_of_link(int i) {
  const std::string I = std::to_string(chain::central_inertia);
  return "<body pos=\"" + std::to_string(chain::hinge_offset(i)) + " 0 0\">" +                       //
         "<joint type=\"hinge\" axis=\"" + (chain::turns_about_y(i) ? "0 1 0" : "0 0 1") + "\"/>" +  //
         "<inertial pos=\"" + std::to_string(chain::centre_of_mass) + " 0 0\" mass=\"" + std::to_string(chain::link_mass) +
         "\" diaginertia=\"" + I + " " + I + " " + I + "\"/>\n";
}

/// See links_per_file.
std::string piece_file(int piece) { return "piece" + std::to_string(piece) + ".xml"; }

void write_piece(const fs::path& directory, int piece, int n) {
  const int begin = piece * mujoco::links_per_file;
  const int end = std::min(n, begin + mujoco::links_per_file);
  const bool is_root = piece == 0;

  std::ofstream xml(directory / piece_file(piece));
  if (is_root) {
    xml << "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\"/>\n"
        << "<option gravity=\"0 0 " << chain::gravity << "\"/>\n"
        << "<size njmax=\"10\" nconmax=\"10\"/>\n<worldbody>\n";
  } else {
    xml << "<mujocoinclude>\n";
  }
  for (int i = begin; i < end; ++i) xml << opening_of_link(i);
  if (end < n) {
    write_piece(directory, piece + 1, n);
    xml << "<include file=\"" << piece_file(piece + 1) << "\"/>\n";
  }
  for (int i = begin; i < end; ++i) xml << "</body>";
  xml << (is_root ? "\n</worldbody></mujoco>\n" : "\n</mujocoinclude>\n");
}

mujoco::Model load_chain(int n) {
  const mujoco::ScratchDirectory directory;
  write_piece(directory.path(), 0, n);
  return mujoco::load(directory.path() / piece_file(0), "chain of " + std::to_string(n) + " links");
}

class MujocoChain final : public ChainSubject {
 public:
  explicit MujocoChain(int n) : n_(n), model_(load_chain(n)), data_(mj_makeData(model_.get())) {
    accelerations_.resize(n);
    torques_.resize(n);
    for (int i = 0; i < n; ++i) {
      data_->qpos[i] = chain::q(i);
      data_->qvel[i] = chain::v(i);
      data_->qfrc_applied[i] = chain::torque(i);
      accelerations_[i] = chain::acceleration(i);
    }
  }

  std::string engine() const override { return std::string("MuJoCo ") + mj_versionString(); }

  std::optional<Ends> forward_dynamics(double q_0) override {
    data_->qpos[0] = q_0;
    mj_forward(model_.get(), data_.get());
    return Ends{data_->qacc[0], data_->qacc[n_ - 1]};
  }

  std::optional<Ends> inverse_dynamics(double q_0) override {
    data_->qpos[0] = q_0;
    std::copy(accelerations_.begin(), accelerations_.end(), data_->qacc);
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, torques_.data());
    return Ends{torques_.front(), torques_.back()};
  }

  /// Leaves M in MuJoCo's own packed form (on a chain: one triangle); it is not spread out to a full matrix.
  std::optional<Ends> mass_matrix(double q_0) override {
    data_->qpos[0] = q_0;
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_crb(model_.get(), data_.get());
    return Ends{data_->qM[model_->dof_Madr[0]], data_->qM[model_->dof_Madr[n_ - 1]]};
  }

 private:
  int n_;
  mujoco::Model model_;
  mujoco::Data data_;
  std::vector<double> accelerations_;
  std::vector<double> torques_;
};

}  // namespace

std::unique_ptr<ChainSubject> make_mujoco_chain(int n) { return std::make_unique<MujocoChain>(n); }

}  // namespace polhode::bench
