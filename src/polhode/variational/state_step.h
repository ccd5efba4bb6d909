#pragma once
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "polhode/linear/rank_revealing.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::variational {

/// The auxiliary states over one step, by the generalized midpoint rule, which is the rule of the motion too:
///
///   z_m = z0 + alpha dz,      dz = h f(t_m, q_m, v_m, z_m),      z1 = z0 + dz
///
/// For alpha = 1/2 it is symmetric and of order two, and states that are fast within a step neither stop nor blow it up. Motion
/// at the middle is what the step's Newton iteration is at; dz is found for it by a Newton iteration of its own, so the step's
/// unknowns stay what they are. Its slopes df/dz are differences, taken once a step, and again where corrections fall slowly.
/// Allocates nothing after it is built.
class StateStep {
 public:
  using Numbers = std::span<const double>;
  using NumbersOut = std::span<double>;

  StateStep(const Mechanism& mechanism, double alpha);

  bool any() const { return !z0_.empty(); }
  int size() const { return int(z0_.size()); }
  double alpha() const { return alpha_; }

  /// Where a step starts.
  void start(Numbers z0);
  /// dz, from rates(z, z_dot), which are those at the middle if the states are z there. False where there is none: at a jump
  /// of the rates, or where they are not finite.
  template <class Rates>
  bool solve(double h, const Rates& rates);
  /// States at the middle and at the end of the step.
  Numbers middle() const { return z_m_; }
  Numbers end() const { return z1_; }
  /// The state whose equation was the furthest from being solved.
  int worst() const { return worst_; }

  /// Where rates change by x/h, dz changes by what this makes of x: it follows by its own slopes.
  void follow(NumbersOut x);
  /// A difference of state k by which slopes are found.
  double difference(int k) const { return 1e-8 * std::max(1.0, std::abs(z_m_[std::size_t(k)])); }

 private:
  /// States that no others' rates read.
  struct Block {
    int first, count;
    linear::RankRevealingSolver solver;
  };
  template <class Rates>
  void find_slopes(double h, const Rates& rates);
  void begin_slopes();
  void displace(int colour);
  void put_slopes(int colour, double h);
  void finish_slopes();
  void find_correction(double h, NumbersOut correction);
  void move(double fraction, Numbers correction);
  bool give_up();
  /// The largest part by which a correction changes a state; 0 where it changes none by more than rounding.
  double size_of(Numbers correction, double h);
  bool is_rounding(Numbers correction, double h) const;

  double alpha_;
  double slopes_for_ = std::numeric_limits<double>::quiet_NaN();  // this h
  int worst_ = -1, colours_ = 0;
  std::vector<Block> blocks_;
  std::vector<int> colour_, block_of_;  // by state: those of one colour are displaced together
  std::vector<double> z0_, z_m_, z1_, dz_, rates_, displaced_, displaced_rates_, correction_, next_, slopes_;
};

template <class Rates>
void StateStep::find_slopes(double h, const Rates& rates) {
  begin_slopes();
  for (int colour = 0; colour < colours_; ++colour) {
    displace(colour);
    rates(Numbers(displaced_), NumbersOut(displaced_rates_));
    put_slopes(colour, h);
  }
  finish_slopes();
  slopes_for_ = h;
}

/// With Deuflhard's natural monotonicity test, as the steps' own iterations have it.
template <class Rates>
bool StateStep::solve(double h, const Rates& rates) {
  constexpr int most_corrections = 30;
  constexpr double met = 1e-13, slow = 0.1, least_fraction = 1.0 / 64;
  rates(Numbers(z_m_), NumbersOut(rates_));
  if (slopes_for_ != h) find_slopes(h, rates);
  find_correction(h, correction_);
  double size = size_of(correction_, h), fraction = 1;
  for (int i = 0; size > met && i < most_corrections; ++i) {
    move(fraction, correction_);
    rates(Numbers(z_m_), NumbersOut(rates_));
    find_correction(h, next_);
    const double next_size = size_of(next_, h);
    if (next_size <= met || next_size <= (1 - 0.25 * fraction) * size) {
      if (next_size > met && (fraction < 1 || next_size > slow * size)) {
        find_slopes(h, rates);
        find_correction(h, next_);
      }
      correction_.swap(next_);
      size = size_of(correction_, h);
      fraction = 1;
    } else if (is_rounding(next_, h)) {
      return true;
    } else {
      move(-fraction, correction_);
      fraction *= 0.5;
      if (!(fraction >= least_fraction)) return give_up();
    }
  }
  if (!(size <= met) && !is_rounding(correction_, h)) return give_up();  // not a number is neither
  move(1, correction_);
  return true;
}

}  // namespace polhode::variational
