#pragma once
#include "polhode/mechanism/signal.h"

namespace polhode {

/// The integral of a signal from a to b, and the integral of that:
///   first = int_a^b s(t) dt,      second = int_a^b (b - t) s(t) dt.
/// What starts at a with rate v and follows s with its second derivative is at v (b - a) + second then, with rate v + first.
struct SignalIntegrals {
  double first = 0, second = 0;
};

/// b may lie before a. Exact but for rounding, as far as (b - a) is a step that resolves the signal: by Gauss' formula of five
/// points on pieces between knots of splines, on which sines turn by half a radian at most; sines alone that turn by more
/// than one have their antiderivative. A user's function counts as one smooth piece. Does not allocate.
SignalIntegrals integrals(const Signal& signal, double a, double b);

}  // namespace polhode
