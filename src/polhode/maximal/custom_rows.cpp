#include "polhode/maximal/custom_rows.h"

#include <algorithm>

namespace polhode::maximal {
namespace {

/// The same frame after it has moved with V for the time dt.
Transform<double> moved(const Transform<double>& X, const Motion<double>& V, double dt) {
  const double speed = norm(V.angular);
  const Mat3<double> turn = speed > 0 ? rotation_about((1 / speed) * V.angular, speed * dt) : Mat3<double>::identity();
  return {turn * X.R, X.p + dt * V.linear};
}

}  // namespace

CustomRows::CustomRows(const Mechanism& mechanism, const CustomConstraint& model, int first_row, std::vector<Place> bodies,
                       std::vector<JointSite> joints, std::vector<NamedSpeed> speeds)
    : mechanism_(mechanism),
      model_(&model),
      first_row_(first_row),
      num_rows_(model.num_rows()),
      place_of_row_(std::size_t(num_rows_)),
      holds_position_(std::size_t(num_rows_)),
      bodies_(std::move(bodies)),
      joints_(std::move(joints)),
      speeds_(std::move(speeds)),
      readings_(joints_.size()),
      q_(std::size_t(mechanism.num_q())),
      u_(std::size_t(mechanism.num_u())),
      u_dot_(u_),
      q_dot_(q_),
      moved_q_(q_),
      numbers_(std::size_t(num_rows_)),
      row_rates_(numbers_),
      X_WB_(bodies_.size()),
      moved_X_WB_(X_WB_),
      V_WB_(bodies_.size()),
      A_WB_(V_WB_),
      moved_V_WB_(V_WB_),
      on_body_(bodies_.size()),
      on_speed_(speeds_.size()) {
  int place = 0;
  for (const bool position : {true, false})
    for (int i = 0; i < num_rows_; ++i)
      if ((model.level(i) == RowLevel::position) == position) {
        holds_position_[std::size_t(i)] = position;
        place_of_row_[std::size_t(i)] = place++;
      }
}

/// Poses of the named bodies, and coordinates of the joints of named speeds; other coordinates are as near has them.
ConstraintConfiguration CustomRows::show(double t, Poses X_WC, std::span<const double> near) {
  std::copy(near.begin(), near.end(), q_.begin());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    readings_[i] = joints_[i].read(X_WC, near);
    const Joint& joint = joints_[i].joint.joint();
    std::copy_n(readings_[i].q, joint.nq, q_.begin() + joint.first_q);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) X_WB_[i] = bodies_[i].pose(X_WC);
  return {mechanism_, t, q_, X_WB_};
}

void CustomRows::find_gradient(const ConstraintConfiguration& at, int row) {
  std::fill(on_body_.begin(), on_body_.end(), Wrench<double>{});
  std::fill(on_speed_.begin(), on_speed_.end(), 0.0);
  ConstraintGradient gradient{on_body_, on_speed_, at.X_WB};
  model_->gradient(at, row, gradient);
}

void CustomRows::evaluate(double t, Poses X_WC, std::span<const double> near, double* h, double* values) {
  const ConstraintConfiguration at = show(t, X_WC, near);
  model_->errors(at, numbers_);
  for (int i = 0; i < num_rows_; ++i) h[first_row_ + place_of_row_[i]] = holds_position_[i] ? numbers_[i] : 0;
  if (values == nullptr) return;
  const auto clear = [&](const Place& place) {
    if (place.first_value >= 0) std::fill_n(values + place.first_value, num_rows_ * row_width, 0.0);
  };
  for (const Place& place : bodies_) clear(place);
  for (const JointSite& site : joints_) clear(site.F), clear(site.M);
  for (int i = 0; i < num_rows_; ++i) {
    find_gradient(at, i);
    const int row = place_of_row_[i];
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const Place& place = bodies_[k];
      if (place.first_value < 0) continue;
      add_load(X_WC[place.body].R, place.arm(X_WB_[k], X_WC), on_body_[k], values + place.first_value + row * row_width);
    }
    for (std::size_t k = 0; k < speeds_.size(); ++k)
      joints_[speeds_[k].joint].add_derivatives(readings_[speeds_[k].joint], X_WC, speeds_[k].k, on_speed_[k], row, values);
  }
}

