#include "tests/oracle/trep_tree.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::oracle::trep {
namespace {

using Matrix = Kinematics::Matrix;

constexpr int world = -1;

bool is_rotation(Primitive primitive) { return primitive >= Primitive::rx; }
int axis(Primitive primitive) { return int(primitive) % 3; }

/// The derivatives of rotations are cyclic, those of translations end with the first (III-D).
Matrix primitive_transform(Primitive primitive, double x, int derivative) {
  Matrix m = Matrix::Zero();
  if (!is_rotation(primitive)) {
    if (derivative == 0) m.setIdentity();
    if (derivative < 2) m(axis(primitive), 3) = derivative == 0 ? x : 1;
    return m;
  }
  const int a = axis(primitive), b = (a + 1) % 3, c = (a + 2) % 3;
  if (derivative == 0) m(a, a) = m(3, 3) = 1;
  const double s = std::sin(x), t = std::cos(x);
  const double cosine[] = {t, -s, -t, s}, sine[] = {s, t, -s, -t};
  m(b, b) = m(c, c) = cosine[derivative];
  m(c, b) = sine[derivative];
  m(b, c) = -sine[derivative];
  return m;
}

}  // namespace

int Tree::add(Frame frame) {
  frames.push_back(std::move(frame));
  return int(frames.size()) - 1;
}

int Tree::num_q() const {
  int n = 0;
  for (const Frame& frame : frames) n = std::max(n, frame.variable + 1);
  return n;
}

int Tree::frame(const std::string& name) const {
  for (std::size_t k = 0; k < frames.size(); ++k)
    if (frames[k].name == name) return int(k);
  throw std::invalid_argument("the oracle's tree has no frame " + name);
}

Kinematics::Kinematics(const Tree& tree, Caching caching)
    : tree_(tree), n_(tree.num_q()), caching_(caching), on_path_(tree.frames.size() * n_) {
  const std::size_t frames = tree.frames.size(), n = std::size_t(n_);
  for (std::size_t k = 0; k < frames; ++k) {
    const Frame& frame = tree_.frames[k];
    if (frame.parent != world)
      for (std::size_t i = 0; i < n; ++i) on_path_[k * n + i] = on_path_[std::size_t(frame.parent) * n + i];
    if (frame.variable >= 0) on_path_[k * n + frame.variable] = true;
  }
  if (caching == Caching::off) return;
  const auto size = [](Memo& memo, std::size_t count) { memo = {std::vector<Matrix>(count), std::vector<long>(count, -1)}; };
  for (Memo* memo : {&g_, &v_}) size(*memo, frames);
  for (Memo* memo : {&g_q_, &v_q_, &v_v_}) size(*memo, frames * n);
  for (Memo* memo : {&g_qq_, &v_qq_, &v_qv_}) size(*memo, frames * n * n);
}

void Kinematics::write(const Eigen::VectorXd& q, const Eigen::VectorXd& q_dot) {
  q_ = q, q_dot_ = q_dot;
  ++writes_;
}

template <class Compute>
Matrix Kinematics::remember(Memo& memo, std::size_t index, Compute compute) {
  if (caching_ == Caching::off) return compute();
  if (memo.written[index] != writes_) {
    memo.value[index] = compute();
    memo.written[index] = writes_;
  }
  return memo.value[index];
}

Matrix Kinematics::local(int k, int derivative) const {
  const Frame& frame = tree_.frames[k];
  return primitive_transform(frame.primitive, frame.variable < 0 ? frame.constant : q_[frame.variable], derivative);
}

/// g^-1(x) = g(-x), so its odd derivatives change sign.
Matrix Kinematics::local_inverse(int k, int derivative) const {
  const Frame& frame = tree_.frames[k];
  const Matrix m = primitive_transform(frame.primitive, frame.variable < 0 ? -frame.constant : -q_[frame.variable], derivative);
  return derivative == 1 ? Matrix(-m) : m;
}

/// xi = g^-1 g', which is constant for every primitive.
Matrix Kinematics::twist(int k) const {
  const Primitive primitive = tree_.frames[k].primitive;
  return primitive_transform(primitive, 0, 1);
}

Matrix Kinematics::g(int k) {
  if (k == world) return Matrix::Identity();
  return remember(g_, k, [&]() -> Matrix { return g(parent(k)) * local(k, 0); });
}

Matrix Kinematics::g_q(int k, int i) {
  if (k == world || !moves(i, k)) return Matrix::Zero();
  return remember(g_q_, std::size_t(k) * n_ + i, [&]() -> Matrix {
    if (i != variable(k)) return g_q(parent(k), i) * local(k, 0);
    return g(parent(k)) * local(k, 1);
  });
}

