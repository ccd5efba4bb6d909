#include "polhode/variational/chart_interpolation.h"

#include <cmath>

#include "polhode/spatial/exponential.h"

namespace polhode::variational {
namespace {

/// A cubic from 0 to `end` over s in [0, 1], by its rates at both ends.
struct Cubic {
  double end, rate0, rate1;
  double at(double s) const { return s * s * (3 - 2 * s) * end + s * (1 - s) * ((1 - s) * rate0 - s * rate1); }
  double rate(double s) const { return 6 * s * (1 - s) * end + (1 - s) * (1 - 3 * s) * rate0 + s * (3 * s - 2) * rate1; }
};

bool has_quaternion(const Joint& joint) { return joint.nchart != joint.nq; }

/// The rotation vector, in the chart that the joint's retract() uses, that leads from one quaternion to another.
bool turns_in_moving_frame(const JointModel& model) {
  return std::holds_alternative<LineOrientation>(model) || std::holds_alternative<FreeLine>(model);
}

/// theta at the end of the way, and its rates at both ends in units of the step.
void chart_of(const Joint& joint, double h, const Motions& start, const Motions& end, Cubic* chart) {
  double theta[CustomJoint::max_coordinates] = {}, zero[CustomJoint::max_coordinates] = {}, rate0[CustomJoint::max_coordinates],
         rate1[CustomJoint::max_coordinates];
  const double *q0 = start.q.data() + joint.first_q, *q1 = end.q.data() + joint.first_q;
  int first_plain = 0;
  if (has_quaternion(joint)) {
    const Quaternion<double> a{q0[0], q0[1], q0[2], q0[3]}, b{q1[0], q1[1], q1[2], q1[3]};
    Vec3<double> turn = log_rotation(turns_in_moving_frame(joint.model) ? conjugate(a) * b : b * conjugate(a));
    // Of all turns that lead there, the one that the speeds are nearest to: a fast rotor turns more than once in a step.
    const double *u0 = start.u.data() + joint.first_u, *u1 = end.u.data() + joint.first_u;
    const Vec3<double> expected{0.5 * h * (u0[0] + u1[0]), 0.5 * h * (u0[1] + u1[1]),
                                joint.nu == joint.nchart ? 0.5 * h * (u0[2] + u1[2]) : 0.0};
    const double angle = norm(turn);
    if (angle > 0) turn = (1 + 2 * pi * std::round((dot(expected, turn) / angle - angle) / (2 * pi)) / angle) * turn;
    theta[0] = turn.x, theta[1] = turn.y, theta[2] = turn.z;
    first_plain = 3;
  }
  for (int i = first_plain; i < joint.nchart; ++i) theta[i] = q1[i + joint.nq - joint.nchart] - q0[i + joint.nq - joint.nchart];
  std::visit(
      [&](const auto& model) {
        model.rate_of_chart(q0, zero, start.u.data() + joint.first_u, rate0);
        model.rate_of_chart(q1, theta, end.u.data() + joint.first_u, rate1);
      },
      joint.model);
  for (int i = 0; i < joint.nchart; ++i) chart[i] = {theta[i], h * rate0[i], h * rate1[i]};
}

}  // namespace

void interpolate_charts(const Mechanism& mechanism, double s, double h, const Motions& start, const Motions& end,
                        std::span<double> q, std::span<double> u) {
  constexpr int most = CustomJoint::max_coordinates;
  for (const Joint& joint : mechanism.joints()) {
    Cubic chart[most];
    double theta[most], before[most], after[most], q_dot[most];
    chart_of(joint, h, start, end, chart);
    // Speeds from the coordinates' rates, by differences along the curve: its derivative through retract() in closed form would
    // need each joint's dexp, and a step of 1e-4 of the way leaves an error far below the cubic's own.
    const double ds = 1e-4;
    const auto place = [&](double at, double* out) {
      for (int i = 0; i < joint.nchart; ++i) theta[i] = chart[i].at(at);
      std::visit([&](const auto& model) { model.retract(start.q.data() + joint.first_q, theta, out); }, joint.model);
    };
    place(s, q.data() + joint.first_q);
    if (!has_quaternion(joint)) {
      for (int i = 0; i < joint.nq; ++i) q_dot[i] = chart[i].rate(s) / h;
    } else {
      place(s + ds, after), place(s - ds, before);
      for (int i = 0; i < joint.nq; ++i) q_dot[i] = (after[i] - before[i]) / (2 * ds * h);
    }
    std::visit([&](const auto& model) { model.N_inverse(q.data() + joint.first_q, q_dot, u.data() + joint.first_u); },
               joint.model);
  }
}

}  // namespace polhode::variational