void CustomRows::rates(double t, Poses X_WC, std::span<const double> near, double* h_t) {
  model_->rates(show(t, X_WC, near), numbers_);
  for (int i = 0; i < num_rows_; ++i) h_t[first_row_ + place_of_row_[i]] = numbers_[i];
}

/// The constraint tells its bias at du/dt = 0; but while d(w, v)/dt = 0, the speeds that it named have derivatives.
void CustomRows::bias(double t, Poses X_WC, Velocities V_WC, std::span<const double> near, double* b) {
  const ConstraintConfiguration at = show(t, X_WC, near);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i].joint.joint();
    double* const u = u_.data() + joint.first_u;
    joints_[i].speeds_and_bias(readings_[i], X_WC, V_WC, u, u_dot_.data() + joint.first_u);
    std::visit([&](const auto& model) { model.template N<double>(readings_[i].q, u, q_dot_.data() + joint.first_q); },
               joint.model);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vec3<double> r = bodies_[i].arm(X_WB_[i], X_WC);
    V_WB_[i] = bodies_[i].velocity(V_WC, r);
    A_WB_[i] = bodies_[i].bias_acceleration(V_WC, r);
  }
  if (!model_->acceleration_bias(at, {u_, q_dot_, V_WB_, A_WB_}, numbers_)) differences(t, numbers_);
  for (int i = 0; i < num_rows_; ++i) {
    find_gradient(at, i);
    double sum = numbers_[i];
    for (std::size_t k = 0; k < speeds_.size(); ++k)
      sum -= on_speed_[k] * u_dot_[joints_[speeds_[k].joint].joint.joint().first_u + speeds_[k].k];
    b[first_row_ + place_of_row_[i]] = sum;
  }
}

double CustomRows::product(const ConstraintConfiguration& at, int row, std::span<const Motion<double>> V_WB) {
  find_gradient(at, row);
  double sum = 0;
  for (std::size_t k = 0; k < bodies_.size(); ++k) sum += dot(on_body_[k], V_WB[k]);
  for (std::size_t k = 0; k < speeds_.size(); ++k)
    sum += on_speed_[k] * u_[joints_[speeds_[k].joint].joint.joint().first_u + speeds_[k].k];
  return sum;
}

/// d/dt of gradient . (V, u) + rate at du/dt = 0 from its values at -2, -1, 1, 2 times dt, along a motion that has the right
/// velocities now; how it bends is nothing to a first derivative. With dt = 5e-4 over the fastest turning (and of time itself)
/// truncation dt^4/30 and rounding eps/dt are both about 1e-12.
void CustomRows::differences(double t, std::span<double> b) {
  double fastest = 1;
  for (const Motion<double>& V : V_WB_) fastest = std::max(fastest, norm(V.angular));
  const double dt = 5e-4 / fastest;
  constexpr double weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, places[] = {-2, -1, 1, 2};
  std::vector<double>& rate = row_rates_;
  std::fill(b.begin(), b.end(), 0.0);
  for (int n = 0; n < 4; ++n) {
    const double step = places[n] * dt;
    for (std::size_t i = 0; i < q_.size(); ++i) moved_q_[i] = q_[i] + step * q_dot_[i];
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      moved_X_WB_[i] = moved(X_WB_[i], V_WB_[i], step);
      moved_V_WB_[i] = V_WB_[i] + step * A_WB_[i];
    }
    const ConstraintConfiguration at{mechanism_, t + step, moved_q_, moved_X_WB_};
    model_->rates(at, rate);
    for (int i = 0; i < num_rows_; ++i) b[i] -= weights[n] / dt * (product(at, i, moved_V_WB_) + rate[i]);
  }
}

}  // namespace polhode::maximal
