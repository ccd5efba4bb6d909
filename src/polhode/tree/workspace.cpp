#include "polhode/tree/workspace.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

void Workspace::Free::operator()(std::byte* p) const { ::operator delete[](p, alignment); }

Workspace::Workspace(const Mechanism& mechanism) : Workspace(mechanism, tree::kernels().one) {
  const std::size_t bodies = std::size_t(mechanism.num_bodies());
  X_WB.resize(bodies);
  V_WB.resize(bodies);
  wrenches_B.resize(bodies);
  wrenches_M.resize(bodies);
  tau.resize(mechanism.num_u());
  at_rest.resize(bodies);
  no_speeds.resize(mechanism.num_u());
  scratches = ForceScratches(mechanism.forces());
  constraint.X_WM.resize(bodies);
  constraint.H.resize(mechanism.num_u());
  constraint.X_WB.resize(bodies);
  constraint.on_body.resize(bodies);
  constraint.on_speed.resize(mechanism.num_u());
  for (auto* motions : {&constraint.V_WB, &constraint.A_WB, &constraint.moved_V_WB, &constraint.V_WM, &constraint.A_WM})
    motions->resize(bodies);
  constraint.moved_X_WB.resize(bodies);
  for (auto* numbers : {&constraint.q_dot, &constraint.moved_q}) numbers->resize(mechanism.num_q());
  constraint.F.resize(bodies);
  for (const Constraint& element : mechanism.constraints())
    if (const auto* custom = std::get_if<std::shared_ptr<const CustomConstraint>>(&element.model); custom && *custom)
      constraint.row_numbers.resize(std::max(constraint.row_numbers.size(), std::size_t((*custom)->num_rows())));
}

Workspace::Workspace(const Mechanism& mechanism, const KernelTable& kernels)
    : mechanism_(mechanism), tree_(tree_model(mechanism_)), kernels_(&kernels) {
  const std::size_t bytes = kernels.scratch_bytes(tree_);
  block_.reset(static_cast<std::byte*>(::operator new[](bytes, alignment)));
  std::memset(block_.get(), 0, bytes);
}

}  // namespace polhode::tree
