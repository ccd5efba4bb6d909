#pragma once

/// The plane pendulum in closed form, by Jacobi's elliptic functions: what no step can be blamed for.
namespace polhode::experiments {

/// Released at rest at an angle from the hanging position; theta'' = -rate^2 sin(theta).
class ExactPendulum {
 public:
  ExactPendulum(double angle, double rate);

  double angle(double t) const;              ///< [rad]
  double period() const { return period_; }  ///< of a whole swing [s]

 private:
  double modulus_, rate_, period_;
};

}  // namespace polhode::experiments
