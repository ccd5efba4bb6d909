// Where coordinates and speeds start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/resolver_coordinates.h"
#include "polhode/mechanism/reversed_joint.h"

namespace polhode {

void InitialState::set_values() {
  for (const InitialValue& value : in_.initial_values()) set_initial(value);
  normalize_quaternions();
}

void InitialState::set_initial(const InitialValue& value) {
  constexpr double any = -std::numeric_limits<double>::infinity();
  const std::string what = fmt::format("initial value of \"{}\"", value.coordinate);
  const bool numbers_are_good = (!value.value || names_.number(*value.value, any, "the coordinate", what, value.source)) &&
                                (!value.speed || names_.number(*value.speed, any, "the speed", what, value.source));
  // A speed may be set by its own name, which is the only one it has in joints whose speeds are not rates of coordinates.
  if (names_.is_speed_of_its_own(value.coordinate)) {
    const auto u = names_.own_speed(value.coordinate);
    if (value.value) {
      problem(fmt::format("initial value: \"{}\" is a speed and takes no coordinate; give the speed alone", value.coordinate),
              value.source);
    } else if (numbers_are_good && value.speed && u) {
      out_.initial_u[*u] = *value.speed;
    }
    return;
  }
  const auto q = names_.coordinate_of(value.coordinate, "initial value", value.source);
  if (!q || !numbers_are_good) return;
  if (value.value) out_.initial_q[*q] = *value.value;
  if (value.speed) set_initial_speed(value, *q);
}

void InitialState::set_initial_speed(const InitialValue& value, int q) {
  if (names_.index().speed_of_q[q] >= 0) {
    out_.initial_u[names_.index().speed_of_q[q]] = *value.speed;
    return;
  }
  const Joint& joint = out_.joints[names_.index().body_of_q[q]];
  std::string speeds;
  for (int k = 0; k < joint.nu; ++k) speeds += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", out_.speed_names[joint.first_u + k]);
  problem(
      fmt::format("initial value of \"{}\": the coordinate's rate is not a speed of the {} joint \"{}\"; give a speed to its "
                  "speeds {} instead",
                  value.coordinate, type_name(joint.model), joint.name, speeds),
      value.source);
}

void InitialState::normalize_quaternions() {
  std::unordered_map<int, Source> asked;  // joints some of whose coordinates the user gave
  for (const InitialValue& value : in_.initial_values()) {
    const auto q = out_.coordinate_table.find(value.coordinate);
    if (q && *q >= 0 && value.value) asked.emplace(names_.index().body_of_q[*q], value.source);
  }
  for (const auto& [body, source] : asked) {
    const Joint& joint = out_.joints[body];
    if (!normalize_coordinates(joint.model, &out_.initial_q[joint.first_q]))
      problem(
          fmt::format(
              "initial values of joint \"{}\" give the quaternion (0, 0, 0, 0), which is not an orientation; (1, 0, 0, 0) is "
              "the unturned one",
              joint.name),
          source);
  }
}

void InitialState::place_halves(const GrownTree& grown) {
  if (grown.halves.empty() || !problems_.none()) return;
  std::vector<bool> given(std::size_t(out_.num_q), false);
  for (const InitialValue& value : in_.initial_values())
    if (const auto q = out_.coordinate_table.find(value.coordinate); q && *q >= 0 && value.value) given[std::size_t(*q)] = true;
  for (const DrivenSpeed& driven : out_.driven)
    if (driven.q >= 0 && driven.drive == Drive::position) given[std::size_t(driven.q)] = true;

  std::vector<Transform<double>> X_WB(out_.bodies.size());
  for (std::size_t b = 1; b < out_.bodies.size(); ++b) {
    const Joint& joint = out_.joints[b];
    const double* const q = out_.initial_q.data() + joint.first_q;
    const auto X_FM = std::visit([&](const auto& model) { return joint_pose<double>(model, joint.reversed, q); }, joint.model);
    X_WB[b] = X_WB[std::size_t(out_.bodies[b].parent)] * joint.X_PF * X_FM * inverse(joint.X_BM);
  }
  for (std::size_t b = 1; b < out_.bodies.size(); ++b) {
    const Joint& joint = out_.joints[b];
    const auto first = given.begin() + joint.first_q;
    if (out_.bodies[b].part_of < 0 || std::find(first, first + joint.nq, true) != first + joint.nq) continue;
    const Transform<double> X_WF = X_WB[std::size_t(out_.bodies[b].parent)] * joint.X_PF;
    const Transform<double> X_FM = inverse(X_WF) * X_WB[std::size_t(out_.bodies[b].part_of)] * joint.X_BM;
    std::visit(
        [&](const auto& model) { joint_read_pose(model, joint.reversed, X_FM, &out_.initial_q[std::size_t(joint.first_q)]); },
        joint.model);
  }
}

void InitialState::set_velocities() {
  for (const InitialVelocity& velocity : in_.initial_velocities()) {
    const auto body = names_.body_of(velocity.body, "velocity", velocity.source);
    if (body && *body == 0) problem("velocity: the ground does not move; name another body", velocity.source);
    if (!is_finite(velocity.V_WB.angular) || !is_finite(velocity.V_WB.linear))
      problem(fmt::format("velocity of body \"{}\" must be finite numbers", velocity.body), velocity.source);
    out_.initial_velocities.push_back(velocity);
  }
}

}  // namespace polhode
