#include "polhode/variational/state_step.h"

#include <algorithm>

namespace polhode::variational {

StateStep::StateStep(const Mechanism& mechanism, double alpha) : alpha_(alpha) {
  const int n = mechanism.num_z();
  if (n == 0) return;
  for (auto* of_state : {&z0_, &z_m_, &z1_, &dz_, &rates_, &displaced_, &displaced_rates_, &correction_, &next_})
    of_state->resize(std::size_t(n));
  // A user's element sees no states but its own.
  int of_elements = 0;
  for (const UsersForce& force : mechanism.forces().of<UsersForce>()) {
    if (force.states.nz == 0) continue;
    blocks_.push_back({force.states.first_z, force.states.nz, linear::RankRevealingSolver(force.states.nz)});
    of_elements += force.states.nz;
  }
  if (of_elements < n) {
    blocks_.clear();
    blocks_.push_back({0, n, linear::RankRevealingSolver(n)});
  }
  colour_.resize(std::size_t(n)), block_of_.resize(std::size_t(n));
  std::size_t numbers = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int i = 0; i < blocks_[b].count; ++i) {
      colour_[std::size_t(blocks_[b].first + i)] = i;
      block_of_[std::size_t(blocks_[b].first + i)] = int(b);
    }
    colours_ = std::max(colours_, blocks_[b].count);
    numbers += std::size_t(blocks_[b].count) * std::size_t(blocks_[b].count);
  }
  slopes_.resize(numbers);
  start(mechanism.initial_z());
}

void StateStep::start(Numbers z0) {
  for (auto* z : {&z0_, &z_m_, &z1_}) std::copy(z0.begin(), z0.end(), z->begin());
  std::fill(dz_.begin(), dz_.end(), 0.0);
  slopes_for_ = std::numeric_limits<double>::quiet_NaN();
  worst_ = -1;
}

/// The next motion at the middle may have a solution, which is to be looked for from the start.
bool StateStep::give_up() {
  const int worst = worst_;
  start(z0_);
  worst_ = worst;
  return false;
}

void StateStep::begin_slopes() { std::copy(z_m_.begin(), z_m_.end(), displaced_.begin()); }

void StateStep::displace(int colour) {
  for (int k = 0; k < size(); ++k)
    displaced_[std::size_t(k)] = z_m_[std::size_t(k)] + (colour_[std::size_t(k)] == colour ? difference(k) : 0.0);
}

/// 1 - alpha h df/dz, block by block.
void StateStep::put_slopes(int colour, double h) {
  double* block_slopes = slopes_.data();
  for (const Block& block : blocks_) {
    if (colour < block.count) {
      const double by = displaced_[std::size_t(block.first + colour)] - z_m_[std::size_t(block.first + colour)];
      for (int i = 0; i < block.count; ++i) {
        const std::size_t k = std::size_t(block.first + i);
        block_slopes[i * block.count + colour] = (i == colour ? 1 : 0) - alpha_ * h * (displaced_rates_[k] - rates_[k]) / by;
      }
    }
    block_slopes += block.count * block.count;
  }
}

void StateStep::finish_slopes() {
  const double* block_slopes = slopes_.data();
  for (Block& block : blocks_) {
    block.solver.factor(block_slopes);
    block_slopes += block.count * block.count;
  }
}

void StateStep::follow(NumbersOut x) {
  for (Block& block : blocks_) block.solver.solve(x.data() + block.first, x.data() + block.first);
}

void StateStep::find_correction(double h, NumbersOut correction) {
  for (std::size_t k = 0; k < dz_.size(); ++k) correction[k] = h * rates_[k] - dz_[k];
  follow(correction);
}

void StateStep::move(double fraction, Numbers correction) {
  for (std::size_t k = 0; k < dz_.size(); ++k) {
    dz_[k] += fraction * correction[k];
    z_m_[k] = z0_[k] + alpha_ * dz_[k];
    z1_[k] = z0_[k] + dz_[k];
  }
}

double StateStep::size_of(Numbers correction, double h) {
  double largest = 0;
  for (std::size_t k = 0; k < correction.size(); ++k) {
    const double change = std::abs(correction[k]);
    if (change == 0) continue;
    const double part = change / (std::abs(z0_[k]) + std::abs(dz_[k]) + std::abs(h * rates_[k]));
    if (part <= largest) continue;
    largest = part;
    worst_ = int(k);
    if (std::isnan(part)) break;
  }
  return largest;
}

/// What is left where corrections stop falling: rates that are sums of large terms have no more digits.
bool StateStep::is_rounding(Numbers correction, double h) const {
  constexpr double rounding = 1e-9;
  for (std::size_t k = 0; k < correction.size(); ++k) {
    const double scale = std::max(1.0, std::abs(z0_[k]) + std::abs(dz_[k]) + std::abs(h * rates_[k]));
    if (!(std::abs(correction[k]) <= rounding * scale)) return false;
  }
  return true;
}

}  // namespace polhode::variational
