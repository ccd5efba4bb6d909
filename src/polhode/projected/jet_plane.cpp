#include "polhode/projected/jet_plane.h"

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "polhode/maximal/tree_map.h"

namespace polhode::projected {
namespace {

constexpr int width = JetCoordinates::width;
constexpr double tiny = 1e-9;  // of unit vectors, lengths of a metre, speeds of a metre in a second
constexpr int most_candidates = 8;
constexpr int most_bodies_at_once = 40;  // a dense rank of six columns a body takes milliseconds then

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
  Trial(maximal::Constraints& constraints, const JetPlane& plane, double t, const maximal::Bodies& at,
        std::span<const double> near)
      : constraints_(constraints),
        coordinates_(constraints.mechanism(), plane),
        t_(t),
        at_(at),
        near_(near),
        h_(std::size_t(constraints.num_rows())),
        values_(std::size_t(constraints.num_values())),
        y_(std::size_t(coordinates_.size())),
        y1_(y_) {
    coordinates_.from_bodies(at, y_.data(), y1_.data());
  }

  bool find_rows(std::vector<char>& kept) {
    kept.assign(h_.size(), 0);
    std::vector<double> largest_error(h_.size(), 0.0);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> place(-1, 1);
    maximal::Bodies bodies = at_;
    for (int sample = 0; sample < 4; ++sample) {
      std::vector<double> y = y_;
      for (double& number : y) number += sample == 0 ? 0 : place(random);
      coordinates_.to_bodies(y.data(), y1_.data(), bodies);
      constraints_.errors_and_jacobian(t_, bodies, near_, h_, values_);
      for (const auto& element : constraints_.elements())
        for (const auto& side : constraints_.sides(element))
          for (int r = 0; r < element.num_rows; ++r) {
            double row[width];
            std::copy_n(values_.data() + side.first_value + width * r, width, row);
            coordinates_.reduce(side.body, row);
            for (int c = 0; c < 3; ++c) kept[std::size_t(element.first_row + r)] |= !(std::abs(row[c]) <= tiny);
          }
      for (std::size_t r = 0; r < h_.size(); ++r) largest_error[r] = std::max(largest_error[r], std::abs(h_[r]));
    }
    for (std::size_t r = 0; r < h_.size(); ++r)
      if (!kept[r] && !(largest_error[r] <= 1e-7)) return false;
    for (const double later : {0.0, 0.1234, 1.37, 7.7}) {
      constraints_.rates(t_ + later, at_, near_, h_);
      for (std::size_t r = 0; r < h_.size(); ++r)
        if (!kept[r] && h_[r] != 0) return false;
    }
    return true;
  }

  /// Whether the joints of the tree one by one, or all constraints together, allow no velocity across the plane.
  bool holds_across() {
    constraints_.errors_and_jacobian(t_, at_, near_, h_, values_);
    const int bodies = coordinates_.num_bodies();
    std::vector<char> held(std::size_t(bodies + 1), 0);
    held[0] = 1;
    for (const auto& element : constraints_.elements())
      if (element.joint > 0 && joint_holds(element)) held[std::size_t(element.joint)] = 1;
    bool all = true;
    for (const char one : held) all &= one != 0;
    if (all) return true;
    if (bodies > most_bodies_at_once) return false;
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(constraints_.num_rows(), 6 * bodies);
    for (const auto& element : constraints_.elements())
      for (const auto& side : constraints_.sides(element)) write(element, side, G, element.first_row, 6 * (side.body - 1));
    std::vector<int> across;
    for (int b = 0; b < bodies; ++b)
      for (int c = 3; c < 6; ++c) across.push_back(6 * b + c);
    return forces_zero(G, across);
  }

 private:
  /// Six columns for a body: three along the plane, then three across it.
  void write(const maximal::Constraints::Element& element, const maximal::Constraints::Side& side, Eigen::MatrixXd& G, int row,
             int column) const {
    const JetPlane& plane = coordinates_.plane();
    const Mat3<double> R = rotation(at_[std::size_t(side.body)].r);
    for (int r = 0; r < element.num_rows; ++r) {
      const double* const v = values_.data() + side.first_value + width * r;
      const Vec3<double> turning = R * Vec3<double>{v[0], v[1], v[2]}, shift{v[3], v[4], v[5]};
      const double columns[6] = {dot(turning, plane.normal), dot(shift, plane.e1),   dot(shift, plane.e2),
                                 dot(turning, plane.e1),     dot(turning, plane.e2), dot(shift, plane.normal)};
      for (int c = 0; c < 6; ++c) G(row + r, column + c) = columns[c];
    }
  }
  /// Whether every x with G x = 0 has zeros at these places: no row that asks for one of them adds to the rank.
  static bool forces_zero(const Eigen::MatrixXd& G, const std::vector<int>& places) {
    Eigen::MatrixXd more = Eigen::MatrixXd::Zero(G.rows() + long(places.size()), G.cols());
    more.topRows(G.rows()) = G;
    for (std::size_t i = 0; i < places.size(); ++i) more(G.rows() + long(i), places[i]) = 1;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> small, large;
    small.setThreshold(tiny), large.setThreshold(tiny);
    return small.compute(G).rank() == large.compute(more).rank();
  }
  bool joint_holds(const maximal::Constraints::Element& element) const {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(std::max(1, element.num_rows), 12);
    for (const auto& side : constraints_.sides(element)) write(element, side, G, 0, side.body == element.joint ? 0 : 6);
    G.rightCols(3).setZero();  // the parent moves along the plane
    return forces_zero(G, {3, 4, 5});
  }

  maximal::Constraints& constraints_;
  JetCoordinates coordinates_;
  double t_;
  const maximal::Bodies& at_;
  std::span<const double> near_;
  std::vector<double> h_, values_, y_, y1_;
};

}  // namespace

std::optional<PlanarModel> find_plane(maximal::Constraints& constraints, double t, const maximal::Bodies& at,
                                      std::span<const double> near) {
  if (constraints.mechanism().num_bodies() < 2) return {};
  for (const Vec3<double>& normal : candidates(constraints.mechanism(), at)) {
    if (!moves_along(normal, at)) continue;
    const Vec3<double> e1 = any_perpendicular(normal);
    PlanarModel model{{normal, e1, cross(normal, e1)}, {}};
    Trial trial(constraints, model.plane, t, at, near);
    if (trial.holds_across() && trial.find_rows(model.kept_rows)) return model;
  }
  return {};
}

}  // namespace polhode::projected
