#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/maximal/body_motion.h"
#include "polhode/state/memory.h"

namespace polhode::variational {

/// Velocities and multipliers of the last steps, from which the next one's are extrapolated: on the line through the last two;
/// on the cubic through the last four where steps are equal and motion is smooth, so that one correction is often enough where
/// two were needed.
class VelocityGuess {
 public:
  VelocityGuess(std::size_t bodies, std::size_t rows);

  void forget() { known_ = 0; }
  /// A step around t_mid had these velocities and these impulses, which stand for the time `around` [s].
  void learn(double t_mid, const maximal::Bodies& bodies, std::span<const double> lambda, double around);
  /// Once something is known: velocities in `next`, and impulses over the time `around`.
  void guess(double t_mid, double around, maximal::Bodies& next, std::span<double> lambda) const;
  /// By how much a body's angular velocity differs from the last step's [rad/s], squared.
  double largest_change(const maximal::Bodies& next) const;

  void remember(Memory& memory);

 private:
  bool follows_smoothly(double t_mid) const;

  struct Velocities {
    Vec3<double> w{}, v{};
    friend Velocities operator+(const Velocities& a, const Velocities& b) { return {a.w + b.w, a.v + b.v}; }
    friend Velocities operator*(double k, const Velocities& a) { return {k * a.w, k * a.v}; }
  };
  struct Past {
    double t_mid = 0;
    std::vector<Velocities> bodies;
    std::vector<double> lambda;  // over the time that the impulse stands for
    void remember(Memory& memory) { memory(t_mid, bodies, lambda); }
  };
  static constexpr int num_past = 4;
  std::array<Past, num_past> past_;  // the last one first
  int known_ = 0;
};

}  // namespace polhode::variational
