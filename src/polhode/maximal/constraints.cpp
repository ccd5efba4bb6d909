#include "polhode/maximal/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/maximal/constraints_planner.h"

namespace polhode::maximal {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

}  // namespace

Constraints::Constraints(const Mechanism& mechanism, std::span<const char> planned, std::span<const char> lockable)
    : map_(mechanism),
      planned_(planned.begin(), planned.end()),
      lockable_(lockable.begin(), lockable.end()),
      paths_(mechanism) {
  if (lockable.empty()) lockable_ = lockable_joints(mechanism);
  require_size(lockable_.size(), mechanism.num_bodies(), "lockable joints");
  if (planned.empty()) planned_.assign(std::size_t(mechanism.num_constraint_elements()), 1);
  require_size(planned_.size(), mechanism.num_constraint_elements(), "planned constraints");
  Planner(*this).plan();
  on_.assign(std::size_t(num_rows_ + 1), 1);  // an element without rows asks for the one after the last
  inactive_.reserve(elements_.size());
  X_WC_.resize(std::size_t(mechanism.num_bodies()));
  V_WC_.resize(X_WC_.size());
}

void Constraints::set_active(std::span<const char> enabled) {
  require_size(enabled.size(), int(planned_.size()), "enabled constraints");
  for (std::size_t e = 0; e < enabled.size(); ++e)
    if (enabled[e] != 0 && planned_[e] == 0)
      throw std::invalid_argument(fmt::format("constraint element {} has no place among the rows of bodies", e));
  for (Element& element : elements_)
    if (element.switched_by >= 0) element.active = enabled[std::size_t(element.switched_by)] != 0;
  note_inactive();
}

void Constraints::note_inactive() {
  inactive_.clear();
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Element& element = elements_[e];
    if (!element.active) inactive_.push_back(int(e));
    std::fill_n(on_.begin() + element.first_row, element.num_rows, element.active);
  }
}

void Constraints::set_driven(const State& state) {
  paths_.set(state);
  for (const Driven& driven : driven_) {
    const std::size_t u = std::size_t(driven.u);
    const bool is_driven = paths_.driven()[u] != 0, is_locked = paths_.locked()[u] != 0;
    elements_[std::size_t(driven.element)].active =
        is_driven && (driven.by == Driven::By::path || is_locked == (driven.by == Driven::By::lock));
  }
  note_inactive();
}

bool Constraints::has_places_for(const State& state, std::vector<char>& lockable) const {
  lockable = lockable_;
  for (std::size_t b = 1; b < lockable.size(); ++b) lockable[b] |= char(state.is_locked(int(b)));
  return lockable == lockable_;
}

bool Constraints::follows_all_signals() const {
  return std::all_of(driven_.begin(), driven_.end(),
                     [&](const Driven& driven) { return elements_[std::size_t(driven.element)].active; });
}

void Constraints::clear_inactive(double* h, double* values) const {
  for (const int e : inactive_) {
    const Element& element = elements_[std::size_t(e)];
    std::fill_n(h + element.first_row, element.num_rows, 0.0);
    if (values == nullptr) continue;
    for (const Side& side : sides(element)) std::fill_n(values + side.first_value, element.num_rows * row_width, 0.0);
  }
}

void Constraints::read_poses(const Bodies& at) {
  require_size(at.size(), int(X_WC_.size()), "bodies");
  for (std::size_t b = 0; b < at.size(); ++b) X_WC_[b] = pose_of(at[b]);
}

void Constraints::evaluate(double t, std::span<const double> near, double* h, double* values) {
  for (const JointRows& rows : joint_rows_)
    if (is_on(rows.first_row)) rows.evaluate(X_WC_, h, values);
  for (const FrameRows& rows : frame_rows_)
    if (is_on(rows.first_row)) rows.evaluate(X_WC_, h, values);
  for (const CoordinateRow& row : coordinate_rows_)
    if (is_on(row.row)) row.evaluate(t, paths_, X_WC_, near, h, values);
  for (const TurningRows& rows : turning_rows_)
    if (is_on(rows.first_row)) rows.evaluate(t, paths_, X_WC_, near, h, values);
  for (CustomRows& rows : custom_rows_)
    if (is_on(rows.first_row())) rows.evaluate(t, X_WC_, near, h, values);
  clear_inactive(h, values);
}

