#include "polhode/study/canonical_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/chart_move.h"
#include "polhode/tree/dynamics.h"
#include "polhode/variational/tree/acceptance.h"

namespace polhode::study {
namespace {

// The acceptance at which a chain gets furthest for its work: Beskos and others (2013), Roberts, Gelman and Gilks (1997).
constexpr double best_acceptance_of_motions = 0.8, best_acceptance_of_displacements = 0.35;
// A motion that fails counts for so many refused ones: fast states, whose motions fail first, are then left as well.
constexpr double weight_of_failures = 12;
constexpr double first_step = 0.01, least_step = 1e-7, most_step = 1;  // [s], where none is given

std::vector<RandomStream> streams(const CanonicalOptions& options, int chain, const char* what, int n) {
  std::vector<RandomStream> all;
  for (int k = 0; k < n; ++k) all.emplace_back(options.seed, fmt::format("chain {} {} {}", chain, what, k));
  return all;
}

}  // namespace

CanonicalChain::CanonicalChain(const State& start, const CanonicalOptions& options, int number)
    : mechanism_(start.mechanism()),
      options_(options),
      midpoint_(mechanism_, 0.5, {.tolerance = 1e-12, .step = options.step.value_or(first_step)}),
      map_(mechanism_),
      workspace_(mechanism_),
      speeds_(streams(options, number, "speed", mechanism_.num_u())),
      shifts_(streams(options, number, "shift", mechanism_.num_u())),
      verdicts_(options.seed, fmt::format("chain {} verdict", number)),
      lengths_(options.seed, fmt::format("chain {} length", number)),
      applied_(std::size_t(mechanism_.num_u())),
      step_(options.step.value_or(first_step)),
      log_step_(std::log(step_)),
      q_(start.q().begin(), start.q().end()),
      u_(start.u().begin(), start.u().end()) {
  const std::size_t nq = q_.size(), n = u_.size();
  midpoint_.set_enabled(start.enabled());
  map_.set_enabled(start.enabled());
  for (auto* q : {&q1_, &q_next_, &q_back_}) q->resize(nq);
  for (auto* u : {&p_, &p1_, &u1_, &p_next_, &p_back_, &theta_, &theta_before_, &shift_, &shift_scale_}) u->resize(n);
  lambda_.resize(std::size_t(midpoint_.num_rows()));
  mass_.resize(Eigen::Index(n), Eigen::Index(n));
  normal_.resize(Eigen::Index(n));
  turning_.assign(n, 1);
  for (const variational::Link& link : midpoint_.tree().links())
    if (link.kind == variational::Link::Kind::slider) turning_[std::size_t(link.first_u)] = 0;
  midpoint_.allow_gaps(q_);
  const Energies now = energies(q_, u_);
  kinetic_ = now.kinetic, potential_ = now.potential;
  if (!std::isfinite(now.total())) throw std::invalid_argument("the energy of the start is no finite number");
  // Displacements are, for one unit of the step, what each coordinate would move with its thermal speed if all others were
  // free: fixed, so that a displacement is as probable as its reverse.
  tree::positions(workspace_, q_);
  tree::mass_matrix(workspace_, q_, {mass_.data(), n * n});
  const Eigen::MatrixXd inverse = mass_.ldlt().solve(Eigen::MatrixXd::Identity(Eigen::Index(n), Eigen::Index(n)));
  for (std::size_t k = 0; k < n; ++k)
    shift_scale_[k] = std::sqrt(std::max(0.0, options.temperature * inverse(Eigen::Index(k), Eigen::Index(k))));
}

CanonicalChain::Energies CanonicalChain::energies(const Numbers& q, const Numbers& u) {
  const double total = map_.energy(0, q, u), kinetic = map_.kinetic_energy();
  return {kinetic, total - kinetic};
}

/// Onto the speeds that the constraints allow, by the least change in the metric of the mass matrix; p is then M u.
void CanonicalChain::keep_in_tangent(const Numbers& q, Numbers& p, Numbers& u) {
  map_.speeds(0, q, p, midpoint_.paths(), u);
  if (midpoint_.num_rows() > 0) map_.momenta(q, u, p);
}

/// From Maxwell's distribution, of covariance k T M: p = sqrt(k T) L xi with M = L L^T. Taken to the speeds that constraints
/// allow, it is Maxwell's distribution there.
void CanonicalChain::draw_momenta() {
  const std::size_t n = u_.size();
  tree::positions(workspace_, q_);
  tree::mass_matrix(workspace_, q_, {mass_.data(), n * n});
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(mass_);
  if (factor.info() != Eigen::Success)
    throw std::runtime_error("a speed has no inertia where the chain has come to, so no heat bath gives it one; add mass");
  for (std::size_t k = 0; k < n; ++k) normal_[Eigen::Index(k)] = speeds_[k].normal(number_);
  Eigen::Map<Eigen::VectorXd>(p_.data(), Eigen::Index(n)) =
      std::sqrt(options_.temperature) * (factor.matrixL() * normal_).eval();
  keep_in_tangent(q_, p_, u1_);
  std::swap(u_, u1_);
}

/// Whether two steps of a motion differ by so much that Newton may have found another of the equations' solutions. The motion
/// backwards has the same pairs of steps, so this rejects both or none.
bool CanonicalChain::turns_too_much(double h) const {
  double change = 0;
  for (std::size_t k = 0; k < theta_.size(); ++k)
    if (turning_[k]) change = std::max(change, std::abs(theta_[k] - theta_before_[k]));
  return !(change <= variational::acceptance::most_change) || !std::isfinite(h);
}

bool CanonicalChain::move(double h, int steps, Numbers& q, Numbers& p) {
  map_.speeds(0, q, p, midpoint_.paths(), u1_);
  for (std::size_t k = 0; k < theta_.size(); ++k) theta_[k] = h * u1_[k];
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int i = 0; i < steps; ++i) {
    theta_before_ = theta_;
    midpoint_.start(0, q, p, applied_);
    if (!midpoint_.solve(h, theta_, lambda_, q_next_, p_next_).ok()) return false;
    if (i > 0 && turns_too_much(h)) return false;
    q.swap(q_next_);
    p.swap(p_next_);
  }
  return true;
}

