#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "polhode/mechanism/mechanism.h"
#include "polhode/tree/tree_model.h"

namespace polhode::tree {

struct KernelTable;
struct Evaluators;

/// Memory that the tree algorithms work in: sized once from the mechanism, never grown. One per thread.
/// It also carries results from one algorithm to the next (after kinematics() the operators can be applied).
class Workspace {
 public:
  explicit Workspace(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }
  const TreeModel& tree() const { return tree_; }
  const KernelTable& kernels() const { return *kernels_; }
  std::byte* block() { return block_.get(); }

  // Per-body buffers for the force elements, at the bodies' own frames and in Ground axes.
  std::vector<Transform<double>> X_WB;
  std::vector<Motion<double>> V_WB;
  std::vector<Wrench<double>> wrenches_B, wrenches_M;
  std::vector<double> tau;
  std::vector<Motion<double>> at_rest;  ///< zeros: what a potential sees of velocities
  std::vector<double> no_speeds;
  ForceScratches scratches;  ///< what users' elements keep from call to call

  // For constraints, which may be evaluated between two steps of what uses the buffers above.
  struct ConstraintBuffers {
    std::vector<Transform<double>> X_WM;  ///< by body: the kernels' frames
    std::vector<Motion<double>> H;        ///< by speed: hinge columns, at the origin of the driven body's M
    // What a user's constraint sees of the bodies and speeds that it named, in its order.
    std::vector<Transform<double>> X_WB;
    std::vector<Wrench<double>> on_body;
    std::vector<double> on_speed;
    std::vector<Motion<double>> V_WB, A_WB, moved_V_WB;
    std::vector<Transform<double>> moved_X_WB;
    std::vector<double> q_dot, moved_q, row_numbers;
    // By body, of the kernels' frames: velocities, accelerations at du/dt = 0 (after a sweep), loads (of an inward sweep).
    std::vector<Motion<double>> V_WM, A_WM;
    std::vector<Wrench<double>> F;
  };
  ConstraintBuffers constraint;

  /// What is made when it is first needed: evaluators.h.
  std::shared_ptr<Evaluators> evaluators{};

 protected:
  Workspace(const Mechanism& mechanism, const KernelTable& kernels);

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  Mechanism mechanism_;
  TreeModel tree_;
  const KernelTable* kernels_;
  std::unique_ptr<std::byte[], Free> block_;
};

}  // namespace polhode::tree
