#pragma once
#include <span>
#include <vector>

namespace polhode {

/// A coordinate whose rate is a speed, times a number.
struct CoordinateTerm {
  int q, u;
  double coefficient;
};

/// Coordinates are tied by one linear equation:  h = a1 q1 + a2 q2 + ... - constant.  Its derivative is the coefficients.
struct Coupler {
  std::vector<CoordinateTerm> terms;  ///< each coordinate once
  double constant = 0;

  template <class T>
  T value(const T* q) const {
    T sum(-constant);
    for (const CoordinateTerm& term : terms) sum += T(term.coefficient) * q[term.q];
    return sum;
  }
};

}  // namespace polhode
