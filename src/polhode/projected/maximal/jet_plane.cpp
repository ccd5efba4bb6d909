#include "polhode/projected/maximal/jet_plane.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "polhode/maximal/tree_map.h"

namespace polhode::projected {
namespace {

constexpr int width = JetCoordinates::width;
constexpr double tiny = 1e-9;  // of unit vectors, lengths of a metre, speeds of a metre in a second
constexpr int most_candidates = 8;
constexpr int most_bodies_at_once = 40;  // a dense rank of three columns a body takes milliseconds then

/// Axes of the joints' frames, each direction once.
std::vector<Vec3<double>> candidates(const Mechanism& mechanism, const maximal::Bodies& at) {
  std::vector<Vec3<double>> normals;
  const auto add_axes = [&](int parent, const Transform<double>& X_PF) {
    const Mat3<double> R_WF = rotation(at[std::size_t(parent)].r) * X_PF.R;
    for (const int axis : {2, 0, 1}) {
      bool known = int(normals.size()) >= most_candidates;
      for (const Vec3<double>& n : normals) known |= std::abs(dot(n, R_WF.col[std::size_t(axis)])) > 1 - tiny;
      if (!known) normals.push_back(R_WF.col[std::size_t(axis)]);
    }
  };
  for (int b = 1; b < mechanism.num_bodies(); ++b)
    add_axes(mechanism.bodies()[std::size_t(b)].parent, mechanism.joints()[std::size_t(b)].X_PF);
  return normals;
}

bool moves_along(const Vec3<double>& normal, const maximal::Bodies& at) {
  for (const maximal::BodyMotion& body : at) {
    const Vec3<double> w = rotation(body.r) * body.w;
    if (norm(cross(w, normal)) > tiny * (1 + norm(w)) || std::abs(dot(body.v, normal)) > tiny * (1 + norm(body.v)))
      return false;
  }
  return true;
}

/// Finds out what the rows say about motion along one plane.
class Trial {
 public:
  Trial(const Mechanism& mechanism, std::span<const char> enabled, const JetPlane& plane, double t, const maximal::Bodies& at,
        std::span<const double> near)
      : constraints_(mechanism),
        enabled_(enabled),
        coordinates_(mechanism, plane),
        t_(t),
        at_(at),
        near_(near),
        h_(std::size_t(constraints_.num_rows())),
        values_(std::size_t(constraints_.num_values())),
        across_(constraints_.elements().size()) {
    std::vector<double> y(std::size_t(coordinates_.size())), y1(y);
    coordinates_.from_bodies(at, y.data(), y1.data());
    constraints_.turn_frames(coordinates_.normals());
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      rates_[i].resize(h_.size());
      constraints_.rates(t_ + later[i], at_, near_, rates_[i]);
    }
  }

  /// Of every element, the sums of its rows that say nothing about motion along the plane, at any of some places there. False
  /// when an element that is on does not fit: when one of its sums is not met everywhere and always, or when its other rows are
  /// not independent.
  bool find_rows(PlanarModel& model) {
    const auto elements = constraints_.elements();
    std::vector<Eigen::MatrixXd> along(elements.size()), errors(elements.size());
    for (std::size_t e = 0; e < elements.size(); ++e) {
      along[e].resize(elements[e].num_rows, 3 * samples * elements[e].num_sides);
      errors[e].resize(elements[e].num_rows, samples);
    }
    visit_places([&](int sample) {
      for (std::size_t e = 0; e < elements.size(); ++e) read_along(elements[e], sample, along[e], errors[e]);
    });
    model.kept_rows.assign(h_.size(), 0);
    model.fitting.assign(enabled_.size(), 1);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (elements[e].num_rows == 0 || elements[e].num_sides == 0) continue;
      if (fits(elements[e], along[e], errors[e], across_[e], model.kept_rows)) continue;
      if (is_on(elements[e])) return false;
      model.fitting[std::size_t(elements[e].switched_by)] = 0;
      std::fill_n(model.kept_rows.begin() + elements[e].first_row, elements[e].num_rows, char(0));
    }
    return true;
  }