void Constraints::errors(double t, const Bodies& at, std::span<const double> near, std::span<double> h) {
  require_size(near.size(), mechanism().num_q(), "nearby coordinates");
  require_size(h.size(), num_rows_, "constraint errors");
  read_poses(at);
  evaluate(t, near, h.data(), nullptr);
}

void Constraints::errors_and_jacobian(double t, const Bodies& at, std::span<const double> near, std::span<double> h,
                                      std::span<double> values) {
  require_size(near.size(), mechanism().num_q(), "nearby coordinates");
  require_size(h.size(), num_rows_, "constraint errors");
  require_size(values.size(), num_values_, "constraint Jacobian");
  read_poses(at);
  evaluate(t, near, h.data(), values.data());
}

void Constraints::rates(double t, const Bodies& at, std::span<const double> near, std::span<double> h_t) {
  require_size(near.size(), mechanism().num_q(), "nearby coordinates");
  require_size(h_t.size(), num_rows_, "constraint rates");
  std::fill(h_t.begin(), h_t.end(), 0.0);
  for (const CoordinateRow& row : coordinate_rows_)
    if (is_on(row.row)) h_t[std::size_t(row.row)] = row.rate(t, paths_);
  for (const TurningRows& rows : turning_rows_)
    if (is_on(rows.first_row)) rows.rates(t, paths_, h_t.data());
  if (custom_rows_.empty()) return;
  read_poses(at);
  for (CustomRows& rows : custom_rows_)
    if (is_on(rows.first_row())) rows.rates(t, X_WC_, near, h_t.data());
}

void Constraints::acceleration_bias(double t, const Bodies& at, std::span<const double> near, std::span<double> b) {
  require_size(near.size(), mechanism().num_q(), "nearby coordinates");
  require_size(b.size(), num_rows_, "constraint biases");
  read_poses(at);
  for (std::size_t i = 0; i < at.size(); ++i) V_WC_[i] = velocity_of(at[i], X_WC_[i].R);
  for (const JointRows& rows : joint_rows_)
    if (is_on(rows.first_row)) rows.bias(X_WC_, V_WC_, b.data());
  for (const FrameRows& rows : frame_rows_)
    if (is_on(rows.first_row)) rows.bias(X_WC_, V_WC_, b.data());
  for (const CoordinateRow& row : coordinate_rows_)
    if (is_on(row.row)) row.bias(t, paths_, X_WC_, V_WC_, near, b.data());
  for (const TurningRows& rows : turning_rows_)
    if (is_on(rows.first_row)) rows.bias(t, paths_, X_WC_, V_WC_, near, b.data());
  for (CustomRows& rows : custom_rows_)
    if (is_on(rows.first_row())) rows.bias(t, X_WC_, V_WC_, near, b.data());
  clear_inactive(b.data(), nullptr);
}

void Constraints::turn_frames(std::span<const Vec3<double>> normals) {
  require_size(normals.size(), mechanism().num_bodies(), "normals");
  for (JointRows& rows : joint_rows_) rows.turn_frames(normals);
  for (FrameRows& rows : frame_rows_) rows.turn_frames(normals);
}

void Constraints::multiply(std::span<const double> values, const Bodies& velocities, std::span<double> out) const {
  require_size(values.size(), num_values_, "constraint Jacobian");
  require_size(velocities.size(), mechanism().num_bodies(), "bodies");
  require_size(out.size(), num_rows_, "constraint rates");
  std::fill(out.begin(), out.end(), 0.0);
  for (const Element& element : elements_) {
    for (const Side& side : sides(element)) {
      const auto& [x, r, w, v] = velocities[std::size_t(side.body)];
      const double* row = values.data() + side.first_value;
      for (int i = 0; i < element.num_rows; ++i, row += row_width)
        out[std::size_t(element.first_row + i)] +=
            row[0] * w.x + row[1] * w.y + row[2] * w.z + row[3] * v.x + row[4] * v.y + row[5] * v.z;
    }
  }
}

}  // namespace polhode::maximal
