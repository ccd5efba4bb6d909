#pragma once
#include <memory>
#include <vector>

#include "polhode/tree/dynamics.h"

/// Exact derivatives of frames' poses (first to third), of their body velocities and of the Lagrangian (first and second), for
/// users' own forces, constraints and optimisations (Johnson & Murphey (2)-(11) and (23)-(27), for joints of every type).
///
/// What the derivatives are by. The variables are the chart coordinates theta of q (+) theta, at theta = 0, and the speeds u;
/// a subscript q means d/d(theta) at fixed u, a subscript u means d/du at fixed q. Where a joint's speeds are the rates of its
/// coordinates (all types without a quaternion), theta_i is just q_i, u_i its rate, and the derivatives are those of the paper.
/// Where a joint turns by a quaternion, theta is a rotation vector, applied as Mechanism's joints apply it (retract): nothing
/// is ever differentiated by the four numbers of a quaternion. Indices run over num_chart() and num_u().
///
/// Everything is exact but for two things that are functions of doubles only: users' joints (first derivatives right to about
/// 1e-10, second to about 1e-7, third to about 1e-5) and the second derivatives of users' potentials (about 1e-9).
namespace polhode::tree {

class Derivatives;

/// d(X_WF) by one coordinate, or by two: the derivatives of the rotation matrix and of the position.
struct PoseDerivative {
  Mat3<double> R;  ///< of the rotation
  Vec3<double> p;  ///< of the position
};

/// One frame's pose and velocity with their derivatives by the coordinates and speeds that move it, Ground first; all others
/// are zero. Entry [a] belongs to chart coordinate chart[a] or speed speeds[a]; tables are row after row.
/// Velocities are body velocities: of the frame's origin, in the frame's own axes.
struct FrameDerivatives {
  /// Sizes everything for the given frame.
  FrameDerivatives(const Mechanism& mechanism, int frame);

  int frame;                       ///< index in the mechanism
  std::vector<int> chart, speeds;  ///< indices of the chart coordinates and speeds that move it

  Transform<double> X_WF;             ///< its pose
  Motion<double> V;                   ///< its velocity
  std::vector<PoseDerivative> X_q;    ///< [a]; p_q is X_q[a].p
  std::vector<PoseDerivative> X_qq;   ///< [a * chart.size() + b]; symmetric
  std::vector<Motion<double>> V_u;    ///< [a]: the columns of the body Jacobian; V = sum of V_u[a] u[speeds[a]], V_uu = 0
  std::vector<Motion<double>> V_q;    ///< [a]
  std::vector<Motion<double>> V_qq;   ///< [a * chart.size() + b]; symmetric
  std::vector<Motion<double>> V_qu;   ///< [a * speeds.size() + b]: by chart[a] and speeds[b]
  std::vector<Motion<double>> twist;  ///< [a]: the motion, in the frame's axes, with which X_WF moves as chart[a] grows

 private:
  friend class Derivatives;
  friend struct FrameThirdDerivatives;
  std::vector<int> path_;  ///< bodies from Ground's child to the frame's own
};

/// The third derivatives of a frame's pose. They are many, so they stand apart: 96 n^3 bytes for n coordinates.
struct FrameThirdDerivatives {
  /// Sizes everything for the given frame.
  FrameThirdDerivatives(const Mechanism& mechanism, int frame);

  int frame;                          ///< index in the mechanism
  std::vector<int> chart;             ///< as in FrameDerivatives
  std::vector<PoseDerivative> X_qqq;  ///< [(a * chart.size() + b) * chart.size() + c]; symmetric in all three

 private:
  friend class Derivatives;
  FrameDerivatives lower_;
  struct Owner {
    int body;           ///< whose inboard joint has chart[a]
    std::size_t first;  ///< place of that joint's first coordinate in chart
  };
  std::vector<Owner> owner_;  ///< [a]
};

/// L = T - V and its derivatives; V is what tree::potential_energy() sums: gravity, springs, users' potentials.
struct LagrangianDerivatives {
  /// Sizes everything.
  explicit LagrangianDerivatives(const Mechanism& mechanism);

  double L = 0;              ///< [J]
  std::vector<double> L_q;   ///< num_chart
  std::vector<double> L_u;   ///< num_u: the momenta conjugate to the speeds
  std::vector<double> L_qq;  ///< num_chart x num_chart, row after row
  std::vector<double> L_qu;  ///< num_chart x num_u
  std::vector<double> L_uu;  ///< num_u x num_u: the mass matrix
};

/// Memory and intermediate results; sized once, then nothing allocates. One per thread.
///
///   tree::Derivatives derivatives(mechanism);
///   tree::FrameDerivatives tip(mechanism, mechanism.frame("tip"));
///   derivatives.set(q, u);
///   derivatives.frame(tip);   // tip.V_q, tip.X_qq, ...
class Derivatives {
 public:
  /// Sizes everything.
  explicit Derivatives(const Mechanism& mechanism);
  ~Derivatives();
  /// Leaves nothing that can be used.
  Derivatives(Derivatives&&) noexcept;
  Derivatives& operator=(Derivatives&&) noexcept;

  const Mechanism& mechanism() const;  ///< whose derivatives these are
  struct Data;

  /// Where the derivatives are taken. O(n).
  void set(Numbers q, Numbers u);

  /// All of a frame's derivatives, O(m^2) for the m coordinates that move it. Needs set().
  void frame(FrameDerivatives& out) const;

  /// The third derivatives of its pose, O(m^3). Needs set().
  void third(FrameThirdDerivatives& out) const;

  /// All of the Lagrangian's derivatives, O(n d) for depth d, besides O(n^2) to write the matrices and, with users' potentials,
  /// 2 n evaluations of these. t [s] is for users' potentials. Needs set().
  void lagrangian(double t, LagrangianDerivatives& out);

 private:
  std::unique_ptr<Data> d_;
};

}  // namespace polhode::tree