/// Whether the motion backwards comes to where it began: where constraints are solved for, it need not (Zappa, Holmes-Cerfon,
/// Goodman 2018), and then the proposal must not be accepted.
bool CanonicalChain::returns(double h, int steps) {
  constexpr double same = 1e-6;  // of coordinates [rad], [m], where solutions differ by parts of one
  q_back_ = q1_;
  p_back_ = p1_;
  if (!move(-h, steps, q_back_, p_back_)) return false;
  double largest = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) largest = std::max(largest, std::abs(q_back_[i] - q_[i]));
  return largest < same;
}

bool CanonicalChain::displace() {
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] = step_ * shift_scale_[k] * shifts_[k].normal(number_);
  tree::move_on_charts(mechanism_, q_, shift_, q1_);
  p1_ = p_;
  return true;
}

void CanonicalChain::propose() {
  ++number_;
  ++proposals_;
  draw_momenta();
  const Energies before = energies(q_, u_);
  kinetic_ = before.kinetic, potential_ = before.potential;
  probability_ = 0;
  last_failed_ = false;
  const bool hybrid = options_.proposal == Proposal::hybrid;
  const int steps = 1 + int(lengths_.uniform(number_) * options_.most_steps);
  bool good = true;
  if (hybrid) {
    q1_ = q_;
    p1_ = p_;
    good = move(step_, steps, q1_, p1_);
  } else {
    good = displace();
  }
  if (good && midpoint_.num_rows() > 0) {
    keep_in_tangent(q1_, p1_, u1_);
    const Numbers u_there = u1_;
    good = returns(step_, steps);
    u1_ = u_there;
  } else if (good) {
    map_.speeds(0, q1_, p1_, midpoint_.paths(), u1_);
  }
  const Energies after = good ? energies(q1_, u1_) : Energies{};
  if (!good || !std::isfinite(after.total())) {
    ++failed_;
    last_failed_ = true;
    return;
  }
  probability_ = std::min(1.0, std::exp((before.total() - after.total()) / options_.temperature));
  if (!(verdicts_.uniform(number_) < probability_)) return;
  ++accepted_;
  q_.swap(q1_);
  u_.swap(u1_);
  kinetic_ = after.kinetic, potential_ = after.potential;
}

/// Robbins and Monro (1951): ever smaller changes, which stop when the chain does no longer discard.
void CanonicalChain::propose_and_tune() {
  propose();
  if (options_.step) return;
  const double target = options_.proposal == Proposal::hybrid ? best_acceptance_of_motions : best_acceptance_of_displacements;
  const double excess = last_failed_ ? -weight_of_failures : probability_ - target;
  log_step_ += std::clamp(2 * excess / std::pow(1 + double(tuned_++), 0.6), -1.0, 1.0);
  log_step_ = std::clamp(log_step_, std::log(least_step), std::log(most_step));
  step_ = std::exp(log_step_);
  if (2 * tuned_ > options_.discard) {
    later_steps_ += log_step_;
    ++later_;
  }
}

/// With the mean of the later steps, which varies less than each of them (Polyak and Juditsky 1992).
void CanonicalChain::settle() {
  if (later_ > 0) step_ = std::exp(later_steps_ / double(later_));
  proposals_ = accepted_ = failed_ = 0;
}

}  // namespace polhode::study
