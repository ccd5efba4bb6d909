#include "balance.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::experiments {
namespace {

double friction_power(const Mechanism& mechanism, const State& state) {
  double power = 0;
  for (const CoordinateDamping& element : mechanism.forces().of<CoordinateDamping>()) {
    const double u = state.u()[std::size_t(element.coordinate.u)];
    power += element.damping * u * u;
  }
  return power;
}

std::vector<double> moved_coordinates(const Mechanism& mechanism, double t) {
  std::vector<double> values;
  for (const KinematicCoordinate& moved : mechanism.kinematic()) values.push_back(moved.signal.at(t).value);
  return values;
}

}  // namespace

double EnergyBalance::largest_error() const {
  double largest = 0;
  for (std::size_t i = 0; i < t.size(); ++i) largest = std::max(largest, std::abs(energy[i] - work[i] + friction[i]));
  return largest / turnover;
}

EnergyBalance energy_balance(const bench::OwnModel& own, double dt, int steps) {
  const Mechanism& mechanism = own.mechanism;
  const auto stepper = study::make_stepper(mechanism, {.dt = dt});
  State state = own.start;
  tree::realize(state, Stage::velocity);
  stepper->set(state);
  EnergyBalance balance{.t = {0}, .energy = {0}, .work = {0}, .friction = {0}};
  const double start = state.energy();
  double power = friction_power(mechanism, state);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step((k + 1) * dt);
    if (!report.ok()) throw std::runtime_error(stepper->explain(report));
    stepper->get(state);
    tree::realize(state, Stage::velocity);
    // The discrete equations of a step hold at its start, and so do their forces: over half a step to each side.
    const double t = k * dt;
    const auto before = moved_coordinates(mechanism, std::max(t - dt / 2, 0.0)),
               after = moved_coordinates(mechanism, t + dt / 2);
    double work = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      work += stepper->driving_forces()[std::size_t(mechanism.kinematic()[i].u)] * (after[i] - before[i]);
    }
    const double power_now = friction_power(mechanism, state);
    balance.t.push_back((k + 1) * dt);
    balance.energy.push_back(state.energy() - start);
    balance.work.push_back(balance.work.back() + work);
    balance.friction.push_back(balance.friction.back() + dt * (power + power_now) / 2);
    balance.turnover += std::abs(work);
    power = power_now;
  }
  // The sums of work end half a step early; the mean of two neighbours is on time.
  for (std::size_t i = 1; i + 1 < balance.work.size(); ++i) balance.work[i] = (balance.work[i] + balance.work[i + 1]) / 2;
  for (auto* values : {&balance.t, &balance.energy, &balance.work, &balance.friction}) values->pop_back();
  return balance;
}

}  // namespace polhode::experiments
