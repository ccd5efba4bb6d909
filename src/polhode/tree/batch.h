#pragma once
#include "polhode/tree/dynamics.h"

/// Many copies of one mechanism at once, `width` of them in the lanes of one SIMD register.
///
/// Arrays hold the copies side by side: coordinate i of copy c is q[i * width + c].
namespace polhode::tree {

/// Memory for one pack. The width is that of the processor: 8 with AVX-512, 4 with AVX2, else 2.
/// It is not a Workspace to the outside: algorithms on one mechanism would read and write too few numbers in it.
class BatchWorkspace : private Workspace {
 public:
  using Workspace::block;  ///< for the algorithms below
  using Workspace::kernels;
  using Workspace::mechanism;
  using Workspace::tree;
  explicit BatchWorkspace(const Mechanism& mechanism);  ///< allocates all that is needed
  int width() const;                                    ///< copies in a pack

  /// kinematics() has been called, and no forward or inverse dynamics since, which leave no origins behind.
  bool has_kinematics = false;
};

/// As in dynamics.h, for all copies at once.
void forward_dynamics(BatchWorkspace& w, Numbers q, Numbers u, Numbers tau, NumbersOut u_dot);
void inverse_dynamics(BatchWorkspace& w, Numbers q, Numbers u, Numbers u_dot, NumbersOut tau);
/// Lower triangles, entry (i, j) of copy c at M[(i * num_u + j) * width + c].
void mass_matrix(BatchWorkspace& w, Numbers q, NumbersOut M);
void kinematics(BatchWorkspace& w, Numbers q, Numbers u);
/// What follows needs kinematics() and throws std::logic_error when forward or inverse dynamics came in between.
Transform<double> pose(BatchWorkspace& w, int body, int copy);
Motion<double> velocity(BatchWorkspace& w, int body, int copy);
double kinetic_energy(BatchWorkspace& w, int copy);
/// f = M a and a = M^-1 f.
void multiply_mass(BatchWorkspace& w, Numbers a, NumbersOut f);
void factor_mass(BatchWorkspace& w);
void solve_mass(BatchWorkspace& w, Numbers f, NumbersOut a);

}  // namespace polhode::tree
