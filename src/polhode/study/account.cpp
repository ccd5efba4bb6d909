#include "polhode/study/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

ConstraintError::ConstraintError(const State& start)
    : constraints_(start.mechanism(), start.enabled()),
      errors_(std::size_t(constraints_.num_rows())),
      enabled_(start.enabled().begin(), start.enabled().end()) {}

double ConstraintError::operator()(tree::Workspace& workspace, const State& state) {
  if (!std::equal(enabled_.begin(), enabled_.end(), state.enabled().begin())) {
    enabled_.assign(state.enabled().begin(), state.enabled().end());
    constraints_ = tree::Constraints(state.mechanism(), enabled_);
    errors_.resize(std::size_t(constraints_.num_rows()));
  }
  if (errors_.empty()) return 0;
  tree::positions(workspace, state.q());
  constraints_.errors(workspace, state.time(), state.q(), errors_);
  double largest = 0;
  for (const double h : errors_) largest = std::max(largest, std::abs(h));
  return largest;
}

std::vector<tree::KeptMomentum> kept_momenta_of(const State& state) {
  const bool pushed =
      std::any_of(state.applied_forces().begin(), state.applied_forces().end(), [](double f) { return f != 0; });
  return pushed ? std::vector<tree::KeptMomentum>{} : tree::kept_momenta(state.mechanism());
}

Account::Account(const State& start, SimulateSummary& summary, const Reporter& report)
    : workspace_(start.mechanism()),
      constraint_error_(start),
      kept_(kept_momenta_of(start)),
      kept_at_start_(kept_.size()),
      summary_(summary),
      report_(report) {
  summary_.constraint_rows = constraint_error_.num_rows();
  summary_.kept_momenta = int(kept_.size());
}

bool Account::is_finite(State& state) {
  tree::realize(state, workspace_, Stage::velocity);
  if (std::isfinite(state.energy())) return true;
  if (summary_.failure.empty())
    summary_.failure = fmt::format("t = {:.9g} s: the energy is no longer a finite number; take smaller steps", state.time());
  return false;
}

void Account::add(State& state) {
  measure(state);
  report(state);
}

void Account::report(State& state) {
  if ((summary_.reports > 0 && state.time() == last_reported_) || !is_finite(state)) return;
  last_reported_ = state.time();
  ++summary_.reports;
  if (report_) report_(state);
}

void Account::measure(State& state) {
  if ((measured_ && state.time() == last_measured_) || !is_finite(state)) return;
  last_measured_ = state.time();
  const double energy = state.energy(), own = energy - summary_.energy_by_events;
  if (!measured_) summary_.energy_start = summary_.energy_least = summary_.energy_most = own;
  summary_.energy_end = energy;
  summary_.energy_least = std::min(summary_.energy_least, own);
  summary_.energy_most = std::max(summary_.energy_most, own);
  energies_.add(state.time() - summary_.time_start, own - summary_.energy_start);
  summary_.energy_slope = energies_.slope();
  note_momentum(state.momentum());
  summary_.constraint_error = std::max(summary_.constraint_error, constraint_error_(workspace_, state));
  measured_ = true;
}

void Account::jump(State before, State after) {
  tree::realize(before, workspace_, Stage::velocity);
  tree::realize(after, workspace_, Stage::velocity);
  summary_.energy_by_events += after.energy() - before.energy();
  for (std::size_t i = 0; i < kept_.size(); ++i)
    kept_at_start_[i] += kept_[i].of(after.momentum()) - kept_[i].of(before.momentum());
  const bool pushed =
      std::any_of(after.applied_forces().begin(), after.applied_forces().end(), [](double f) { return f != 0; });
  if (pushed) kept_.clear(), summary_.kept_momenta = 0;
}

void Account::remember(Memory& memory) {
  SimulateSummary& s = summary_;
  bool keeps = !kept_.empty();
  memory(energies_, measured_, last_measured_, last_reported_, keeps, kept_at_start_, s.reports, s.energy_start, s.energy_end,
         s.energy_least, s.energy_most, s.energy_by_events, s.energy_slope, s.constraint_error, s.kept_momenta,
         s.momentum_error, s.momentum_size);
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
