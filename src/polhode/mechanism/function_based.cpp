#include "polhode/mechanism/joints/function_based.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/mechanism/custom_joint.h"

namespace polhode {
namespace {

/// The joint as a custom one, to borrow its way of reading poses and of making constraint rows.
class AsCustom final : public CustomJoint {
 public:
  explicit AsCustom(const FunctionBased& joint) : joint_(joint) {}
  std::string_view type_name() const override { return FunctionBased::type; }
  int nq() const override { return joint_.nq; }
  int nv() const override { return joint_.nv; }
  Transform<double> X_FM(const double* q) const override { return joint_.X_FM(q); }
  void H_FM(const double* q, Motion<double>* H) const override { joint_.H_FM(q, H); }
  Motion<double> Hdot_u(const double* q, const double* u) const override { return joint_.Hdot_u(q, u); }

 private:
  const FunctionBased& joint_;
};

constexpr std::array<std::string_view, 6> component_names{"angle x", "angle y", "angle z", "x", "y", "z"};

void check(std::string_view name, const FunctionBased::Component& component, int num_coordinates) {
  const int needed = component.function->num_arguments(), given = int(component.coordinates.size());
  if (needed != given || needed > max_function_arguments)
    throw std::invalid_argument(
        fmt::format("function-based joint, {}: the function takes {} argument{} but is given {} coordinate{}", name, needed,
                    needed == 1 ? "" : "s", given, given == 1 ? "" : "s"));
  for (const int i : component.coordinates)
    if (i < 0 || i >= num_coordinates)
      throw std::invalid_argument(fmt::format(
          "function-based joint, {}: there is no coordinate {}; the joint has {}, numbered from 0", name, i, num_coordinates));
}

}  // namespace

FunctionBased::FunctionBased(int num_coordinates, std::array<Component, 6> functions)
    : nq(num_coordinates), nv(num_coordinates), nchart(num_coordinates), components(std::move(functions)) {
  if (nq < 0 || nq > 6)
    throw std::invalid_argument(fmt::format("function-based joint: {} coordinates; it can have 0 to 6", nq));
  static const auto nothing = std::make_shared<const Constant>(0.0);
  for (int i = 0; i < 6; ++i) {
    if (!components[i].function) components[i].function = nothing;
    check(component_names[i], components[i], nq);
  }
}

std::string_view FunctionBased::coordinate_suffix(int i) const { return numbered_coordinate_suffix(i, nq); }
std::string_view FunctionBased::speed_suffix(int i) const { return numbered_speed_suffix(i, nv); }

void FunctionBased::retract(const double* q0, const double* theta, double* q1) const {
  for (int i = 0; i < nq; ++i) q1[i] = q0[i] + theta[i];
}
void FunctionBased::rate_of_chart(const double*, const double*, const double* u, double* theta_dot) const {
  std::copy(u, u + nv, theta_dot);
}
void FunctionBased::zero(double* q) const { std::fill(q, q + nq, 0.0); }
void FunctionBased::read_pose(const Transform<double>& X_FM, double* q) const { AsCustom(*this).read_pose(X_FM, q); }
void FunctionBased::flat_constraint_rows(const FunctionBased& joint, const double* X_V, double* rows) {
  flat::constraint_rows(AsCustom(joint), X_V, rows);
}

}  // namespace polhode
