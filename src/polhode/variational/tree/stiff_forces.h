#pragma once
#include <span>
#include <vector>

#include "polhode/mechanism/forces/force_loads.h"
#include "polhode/mechanism/law_slopes.h"
#include "polhode/tree/applied_forces.h"

namespace polhode::variational {

/// What forces that couple joints add to the Newton matrix.
///
/// Forces are always exact in the equations. Their derivatives only make Newton's iteration converge, and are needed where a
/// force is stiff against the inertia that it acts on within one step. A spring between two frames is one row G (how its length
/// changes with speeds), and stiffens the matrix by -kappa G^T G; a user's element that gives its derivatives is as many rows
/// as there are speeds. A low-rank change of a matrix with known factors is a small dense system (Woodbury): with K the tree's
/// own matrix, (K - R L) delta = -r is K delta - R y = -r with y = L delta.
class StiffForces {
 public:
  /// Springs and dampers that are soft within a step of this size are left out.
  StiffForces(const Mechanism& mechanism, double step);

  int num_rows() const { return int(springs_.size()) + num_law_rows_ + (users_ ? num_u_ : 0); }
  /// What laws add to the derivative of a coordinate's force by that coordinate itself.
  void add_own_slopes(const Now& now, std::span<const double> q, std::span<const double> u, double weight, double alpha,
                      double h, std::span<double> stiffness);
  /// Rows of R^T and of L, num_u numbers each, at a midpoint. `weight` is h (1 - alpha): the forces' share in the equation.
  void evaluate(tree::Workspace& w, const Now& now, std::span<const double> q, std::span<const double> u, double weight,
                double alpha, double h, std::span<double> right, std::span<double> left);

 private:
  /// A force along a line, whatever its type.
  struct Spring {
    FramePlace frame_a, frame_b;
    const void* force;
    TensionSlopes (*slopes)(const void* force, const Now& now, double length, double rate);
  };
  /// A law of a force, with where it acts in the matrix.
  struct LawRow {
    LawLoad load;
    LawSlopes slopes;
    int own;       // which of the slopes is by the speed that it loads; -1 where none is
    bool has_row;  // depends on others as well
  };
  void add_law(const LawLoad& load);
  void evaluate_law(tree::Workspace& w, LawRow& law, const Now& now, std::span<const double> q, std::span<const double> u,
                    double weight, double alpha, double h, double* right, double* left);
  void add_spring(const Spring& spring, const TensionSlopes& usual, double step);
  void evaluate_spring(tree::Workspace& w, const Spring& spring, const Now& now, double weight, double alpha, double h,
                       double* right, double* left);
  /// Once its bodies are read.
  bool find_users_derivatives(const tree::Workspace& w, const Now& now, std::span<const double> q, std::span<const double> u);

  Mechanism mechanism_;
  int num_u_;
  bool users_ = false;  // some user's element gives derivatives
  std::vector<Spring> springs_;
  int num_law_rows_ = 0;
  std::vector<LawRow> laws_;
  std::vector<double> by_displacement_, by_speed_;
};

}  // namespace polhode::variational