Matrix Kinematics::g_qq(int k, int i, int j) {
  if (k == world || !moves(i, k) || !moves(j, k)) return Matrix::Zero();
  return remember(g_qq_, (std::size_t(k) * n_ + i) * n_ + j, [&]() -> Matrix {
    const int at = variable(k);
    if (i == at && j == at) return g(parent(k)) * local(k, 2);
    if (i == at) return g_q(parent(k), j) * local(k, 1);
    if (j == at) return g_q(parent(k), i) * local(k, 1);
    return g_qq(parent(k), i, j) * local(k, 0);
  });
}

Matrix Kinematics::g_qqq(int k, int i, int j, int l) {
  if (k == world || !moves(i, k) || !moves(j, k) || !moves(l, k)) return Matrix::Zero();
  const int at = variable(k), own = int(i == at) + int(j == at) + int(l == at);
  if (own == 3) return g(parent(k)) * local(k, 3);
  if (own == 2) return g_q(parent(k), i != at ? i : j != at ? j : l) * local(k, 2);
  if (own == 0) return g_qqq(parent(k), i, j, l) * local(k, 0);
  const auto [first, second] = i == at ? std::pair(j, l) : j == at ? std::pair(i, l) : std::pair(i, j);
  return g_qq(parent(k), first, second) * local(k, 1);
}

Matrix Kinematics::v(int k) {
  if (k == world) return Matrix::Zero();
  return remember(v_, k, [&]() -> Matrix {
    const Matrix carried = local_inverse(k, 0) * v(parent(k)) * local(k, 0);
    if (variable(k) < 0) return carried;
    return carried + twist(k) * q_dot_[variable(k)];
  });
}

Matrix Kinematics::v_q(int k, int i) {
  if (k == world || !moves(i, k)) return Matrix::Zero();
  return remember(v_q_, std::size_t(k) * n_ + i, [&]() -> Matrix {
    if (i == variable(k)) {
      const Matrix v_parent = v(parent(k));
      return local_inverse(k, 1) * v_parent * local(k, 0) + local_inverse(k, 0) * v_parent * local(k, 1);
    }
    return local_inverse(k, 0) * v_q(parent(k), i) * local(k, 0);
  });
}

Matrix Kinematics::v_qq(int k, int i, int j) {
  if (k == world || !moves(i, k) || !moves(j, k)) return Matrix::Zero();
  return remember(v_qq_, (std::size_t(k) * n_ + i) * n_ + j, [&]() -> Matrix {
    const int at = variable(k);
    if (i == at && j == at) {
      const Matrix v_parent = v(parent(k));
      return local_inverse(k, 2) * v_parent * local(k, 0) + 2 * local_inverse(k, 1) * v_parent * local(k, 1) +
             local_inverse(k, 0) * v_parent * local(k, 2);
    }
    if (i == at || j == at) {
      const Matrix v_q_parent = v_q(parent(k), i == at ? j : i);
      return local_inverse(k, 1) * v_q_parent * local(k, 0) + local_inverse(k, 0) * v_q_parent * local(k, 1);
    }
    return local_inverse(k, 0) * v_qq(parent(k), i, j) * local(k, 0);
  });
}

Matrix Kinematics::v_v(int k, int i) {
  if (k == world || !moves(i, k)) return Matrix::Zero();
  return remember(v_v_, std::size_t(k) * n_ + i, [&]() -> Matrix {
    if (i == variable(k)) return twist(k);
    return local_inverse(k, 0) * v_v(parent(k), i) * local(k, 0);
  });
}

Matrix Kinematics::v_qv(int k, int i, int j) {
  if (k == world || variable(k) == j || !moves(i, k) || !moves(j, k)) return Matrix::Zero();
  return remember(v_qv_, (std::size_t(k) * n_ + i) * n_ + j, [&]() -> Matrix {
    if (i == variable(k)) {
      const Matrix v_v_parent = v_v(parent(k), j);
      return local_inverse(k, 1) * v_v_parent * local(k, 0) + local_inverse(k, 0) * v_v_parent * local(k, 1);
    }
    return local_inverse(k, 0) * v_qv(parent(k), i, j) * local(k, 0);
  });
}

Eigen::Matrix<double, 6, 1> unhat(const Eigen::Matrix4d& m) {
  Eigen::Matrix<double, 6, 1> x;
  x << m(0, 3), m(1, 3), m(2, 3), m(2, 1), m(0, 2), m(1, 0);
  return x;
}

}  // namespace polhode::oracle::trep