  /// Whether these sums hold all bodies in the plane: joint by joint along the tree, or all that are on together.
  bool holds_across(PlanarModel& model) {
    model.holding.assign(enabled_.size(), 0);
    constraints_.errors_and_jacobian(t_, at_, near_, h_, values_);
    const auto elements = constraints_.elements();
    const int bodies = coordinates_.num_bodies();
    std::vector<char> held(std::size_t(bodies), 0);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const auto& side : constraints_.sides(elements[e]))
        if (side.body == elements[e].joint && across_[e].cols() >= 3)
          held[std::size_t(side.body - 1)] = rank(across_[e].transpose() * across(elements[e], side)) == 3;
    if (std::find(held.begin(), held.end(), char(0)) == held.end()) return true;
    if (bodies > most_bodies_at_once) return false;
    model.holding.assign(enabled_.begin(), enabled_.end());
    long rows = 0;
    for (std::size_t e = 0; e < elements.size(); ++e)
      if (is_on(elements[e])) rows += across_[e].cols();
    if (rows < 3 * bodies) return false;
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(rows, 3 * bodies);
    long row = 0;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (!is_on(elements[e]) || across_[e].cols() == 0) continue;
      for (const auto& side : constraints_.sides(elements[e]))
        G.block(row, 3 * (side.body - 1), across_[e].cols(), 3) = across_[e].transpose() * across(elements[e], side);
      row += across_[e].cols();
    }
    return rank(G) == 3 * bodies;
  }

 private:
  static constexpr int samples = 4;
  static constexpr std::array<double, 4> later{0.0, 0.1234, 1.37, 7.7};  // [s]

  bool is_on(const maximal::Constraints::Element& element) const {
    return element.switched_by < 0 || enabled_[std::size_t(element.switched_by)] != 0;
  }
  /// Leaves the sums of the element's rows in `across`, and which rows to keep.
  bool fits(const maximal::Constraints::Element& element, const Eigen::MatrixXd& along, const Eigen::MatrixXd& errors,
            Eigen::MatrixXd& across, std::vector<char>& kept) const {
    if (!along.allFinite() || !errors.allFinite()) return false;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(along, Eigen::ComputeFullU);
    int rank = 0;
    while (rank < svd.singularValues().size() && svd.singularValues()[rank] > tiny) ++rank;
    across = svd.matrixU().rightCols(element.num_rows - rank);
    if ((across.transpose() * errors).cwiseAbs().sum() > 1e-7) return false;
    return choose_rows(element, across, along.leftCols(3 * element.num_sides), kept) && stands_still(element, across);
  }

  /// The rows of an element that are left when as many are dropped as there are sums: any that the sums can be solved for.
  static bool choose_rows(const maximal::Constraints::Element& element, const Eigen::MatrixXd& sums,
                          const Eigen::MatrixXd& along_here, std::vector<char>& kept) {
    const int first_velocity_row = element.num_rows - element.num_velocity_rows;
    std::vector<char> own(std::size_t(element.num_rows), 1);
    if (sums.cols() > 0) {
      // A sum of equations on positions and on velocities would be neither.
      for (int c = 0; c < sums.cols(); ++c)
        if (sums.col(c).head(first_velocity_row).norm() > tiny && sums.col(c).tail(element.num_velocity_rows).norm() > tiny)
          return false;
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(sums.transpose());
      for (int i = 0; i < sums.cols(); ++i) own[std::size_t(qr.colsPermutation().indices()[i])] = 0;
    }
    Eigen::MatrixXd left(element.num_rows - sums.cols(), along_here.cols());
    for (int r = 0, row = 0; r < element.num_rows; ++r) {
      kept[std::size_t(element.first_row + r)] = own[std::size_t(r)];
      if (own[std::size_t(r)]) left.row(row++) = along_here.row(r);
    }
    return left.rows() == 0 || rank(left) == left.rows();
  }

  static long rank(const Eigen::MatrixXd& matrix) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(tiny);
    return qr.compute(matrix).rank();
  }
  /// Where the bodies are, and then at random along the plane, each by itself.
  template <class Visit>
  void visit_places(const Visit& visit) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> place(-1, 1);
    maximal::Bodies bodies = at_;
    std::vector<double> y(std::size_t(coordinates_.size())), y1(y);
    coordinates_.from_bodies(at_, y.data(), y1.data());
    const std::vector<double> start = y;
    for (int sample = 0; sample < samples; ++sample) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = start[i] + (sample == 0 ? 0 : place(random));
      coordinates_.to_bodies(y.data(), y1.data(), bodies);
      constraints_.errors_and_jacobian(t_, bodies, near_, h_, values_);
      visit(sample);
    }
  }
  void read_along(const maximal::Constraints::Element& element, int sample, Eigen::MatrixXd& along,
                  Eigen::MatrixXd& errors) const {
    int column = 3 * sample * element.num_sides;
    for (const auto& side : constraints_.sides(element)) {
      for (int r = 0; r < element.num_rows; ++r) {
        double row[width];
        std::copy_n(values_.data() + side.first_value + width * r, width, row);
        coordinates_.reduce(side.body, row);
        for (int c = 0; c < 3; ++c) along(r, column + c) = row[c];
        errors(r, sample) = h_[std::size_t(element.first_row + r)];
      }
      column += 3;
    }
  }
  /// Derivatives of the rows by the body's motions across the plane: two rotations and a shift.
  Eigen::MatrixXd across(const maximal::Constraints::Element& element, const maximal::Constraints::Side& side) const {
    const JetPlane& plane = coordinates_.plane();
    const Mat3<double> R = rotation(at_[std::size_t(side.body)].r);
    Eigen::MatrixXd G(element.num_rows, 3);
    for (int r = 0; r < element.num_rows; ++r) {
      const double* const v = values_.data() + side.first_value + width * r;
      const Vec3<double> turning = R * Vec3<double>{v[0], v[1], v[2]}, shift{v[3], v[4], v[5]};
      G.row(r) << dot(turning, plane.e1), dot(turning, plane.e2), dot(shift, plane.normal);
    }
    return G;
  }
  bool stands_still(const maximal::Constraints::Element& element, const Eigen::MatrixXd& across) const {
    for (const std::vector<double>& rates : rates_)
      for (int c = 0; c < across.cols(); ++c) {
        double rate = 0;
        for (int r = 0; r < element.num_rows; ++r) rate += across(r, c) * rates[std::size_t(element.first_row + r)];
        if (!(std::abs(rate) <= 1e-12)) return false;
      }
    return true;
  }

  maximal::Constraints constraints_;  // all of them on: `enabled` says which count
  std::span<const char> enabled_;
  JetCoordinates coordinates_;
  double t_;
  const maximal::Bodies& at_;
  std::span<const double> near_;
  std::vector<double> h_, values_;
  std::array<std::vector<double>, later.size()> rates_;
  std::vector<Eigen::MatrixXd> across_;  // by element: sums of its rows, by columns
};

}  // namespace

bool PlanarModel::serves(std::span<const char> enabled) const {
  for (std::size_t e = 0; e < enabled.size(); ++e)
    if (enabled[e] != 0 ? fitting[e] == 0 : holding[e] != 0) return false;
  return true;
}

std::optional<PlanarModel> find_plane(const Mechanism& mechanism, std::span<const char> enabled, double t,
                                      const maximal::Bodies& at, std::span<const double> near) {
  if (mechanism.num_bodies() < 2) return {};
  for (const Vec3<double>& normal : candidates(mechanism, at)) {
    if (!moves_along(normal, at)) continue;
    const Vec3<double> e1 = any_perpendicular(normal);
    PlanarModel model{{normal, e1, cross(normal, e1)}, {}, {}, {}};
    Trial trial(mechanism, enabled, model.plane, t, at, near);
    if (trial.find_rows(model) && trial.holds_across(model)) return model;
  }
  return {};
}

}  // namespace polhode::projected
