#include "polhode/study/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/conservation.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/evaluators.h"
#include "polhode/tree/realize.h"

namespace polhode::study {

void LineFit::add(double x, double y) {
  ++count_;
  const double dx = x - mean_x_;
  mean_x_ += dx / double(count_);
  mean_y_ += (y - mean_y_) / double(count_);
  xx_ += dx * (x - mean_x_);
  xy_ += dx * (y - mean_y_);
}

namespace {

bool is_pushed(const State& state) {
  return std::any_of(state.applied_forces().begin(), state.applied_forces().end(), [](double f) { return f != 0; });
}

/// Less than that is rounding, of mechanisms that have no energy at all to begin with [J]: all masses at a millimetre in a
/// second.
double least_energy(const Mechanism& mechanism) {
  double mass = 0;
  for (const Body& body : mechanism.bodies()) mass += body.mass.mass;
  return 1e-6 * mass;
}

}  // namespace

std::vector<tree::KeptMomentum> kept_momenta_of(const State& state) {
  return is_pushed(state) ? std::vector<tree::KeptMomentum>{} : tree::kept_momenta(state.mechanism());
}

Account::Account(const State& start, SimulateSummary& summary, const Reporter& report, Preparer prepare)
    : workspace_(start.mechanism()),
      kept_(kept_momenta_of(start)),
      kept_at_start_(kept_.size()),
      summary_(summary),
      report_(report),
      prepare_(std::move(prepare)),
      conservative_(keeps_energy(start.mechanism()) && !is_pushed(start)),
      energy_seen_(least_energy(start.mechanism())) {
  const tree::Constraints& constraints = tree::evaluators(workspace_).constraints_of(start);
  summary_.constraint_rows = constraints.num_rows();
  summary_.velocity_rows = constraints.num_rows(RowLevel::velocity);
  summary_.kept_momenta = int(kept_.size());
}

bool Account::is_finite(State& state) {
  if (state.stage() >= Stage::velocity) {
    tree::kinematics(workspace_, state.q(), state.u());  // somebody else realized it
  } else {
    tree::realize(state, workspace_, Stage::velocity);
  }
  if (std::isfinite(state.energy())) return true;
  if (summary_.failure.empty())
    summary_.failure = fmt::format("t = {:.9g} s: the energy is no longer a finite number; take smaller steps", state.time());
  return false;
}

void Account::watch_energy(const State& state, double own) {
  constexpr double many = 3;
  const double change = std::abs(own - summary_.energy_start), potential = std::abs(state.potential_energy());
  const bool grown = measured_ && conservative_ && change > many * std::max(energy_seen_, potential);
  if (grown && summary_.failure.empty())
    summary_.failure = fmt::format(
        "t = {:.9g} s: the energy has changed by {:.3g} J since the start, and nothing in the model gives or takes any; the "
        "most that was there before was {:.3g} J. The step across that moment is too long: take smaller ones, or keep bodies "
        "that attract each other apart",
        state.time(), own - summary_.energy_start, energy_seen_);
  // What can have been kinetic, not what was: energy from nowhere that comes little by little is no less from nowhere.
  const double left_for_motion = summary_.energy_start + summary_.energy_by_events - state.potential_energy();
  energy_seen_ = std::max({energy_seen_, std::abs(left_for_motion), potential});
}

void Account::add(State& state) {
  measure(state);
  report(state);
}

void Account::report(State& state) {
  if (summary_.reports > 0 && state.time() == last_reported_) return;
  // What was measured has been looked at.
  const bool measured = measured_ && state.time() == last_measured_ && state.stage() >= Stage::velocity;
  if (measured ? !std::isfinite(state.energy()) : !is_finite(state)) return;
  if (prepare_ && !prepare_(state)) return;
  last_reported_ = state.time();
  ++summary_.reports;
  if (report_) report_(state);
}

void Account::measure(State& state) {
  if ((measured_ && state.time() == last_measured_) || !is_finite(state)) return;
  last_measured_ = state.time();
  const double energy = state.energy(), own = energy - summary_.energy_by_events;
  if (!measured_) summary_.energy_start = summary_.energy_least = summary_.energy_most = own;
  watch_energy(state, own);
  summary_.energy_end = energy;
  summary_.energy_least = std::min(summary_.energy_least, own);
  summary_.energy_most = std::max(summary_.energy_most, own);
  energies_.add(state.time() - summary_.time_start, own - summary_.energy_start);
  summary_.energy_slope = energies_.slope();
  note_momentum(state.momentum());
  summary_.constraint_error =
      std::max(summary_.constraint_error, tree::largest_constraint_error(state, workspace_, tree::Swept::yes));
  note_velocity_errors(state);
  measured_ = true;
}

/// Of the equations between velocities.
void Account::note_velocity_errors(const State& state) {
  const tree::Constraints& constraints = tree::evaluators(workspace_).constraints_of(state);
  if (constraints.num_rows(RowLevel::velocity) == 0) return;
  const std::span<const double> errors = tree::constraint_velocity_errors(state, workspace_, tree::Swept::yes);
  for (int row = 0; row < constraints.num_rows(); ++row) {
    const double error = std::abs(errors[std::size_t(row)]);
    if (constraints.level(row) != RowLevel::velocity) continue;
    if (error <= summary_.velocity_error && !summary_.velocity_worst.empty()) continue;
    summary_.velocity_error = error;
    summary_.velocity_worst = constraints.row_name(row);
  }
}

void Account::jump(State& before, State& after) {
  tree::realize(before, workspace_, Stage::velocity);
  tree::realize(after, workspace_, Stage::velocity);
  summary_.energy_by_events += after.energy() - before.energy();
  for (std::size_t i = 0; i < kept_.size(); ++i)
    kept_at_start_[i] += kept_[i].of(after.momentum()) - kept_[i].of(before.momentum());
  if (is_pushed(after)) kept_.clear(), summary_.kept_momenta = 0, conservative_ = false;
}

void Account::remember(Memory& memory) {
  SimulateSummary& s = summary_;
  bool keeps = !kept_.empty();
  memory(energies_, measured_, conservative_, energy_seen_, last_measured_, last_reported_, keeps, kept_at_start_, s.reports,
         s.energy_start, s.energy_end, s.energy_least, s.energy_most, s.energy_by_events, s.energy_slope, s.constraint_error,
         s.velocity_error, s.velocity_worst, s.kept_momenta, s.momentum_error, s.momentum_size);
  for (auto& [name, force] : s.largest_drives) memory(force);
  if (!keeps) kept_.clear();
}

void Account::note_momentum(const Wrench<double>& momentum) {
  summary_.momentum_size = std::max({summary_.momentum_size, norm(momentum.moment), norm(momentum.force)});
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const double now = kept_[i].of(momentum);
    if (!measured_) kept_at_start_[i] = now;
    summary_.momentum_error = std::max(summary_.momentum_error, std::abs(now - kept_at_start_[i]));
  }
}

}  // namespace polhode::study
