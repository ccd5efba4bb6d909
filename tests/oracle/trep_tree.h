#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

/// Johnson & Murphey as printed: a tree of primitive frames and the recursive, piecewise equations (2)-(10), evaluated one
/// number at a time. Slow and meant to be; it shares nothing with the library but the paper.
namespace polhode::oracle::trep {

enum class Primitive { tx, ty, tz, rx, ry, rz };

/// On a frame's origin, with the frame's axes as principal axes.
struct Mass {
  double m = 0, Ixx = 0, Iyy = 0, Izz = 0;
};

struct Frame {
  int parent = -1;  ///< index, less than the frame's own; -1 is the world frame s
  Primitive primitive = Primitive::tx;
  double constant = 0;  ///< used when there is no variable
  int variable = -1;    ///< index of the configuration variable that drives the frame; -1 for a constant
  Mass mass{};
  std::string name{};
};

struct Tree {
  std::vector<Frame> frames;
  Eigen::Vector3d gravity{0, 0, -9.81};

  /// Adds a frame and gives its index.
  int add(Frame frame);
  int num_q() const;
  int frame(const std::string& name) const;
};

enum class Caching { off, on };

/// Values of (2)-(10) at the configuration last written. Indices: k frames, i and j configuration variables; velocities and
/// their derivatives are the 4x4 matrices that the paper writes with a hat.
class Kinematics {
 public:
  using Matrix = Eigen::Matrix4d;

  Kinematics(const Tree& tree, Caching caching);

  const Tree& tree() const { return tree_; }
  int num_q() const { return n_; }
  /// "Set tree": forgets every cached value (V-A).
  void write(const Eigen::VectorXd& q, const Eigen::VectorXd& q_dot);

  Matrix g(int k);                           ///< (2)
  Matrix g_q(int k, int i);                  ///< (3)
  Matrix g_qq(int k, int i, int j);          ///< (4)
  Matrix g_qqq(int k, int i, int j, int l);  ///< the product rule of (2)-(4) once more
  Matrix v(int k);                           ///< (5)
  Matrix v_q(int k, int i);                  ///< (6)
  Matrix v_qq(int k, int i, int j);          ///< (7)
  Matrix v_v(int k, int i);                  ///< (8); the second derivative (9) is zero
  Matrix v_qv(int k, int i, int j);          ///< (10): by q_i and the rate of q_j

  Eigen::Vector3d p(int k) { return g(k).topRightCorner<3, 1>(); }
  Eigen::Vector3d p_q(int k, int i) { return g_q(k, i).topRightCorner<3, 1>(); }
  Eigen::Vector3d p_qq(int k, int i, int j) { return g_qq(k, i, j).topRightCorner<3, 1>(); }

  /// Whether variable i drives k or one of its ancestors.
  bool moves(int i, int k) const { return on_path_[std::size_t(k) * n_ + i]; }

 private:
  /// One result per index, kept until the next write.
  struct Memo {
    std::vector<Matrix> value;
    std::vector<long> written;
  };
  template <class Compute>
  Matrix remember(Memo& memo, std::size_t index, Compute compute);

  Matrix local(int k, int derivative) const;          ///< g_k and its derivatives
  Matrix local_inverse(int k, int derivative) const;  ///< g_k^-1 and its derivatives
  Matrix twist(int k) const;
  int parent(int k) const { return tree_.frames[k].parent; }
  int variable(int k) const { return tree_.frames[k].variable; }

  Tree tree_;
  int n_;
  Caching caching_;
  long writes_ = 0;
  Eigen::VectorXd q_, q_dot_;
  std::vector<bool> on_path_;
  Memo g_, g_q_, g_qq_, v_, v_q_, v_qq_, v_v_, v_qv_;
};

/// (x, y, z, a, b, c): linear over angular, as the paper orders them.
Eigen::Matrix<double, 6, 1> unhat(const Eigen::Matrix4d& m);

}  // namespace polhode::oracle::trep
